import { useLayoutEffect, useState } from 'preact/hooks'
import { OptionRow } from '../../ui/option-row.tsx'
import type { ControlProps } from './control.ts'

/** One of several, or yes and no. */
export function Choice({ question, words, onRead, onTake }: ControlProps) {
  const isYesNo = question.kind === 'yesno'
  const options = isYesNo
    ? [
        { id: 'true', label: words.field.yes },
        { id: 'false', label: words.field.no },
      ]
    : (question.options ?? [])
  const { given } = question
  const [chosen, choose] = useState<string | null>(given === undefined || given === null ? null : String(given))
  const answerOf = (id: string) => (isYesNo ? id === 'true' : id)
  useLayoutEffect(() => {
    onRead(chosen === null ? { fault: words.faults.choose } : { value: answerOf(chosen) })
  }, [chosen, words])
  return (
    <>
      {onTake && <p class="hint">{words.field.atOnce}</p>}
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
            {...(onTake && { onTake: () => onTake(answerOf(id)) })}
          />
        ))}
      </div>
    </>
  )
}
