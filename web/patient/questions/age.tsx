import { useLayoutEffect, useState } from 'preact/hooks'
import type { ControlProps, Reading } from './control.ts'
import { AGE_UNITS, type AgeUnit, ageFrom, ageParts, dayText, numberFrom, numberText, yearsFrom } from './numbers.ts'
import { Segments } from './segments.tsx'

/** The patient's age: in years, for the youngest in months and weeks, or by day of birth, which is not sent. */
export function Age({ question, words, onRead, describedBy, labelledBy, isInvalid }: ControlProps) {
  const before = typeof question.given === 'number' ? ageParts(question.given) : null
  const [text, write] = useState(before ? numberText(before.amount, words.decimal) : '')
  const [unit, setUnit] = useState<AgeUnit>(before?.unit ?? 'years')
  const [birth, setBirth] = useState<string | null>(null)
  useLayoutEffect(() => {
    onRead(birth === null ? readingOf(text, unit, question.max ?? 130, words) : bornReading(birth, words))
  }, [text, unit, birth, words])
  const field = { 'aria-describedby': describedBy, 'aria-invalid': isInvalid }
  const names = { years: words.field.year, months: words.field.month, weeks: words.field.week }
  return (
    <>
      {birth === null ? (
        <div class="amount">
          <input
            class="field number"
            type="text"
            inputMode="decimal"
            autocomplete="off"
            enterkeyhint="done"
            aria-labelledby={labelledBy}
            {...field}
            value={text}
            onInput={(event) => write(event.currentTarget.value)}
          />
          <Segments
            name="age-unit"
            label={words.field.unit}
            options={AGE_UNITS.map((id) => ({ id, label: names[id] }))}
            chosen={unit}
            onChoose={setUnit}
          />
        </div>
      ) : (
        <label class="labelled">
          <span>{words.field.birthDate}</span>
          <input
            class="field date"
            type="date"
            autocomplete="bday"
            max={dayText()}
            {...field}
            value={birth}
            onInput={(event) => setBirth(event.currentTarget.value)}
          />
        </label>
      )}
      <button type="button" class="plain" onClick={() => setBirth(birth === null ? '' : null)}>
        {birth === null ? words.field.useBirthDate : words.field.useAge}
      </button>
    </>
  )
}

/** “0 years” can be a newborn or nearly one: too vague to accept. */
function readingOf(text: string, unit: AgeUnit, most: number, words: ControlProps['words']): Reading {
  const amount = numberFrom(text)
  if (amount === null) return { fault: words.faults.age }
  if ((unit === 'years' && amount < 2) || (unit === 'months' && amount < 1)) return { fault: words.faults.young }
  const years = yearsFrom(amount, unit)
  if (years > most) return { fault: words.faults.range('0', String(most)) }
  return { value: years }
}

function bornReading(birth: string, words: ControlProps['words']): Reading {
  if (birth === '') return { fault: words.faults.date }
  const years = ageFrom(birth, dayText())
  return years === null || years > 130 ? { fault: words.faults.birthDate } : { value: years }
}
