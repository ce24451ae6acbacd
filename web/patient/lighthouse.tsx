/**
 * The emblem of the service: a lighthouse at dusk, its light over quiet water. Drawn in the tokens, so it has a day and
 * a night; sea and light extend to the width of the page.
 */
export function Lighthouse() {
  return (
    <div class="dusk" aria-hidden="true">
      <svg class="lighthouse" viewBox="0 0 600 168" aria-hidden="true" focusable="false">
        <defs>
          <linearGradient id="light" gradientUnits="userSpaceOnUse" x1="486" x2="-160" y1="0" y2="0">
            <stop class="light-near" offset="0" />
            <stop class="light-far" offset="1" />
          </linearGradient>
        </defs>
        <path class="light" d="M487 47-300-22V82L487 53Z" />
        <path class="sea" d="M-2400 134H0c40-5 70-3 110 0s76 3 116-1 78-4 118 0 74 4 112 0 96-4 144 1h2400v34H-2400Z" />
        <path
          class="wave"
          d="M36 148c18-3 30 3 48 0m52 6c20-3 34 3 56 0m80-7c18-3 32 3 50 0m78 8c16-2 26 2 40 0m96-9c16-3 28 2 44 0M-180 152c18-3 30 3 48 0m-150-6c18-3 30 3 48 0M680 151c18-3 30 3 48 0m70-6c18-3 30 3 48 0"
        />
        <path class="rock" d="M440 137c8-10 20-9 27-14 8-2 36-2 44 1 9 4 24 3 33 13Z" />
        <path class="tower" d="M479 124l4-62h13l5 62Z" />
        <path class="tower-band" d="M481.6 84l.9-12h15l1.1 12ZM479.8 110l.9-13h17.9l1.1 13Z" />
        <path
          class="tower-top"
          d="M480 62h19.5M483 62V50.5h13.5V62M481.5 50.5c1.5-5.5 5-8.5 8.3-8.5 3.4 0 6.8 3 8.2 8.5Z"
        />
        <circle class="lamp" cx="489.7" cy="56" r="3.2" />
      </svg>
    </div>
  )
}
