import { useLayoutEffect, useState } from 'preact/hooks'
import { OptionRow } from '../../ui/option-row.tsx'
import type { ControlProps } from './control.ts'

/** One of several, or yes and no. */
export function Choice({ question, words, onRead }: ControlProps) {
  const isYesNo = question.kind === 'yesno'
  const options = isYesNo
    ? [
        { id: 'true', label: words.field.yes },
        { id: 'false', label: words.field.no },
      ]
    : (question.options ?? [])
  const { given } = question
  const [chosen, choose] = useState<string | null>(given === undefined || given === null ? null : String(given))
  useLayoutEffect(() => {
    if (chosen === null) onRead({ fault: words.faults.choose })
    else onRead({ value: isYesNo ? chosen === 'true' : chosen })
  }, [chosen, words])
  return (
    <div class={isYesNo ? 'rows two' : 'rows'}>
      {options.map(({ id, label }) => (
        <OptionRow
          key={id}
          kind="radio"
          name={question.id}
          value={id}
          label={label}
          checked={chosen === id}
          onChange={() => choose(id)}
        />
      ))}
    </div>
  )
}
