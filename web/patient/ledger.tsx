import { useState } from 'preact/hooks'
import { Disclosure } from '../ui/disclosure.tsx'
import type { LedgerEntry, SessionView } from './api.ts'
import { useJourney } from './context.ts'
import { useFocusOn } from './focus.ts'
import { SaidNotice } from './pages/said-notice.tsx'
import { KINDS } from './questions/kinds.tsx'
import { ScreenForm } from './questions/screen-form.tsx'
import type { Words } from './words/words.ts'

const SHOWN_AT_REST = 2

/** The earlier answers, folded above the question. Each can be changed in place. */
export function Ledger({ view }: { view: SessionView }) {
  const { state, words } = useJourney()
  const [isOpen, open] = useState(false)
  const { ledger } = view
  if (ledger.length === 0) return null
  const editedId = state.editing?.id
  const shown = isOpen || editedId ? ledger : ledger.slice(-SHOWN_AT_REST)
  return (
    <section class="ledger" aria-label={words.chat.answers}>
      {ledger.length > SHOWN_AT_REST && !editedId && (
        <button type="button" class="plain" aria-expanded={isOpen} onClick={() => open(!isOpen)}>
          {isOpen ? words.chat.showFewer : words.chat.showAll(ledger.length)}
        </button>
      )}
      <LedgerRows entries={shown} view={view} level="h1" />
    </section>
  )
}

type RowsProps = {
  entries: readonly LedgerEntry[]
  view: SessionView
  level: 'h1' | 'h2'
  /** At the review: what was denied can be read, and what a change did is said, and read, in the row where it was made. */
  inFull?: boolean
}

export function LedgerRows({ entries, view, level, inFull = false }: RowsProps) {
  const { state } = useJourney()
  const { said } = state
  const changed = inFull && said?.kind === 'changed' ? said.row : null
  return (
    <ol class="ledger-rows">
      {entries.map((entry) => (
        <li key={entry.question}>
          {state.editing?.id === entry.question ? (
            <EditInPlace view={view} level={level} />
          ) : (
            <LedgerRow entry={entry} inFull={inFull} />
          )}
          {changed === entry.question && <ChangedHere />}
        </li>
      ))}
    </ol>
  )
}

/** Takes the focus: the form that had it is gone. */
function ChangedHere() {
  const { state } = useJourney()
  const box = useFocusOn<HTMLDivElement>(state.said)
  return (
    <div tabIndex={-1} ref={box} data-top>
      <SaidNotice />
    </div>
  )
}

function LedgerRow({ entry, inFull }: { entry: LedgerEntry; inFull: boolean }) {
  const { journey, state, words } = useJourney()
  const { signs = [] } = entry
  const denied = signs.filter(({ value }) => value === false)
  return (
    <div class="ledger-row">
      <p>
        <span class="ledger-question">{entry.text}</span> <span class="ledger-answer">{answerText(entry, words)}</span>
      </p>
      <button
        type="button"
        class="plain"
        data-change={entry.question}
        aria-label={words.chat.changeOf(rowName(entry))}
        aria-disabled={state.sending !== null}
        onClick={() => journey.edit(entry.question)}
      >
        {words.chat.change}
      </button>
      {inFull && denied.length > 0 && (
        <Disclosure summary={words.chat.denied(denied.length)}>
          <ul>
            {denied.map(({ question, text }) => (
              <li key={question}>{text}</li>
            ))}
          </ul>
        </Disclosure>
      )}
    </div>
  )
}

/** The question again, with its answer in it, in its row. */
function EditInPlace({ view, level }: Pick<RowsProps, 'view' | 'level'>) {
  const { journey, state, words } = useJourney()
  const { editing, said } = state
  if (!editing) return null
  const keep = () => {
    journey.keep()
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-change="${editing.id}"]`)?.focus())
  }
  return (
    <div class="edit">
      <ScreenForm
        key={editing.id}
        questions={editing.questions}
        title={editing.title}
        words={words}
        view={view}
        level={level}
        submitLabel={words.chat.saveChange}
        isBusy={state.sending !== null}
        refusal={said?.kind === 'refused' ? words.faults.refused : null}
        onSubmit={(answers) => void journey.answer(answers)}
      >
        <button type="button" class="quiet" onClick={keep}>
          {words.chat.keep}
        </button>
      </ScreenForm>
    </div>
  )
}

/** Lists have the same heading: the first of its signs tells one from another. */
export const rowName = ({ text, signs = [] }: LedgerEntry): string => [text, signs[0]?.text].filter(Boolean).join(' ')

/** An answer in words. */
export const answerText = (entry: LedgerEntry, words: Words): string =>
  KINDS[entry.kind].told?.(entry, words) ?? (entry.answer || words.chat.unanswered)
