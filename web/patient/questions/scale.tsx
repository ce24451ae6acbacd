import { useLayoutEffect, useState } from 'preact/hooks'
import type { ControlProps } from './control.ts'

/** From none to the worst, as numbers to tap: no slider that a shaking hand could slip on. */
export function Scale({ question, words, onRead }: ControlProps) {
  const { min = 0, max = 10, step = 1, given } = question
  const [chosen, choose] = useState<number | null>(typeof given === 'number' ? given : null)
  useLayoutEffect(() => {
    onRead(chosen === null ? { fault: words.faults.choose } : { value: chosen })
  }, [chosen, words])
  const numbers = Array.from({ length: Math.floor((max - min) / step) + 1 }, (_, at) => min + at * step)
  return (
    <div class="scale">
      <span class="scale-end">{words.field.least(min)}</span>
      {numbers.map((number) => (
        <label key={number} class="segment">
          <input
            type="radio"
            name={question.id}
            value={String(number)}
            checked={chosen === number}
            onChange={() => choose(number)}
          />
          <span>{number}</span>
        </label>
      ))}
      <span class="scale-end">{words.field.most(max)}</span>
    </div>
  )
}
