import { useLayoutEffect, useState } from 'preact/hooks'
import type { ControlProps } from './control.ts'
import { dayText } from './numbers.ts'

/** A day: the browser's own calendar, and the two days people mean most often. */
export function Day({ question, words, onRead, describedBy, labelledBy, isInvalid }: ControlProps) {
  const { given } = question
  const [day, choose] = useState(typeof given === 'string' ? given : '')
  useLayoutEffect(() => {
    onRead(/^\d{4}-\d{2}-\d{2}$/.test(day) ? { value: day } : { fault: words.faults.date })
  }, [day, words])
  return (
    <div class="amount">
      <input
        class="field date"
        type="date"
        aria-labelledby={labelledBy}
        aria-describedby={describedBy}
        aria-invalid={isInvalid}
        value={day}
        onInput={(event) => choose(event.currentTarget.value)}
      />
      <div class="chips">
        {([0, -1] as const).map((offset) => (
          <button
            key={offset}
            type="button"
            class="chip"
            aria-pressed={day === dayText(offset)}
            onClick={() => choose(dayText(offset))}
          >
            {offset === 0 ? words.field.today : words.field.yesterday}
          </button>
        ))}
      </div>
    </div>
  )
}
