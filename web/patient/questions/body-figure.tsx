/** Where each part is on the figure: ellipses (x, y, radius x, radius y), doubled where the body is. Those of the back are seen from behind. */
type Zones = Record<string, readonly (readonly [number, number, number, number])[]>

const LIMBS: Zones = {
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
const FRONT: Zones = {
  head: [[60, 13, 15, 9]],
  eyes: [
    [54, 22, 5, 4],
    [66, 22, 5, 4],
  ],
  nose: [[60, 27, 4, 4]],
  mouth: [[60, 35, 7, 4]],
  throat: [[60, 51, 10, 7]],
  chest: [[60, 78, 24, 19]],
  abdomen: [[60, 115, 20, 18]],
  groin: [
    [49, 141, 7, 7],
    [71, 141, 7, 7],
  ],
  genitals: [[60, 148, 6, 7]],
  ...LIMBS,
}
const BACK: Zones = {
  head: [[60, 20, 18, 17]],
  ears: [
    [43, 25, 4, 6],
    [77, 25, 4, 6],
  ],
  neck: [[60, 48, 12, 9]],
  back: [[60, 94, 24, 36]],
  ...LIMBS,
}

const OUTLINE =
  'M60 5c10 0 17 8 17 19 0 9-4 16-10 20l.5 6c2 5 8 6 15 8 9 3 12 9 14 20l8 44 7 20c2 6-1 12-5 13-4 1-6-2-8-7l-8-22-8-34c0 16-2 24-1 34 3 16 4 30 3 48l-2 38c0 12 2 24 3 34 5 3 7 7 5 10-2 3-10 3-15 1-4-2-4-5-3-10-2-12-5-23-6-34l-5-56-3-14-3 14-5 56c-1 11-4 22-6 34 1 5 1 8-3 10-5 2-13 2-15-1-2-3 0-7 5-10 1-10 3-22 3-34l-2-38c-1-18 0-32 3-48 1-10-1-18-1-34l-8 34-8 22c-2 5-4 8-8 7-4-1-7-7-5-13l7-20 8-44c2-11 5-17 14-20 7-2 13-3 15-8l.5-6c-6-4-10-11-10-20 0-11 7-19 17-19'

/** A face and a navel on one side, shoulder blades and a spine on the other: which side it is shows without words. */
const MARKS = {
  front: 'M54 22v.1M66 22v.1M55 34c3 2.500 7 2.500 10 0M60 122v2M48 66c4 3 8 4 11 4M72 66c-4 3-8 4-11 4',
  back: 'M60 60v70M47 72c1 6 3 10 7 13M73 72c-1 6-3 10-7 13M54 148c3 3 5 4 6 4s3-1 6-4',
}

type Props = {
  parts: readonly string[]
  chosen: string | null
  /** What each side is called. */
  sides: readonly [front: string, back: string]
  onChoose: (part: string) => void
}

/** A drawn person to point at, from the front and from behind. The same parts stand beside it as buttons, so it is a help to the eye and hand only. */
export function BodyFigure({ parts, chosen, sides, onChoose }: Props) {
  return (
    <div class="figures" aria-hidden="true">
      {([FRONT, BACK] as const).map((zones, at) => (
        <figure key={sides[at]}>
          <svg class="figure" viewBox="0 0 120 272" aria-hidden="true" focusable="false">
            <path class="figure-outline" d={OUTLINE} />
            <path class="figure-mark" d={at === 0 ? MARKS.front : MARKS.back} />
            {parts.flatMap((part) =>
              (zones[part] ?? []).map(([x, y, rx, ry]) => (
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
          <figcaption>{sides[at]}</figcaption>
        </figure>
      ))}
    </div>
  )
}
