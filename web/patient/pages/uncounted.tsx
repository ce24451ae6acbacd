import type { ComponentChildren } from 'preact'
import { Callable } from '../../ui/call.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { LedgerEntry } from '../api.ts'
import { useJourney } from '../context.ts'
import { rowName } from '../ledger.tsx'
import { isTicked, rowWith, type Told } from '../uncounted.ts'

type Props = {
  told: readonly Told[]
  /** Where the answers can be given again. */
  ledger: readonly LedgerEntry[]
  before?: string | undefined
  children: ComponentChildren
}

/** What was answered here and did not count, with the way to answer it after all; for a danger with the number to call. */
export function Uncounted({ told, ledger, before, children }: Props) {
  const { journey, state, words } = useJourney()
  const number = journey.facts.emergencyNumber
  const rows = new Set(told.flatMap(({ question }) => rowWith(ledger, question) ?? []))
  return (
    <Notice tone="warning">
      <p>
        {before} {words.chat.uncounted(told.length)}
      </p>
      <ul>
        {told.map(({ question, text }) => (
          <li key={question}>{text}</li>
        ))}
      </ul>
      <p>{children}</p>
      {told.some(isTicked) && (
        <p>
          <Callable text={words.alarm.ifTrue(number)} numbers={[number]} />
        </p>
      )}
      {[...rows].map((row) => (
        <button
          key={row.question}
          type="button"
          class="secondary"
          data-again={row.question}
          aria-label={words.chat.changeOf(rowName(row))}
          aria-disabled={state.sending !== null}
          onClick={() => void journey.edit(row.question, told)}
        >
          {words.chat.changeOf(row.text)}
        </button>
      ))}
    </Notice>
  )
}
