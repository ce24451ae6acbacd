import { useLayoutEffect, useState } from 'preact/hooks'
import type { ControlProps, Reading } from './control.ts'
import { numberFrom, numberText } from './numbers.ts'

/** A number with its unit. Phone keyboards have the comma or the point of their own language; both are accepted. */
export function Amount({ question, words, onRead, describedBy, labelledBy, isInvalid }: ControlProps) {
  const { given, unit } = question
  const [text, write] = useState(typeof given === 'number' ? numberText(given, words.decimal) : '')
  useLayoutEffect(() => onRead(readingOf(text, question, words)), [text, words])
  return (
    <div class="amount">
      <input
        class="field number"
        type="text"
        inputMode="decimal"
        autocomplete="off"
        enterkeyhint="done"
        aria-labelledby={labelledBy}
        aria-describedby={describedBy}
        aria-invalid={isInvalid}
        value={text}
        onInput={(event) => write(event.currentTarget.value)}
      />
      {unit && <span class="unit">{unit}</span>}
    </div>
  )
}

function readingOf(
  text: string,
  { min = 0, max = Number.MAX_SAFE_INTEGER, step }: ControlProps['question'],
  words: ControlProps['words'],
): Reading {
  const value = numberFrom(text)
  if (value === null) return { fault: words.faults.number }
  const said = (number: number) => numberText(number, words.decimal)
  if (value < min || value > max) return { fault: words.faults.range(said(min), said(max)) }
  const steps = step === undefined ? 0 : (value - min) / step
  if (Math.abs(steps - Math.round(steps)) > 1e-6) return { fault: words.faults.step(said(step ?? 1)) }
  return { value: step === undefined ? value : Number(value.toFixed(6)) }
}
