import type { ComponentType } from 'preact'
import type { QuestionView } from '../api.ts'

type Name = NonNullable<QuestionView['drawing']>

/** Drawings for what words describe badly. They come when someone opens them, and the words beside them say the same. */
export const DRAWINGS: Readonly<Record<Name, ComponentType>> = {
  'glass-test': GlassTest,
  'drawn-in-chest': DrawnInChest,
}

const SPOTS = [
  [18, 22],
  [30, 34],
  [44, 20],
  [56, 38],
  [24, 50],
  [40, 52],
  [58, 56],
] as const

/** A clear glass pressed on spots, twice: those that fade under it, and those that stay. */
function GlassTest() {
  return (
    <svg class="drawing" viewBox="0 0 220 92" aria-hidden="true" focusable="false">
      {[0, 120].map((left) => (
        <g key={left} transform={`translate(${left + 12} 4)`}>
          <path class="drawing-skin" d="M2 20c20-10 56-12 74 0v44c-20 10-54 10-74 0Z" />
          {SPOTS.map(([x, y]) => {
            const isUnder = Math.hypot(x - 39, y - 38) < 24
            return (
              <circle key={x} class={isUnder && left === 0 ? 'drawing-faded' : 'drawing-spot'} cx={x} cy={y} r={3.4} />
            )
          })}
          <circle class="drawing-glass" cx={39} cy={38} r={25} />
          <path class="drawing-line" d="M24 26c4-6 9-8 14-8" />
        </g>
      ))}
      <path class="drawing-good" d="M44 84l5 5c3-5 6-8 11-12" />
      <path class="drawing-bad" d="M166 79v7M166 89.500v.1" />
    </svg>
  )
}

/** A small child's chest: where the skin is drawn in between and below the ribs at each breath. */
function DrawnInChest() {
  return (
    <svg class="drawing" viewBox="0 0 220 132" aria-hidden="true" focusable="false">
      <circle class="drawing-skin" cx={110} cy={24} r={20} />
      <path
        class="drawing-skin"
        d="M98 42c-2 7-10 9-20 12-10 4-14 13-16 28l-3 20 10 2 5-24 1 50h70l1-50 5 24 10-2-3-20c-2-15-6-24-16-28-10-3-18-5-20-12"
      />
      <path
        class="drawing-line"
        d="M90 66c6 3 12 4 18 4M86 78c7 3 14 5 22 5M84 90c8 4 15 6 24 6M130 66c-6 3-12 4-18 4M134 78c-7 3-14 5-22 5M136 90c-8 4-15 6-24 6"
      />
      <path
        class="drawing-bad"
        d="M76 72h11M83 68l5 4-5 4M144 72h-11M137 68l-5 4 5 4M76 85h9M81 81l5 4-5 4M144 85h-9M139 81l-5 4 5 4"
      />
      <path class="drawing-bad" d="M96 110c8-8 20-8 28 0M110 122v-12M106 114l4-4 4 4M102 54c5 4 11 4 16 0" />
    </svg>
  )
}
