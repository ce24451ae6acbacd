import { useLayoutEffect, useState } from 'preact/hooks'
import type { DurationUnit } from '../../../src/engine/content.ts'
import type { ControlProps } from './control.ts'
import { numberFrom, numberText } from './numbers.ts'
import { Segments } from './segments.tsx'

const LONGEST = 1000

/** How long: an amount and its unit. No unit is chosen beforehand, because hours and days are easily mistaken. */
export function HowLong({ question, words, onRead, describedBy, labelledBy, isInvalid }: ControlProps) {
  const { given } = question
  const before = typeof given === 'object' && given !== null && 'unit' in given ? given : null
  const [text, write] = useState(before ? numberText(before.amount, words.decimal) : '')
  const [unit, setUnit] = useState<DurationUnit | null>(before?.unit ?? null)
  useLayoutEffect(() => {
    const amount = numberFrom(text)
    onRead(
      amount === null || unit === null || amount > LONGEST
        ? { fault: words.faults.amount }
        : { value: { amount, unit } },
    )
  }, [text, unit, words])
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
      <Segments
        name={`${question.id}-unit`}
        label={words.field.unit}
        options={(question.units ?? []).map(({ id, label }) => ({ id: id as DurationUnit, label }))}
        chosen={unit}
        onChoose={setUnit}
      />
    </div>
  )
}
