import { useLayoutEffect, useState } from 'preact/hooks'
import { OptionRow } from '../../ui/option-row.tsx'
import type { ControlProps } from './control.ts'

/** Several of several. An option that excludes all others is set apart, and choosing it clears them. */
export function Many({ question, words, onRead }: ControlProps) {
  const options = question.options ?? []
  const { given } = question
  const [chosen, choose] = useState<readonly string[]>(
    Array.isArray(given) ? given.filter((id) => options.some((option) => option.id === id)) : [],
  )
  useLayoutEffect(() => {
    onRead(chosen.length > 0 ? { value: chosen } : { fault: words.faults.choose })
  }, [chosen, words])

  const excluding = new Set(options.filter(({ exclusive }) => exclusive).map(({ id }) => id))
  const toggle = (id: string, isOn: boolean) => {
    if (!isOn) choose(chosen.filter((other) => other !== id))
    else if (excluding.has(id)) choose([id])
    else choose([...chosen.filter((other) => !excluding.has(other)), id])
  }
  const rows = (isExclusive: boolean) =>
    options
      .filter(({ id }) => excluding.has(id) === isExclusive)
      .map(({ id, label }) => (
        <OptionRow
          key={id}
          kind="checkbox"
          name={question.id}
          value={id}
          label={label}
          checked={chosen.includes(id)}
          onChange={(isOn) => toggle(id, isOn)}
        />
      ))
  return (
    <>
      <p class="hint">{words.field.choices}</p>
      <div class="rows">{rows(false)}</div>
      {excluding.size > 0 && <div class="rows apart">{rows(true)}</div>}
    </>
  )
}
