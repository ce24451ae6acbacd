import { useId, useLayoutEffect, useState } from 'preact/hooks'
import { Icon } from '../../ui/icons.tsx'
import { OptionRow } from '../../ui/option-row.tsx'
import type { QuestionView, Value } from '../api.ts'
import type { Words } from '../words/words.ts'
import type { Reading } from './control.ts'
import { Term } from './term.tsx'

type Props = {
  signs: readonly QuestionView[]
  words: Words
  labelledBy: string
  fault: string | null
  onRead: (question: string, reading: Reading) => void
  /** Called when "none of these" is chosen and nothing else: the answer to all of them. */
  onNone: (() => void) | undefined
}

const NONE = 'none'

/** Signs as a list: a tick is true, a question mark is not sure, and empty is not present. */
export function SignList({ signs, words, labelledBy, fault, onRead, onNone }: Props) {
  const [said, say] = useState<Readonly<Record<string, Value>>>(() => givenOf(signs))
  const isNone = said[NONE] === true
  const hintId = useId()
  const marked = signs.filter(({ id }) => said[id] !== undefined)
  useLayoutEffect(() => {
    for (const { id } of signs)
      onRead(
        id,
        isNone || marked.length > 0
          ? { value: said[id] ?? (id in said ? null : false) }
          : { fault: words.faults.choose },
      )
  }, [said, words])
  const mark = (id: string, value: Value | undefined) => {
    const { [id]: _, [NONE]: __, ...others } = said
    say(value === undefined ? others : { ...others, [id]: value })
  }
  const chooseNone = (isOn: boolean) => {
    say(isOn ? { [NONE]: true } : {})
    if (isOn && marked.length === 0) onNone?.()
  }
  return (
    <fieldset class="question-field signs" aria-labelledby={labelledBy} aria-describedby={hintId}>
      <p class="hint" id={hintId}>
        {words.field.signs}
      </p>
      <div role="alert">
        {fault && (
          <p class="fault">
            <Icon name="warning" size={20} />
            {fault}
          </p>
        )}
      </div>
      <div class="control">
        <ul class="rows sign-rows">
          {signs.map((sign) => {
            const { id, text } = sign
            return (
              <li key={id} data-question={id} data-kind="sign">
                <OptionRow
                  kind="checkbox"
                  name={id}
                  value="true"
                  label={text}
                  {...(said[id] === null && { note: words.field.notSure })}
                  checked={said[id] === true}
                  onChange={(isOn) => mark(id, isOn ? true : undefined)}
                />
                <button
                  type="button"
                  class="sign-unsure"
                  aria-pressed={said[id] === null}
                  aria-label={words.field.notSureOf(text)}
                  title={words.field.notSure}
                  onClick={() => mark(id, said[id] === null ? undefined : null)}
                >
                  ?
                </button>
                <Term summary={words.field.term} sign={sign} />
              </li>
            )
          })}
        </ul>
        <div class="rows apart">
          <OptionRow
            kind="checkbox"
            name={NONE}
            value={NONE}
            label={words.field.noneOfThese}
            checked={isNone}
            onChange={chooseNone}
          />
        </div>
      </div>
    </fieldset>
  )
}

/** The earlier answers: "none of these" when all of them were no. */
function givenOf(signs: readonly QuestionView[]): Readonly<Record<string, Value>> {
  const answered = signs.filter(({ given }) => given !== undefined)
  const marked = answered.filter(({ given }) => given !== false)
  if (answered.length > 0 && marked.length === 0) return { [NONE]: true }
  return Object.fromEntries(marked.map(({ id, given }) => [id, given ?? null]))
}
