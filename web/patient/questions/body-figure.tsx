/** Where each part is on the figure: ellipses (x, y, radius x, radius y), doubled where the body is. */
const ZONES: Record<string, readonly (readonly [number, number, number, number])[]> = {
  head: [[60, 24, 19, 21]],
  throat: [[60, 51, 10, 7]],
  chest: [[60, 78, 24, 19]],
  abdomen: [[60, 115, 20, 18]],
  groin: [[60, 143, 17, 9]],
  arm: [
    [28, 100, 9, 32],
    [92, 100, 9, 32],
  ],
  hand: [
    [19, 146, 9, 12],
    [101, 146, 9, 12],
  ],
  leg: [
    [47, 198, 13, 44],
    [73, 198, 13, 44],
  ],
  foot: [
    [43, 258, 12, 9],
    [77, 258, 12, 9],
  ],
}

const OUTLINE =
  'M60 5c10 0 17 8 17 19 0 9-4 16-10 20l.5 6c2 5 8 6 15 8 9 3 12 9 14 20l8 44 7 20c2 6-1 12-5 13-4 1-6-2-8-7l-8-22-8-34c0 16-2 24-1 34 3 16 4 30 3 48l-2 38c0 12 2 24 3 34 5 3 7 7 5 10-2 3-10 3-15 1-4-2-4-5-3-10-2-12-5-23-6-34l-5-56-3-14-3 14-5 56c-1 11-4 22-6 34 1 5 1 8-3 10-5 2-13 2-15-1-2-3 0-7 5-10 1-10 3-22 3-34l-2-38c-1-18 0-32 3-48 1-10-1-18-1-34l-8 34-8 22c-2 5-4 8-8 7-4-1-7-7-5-13l7-20 8-44c2-11 5-17 14-20 7-2 13-3 15-8l.5-6c-6-4-10-11-10-20 0-11 7-19 17-19'

/** A drawn person to point at. The same parts are buttons beside it, so it only helps the eye and hand. */
export function BodyFigure({
  parts,
  chosen,
  onChoose,
}: {
  parts: readonly string[]
  chosen: string | null
  onChoose: (part: string) => void
}) {
  return (
    <svg class="figure" viewBox="0 0 120 272" aria-hidden="true" focusable="false">
      <path class="figure-outline" d={OUTLINE} />
      {parts.flatMap((part) =>
        (ZONES[part] ?? []).map(([x, y, rx, ry]) => (
          // biome-ignore lint/a11y/noStaticElementInteractions: the buttons beside it are what the keyboard uses
          <ellipse
            key={`${part} ${x}`}
            class={part === chosen ? 'figure-zone chosen' : 'figure-zone'}
            cx={x}
            cy={y}
            rx={rx}
            ry={ry}
            onClick={() => onChoose(part)}
          />
        )),
      )}
    </svg>
  )
}
