import { Notice } from '../../ui/notice.tsx'
import type { SessionView } from '../api.ts'
import { useJourney } from '../context.ts'
import { Ledger } from '../ledger.tsx'
import { ScreenForm } from '../questions/screen-form.tsx'
import { isUnread } from '../state.ts'
import type { Words } from '../words/words.ts'
import { AlarmCard, AlarmStrip } from './alarm-card.tsx'
import { Result } from './result.tsx'
import { Review } from './review.tsx'
import { WarningCard } from './warning-card.tsx'

/** A session: the one thing to do now, with an emergency card before everything else. */
export function Session({ view }: { view: SessionView }) {
  const { journey, state } = useJourney()
  const { alarm, warning, step } = view
  const isBusy = state.sending !== null
  if (step.kind === 'outcome') return <Result view={view} outcome={step.outcome} />
  if (alarm && isUnread(state, view, 'alarm'))
    return (
      <main class="page">
        <AlarmCard
          card={alarm}
          isBusy={isBusy}
          onGoOn={() => journey.putAside('alarm')}
          onStop={() => void journey.stop()}
          onMistake={() => void journey.correct()}
        />
      </main>
    )
  if (warning && isUnread(state, view, 'warning'))
    return (
      <main class="page">
        <WarningCard card={warning} onGoOn={() => journey.putAside('warning')} />
      </main>
    )
  if (isReview(view)) return <Review view={view} />
  return <Chat view={view} />
}

/** The last free-text question is part of the review: everything in view, and room for what was forgotten. */
export function isReview({ step }: SessionView): boolean {
  return (
    step.kind === 'review' ||
    (step.kind === 'ask' && step.progress.left <= 1 && step.questions.every(({ id }) => id === 'anything_else'))
  )
}

/** How much is left, as far as it is known: before the matter is, nobody can count. */
export function progressText(view: SessionView, words: Words): string {
  const { step, ledger } = view
  if (step.kind !== 'ask') return ''
  if (isMatterKnown(view)) return words.chat.left(step.progress.left)
  if (step.stage === 'emergency') return words.chat.safety
  return ledger.some(({ stage }) => stage === 'emergency') ? '' : words.chat.basics
}

export const isMatterKnown = ({ ledger }: SessionView): boolean =>
  ledger.some(({ question, value }) => question === 'complaints' || (question === 'issue_type' && value !== 'regular'))

function Chat({ view }: { view: SessionView }) {
  const { journey, state, words } = useJourney()
  if (view.step.kind !== 'ask') return null
  const { questions, title, note } = view.step
  const { editing, said, sending } = state
  return (
    <main class="page chat">
      <Ledger view={view} />
      <div class="now" data-now>
        {view.alarm && <AlarmStrip card={view.alarm} />}
        <SaidNotice />
        {!editing && (
          <ScreenForm
            key={questions.map(({ id }) => id).join(' ')}
            questions={questions}
            title={title}
            note={note}
            words={words}
            view={view}
            eyebrow={<p class="eyebrow">{progressText(view, words)}</p>}
            submitLabel={words.chat.next}
            goesOnAtOnce
            isBusy={sending !== null}
            refusal={said?.kind === 'refused' ? words.faults.refused : null}
            onSubmit={(answers) => void journey.answer(answers)}
          >
            {view.ledger.length > 0 && (
              <button type="button" class="quiet" aria-disabled={sending !== null} onClick={() => void journey.back()}>
                {words.chat.back}
              </button>
            )}
          </ScreenForm>
        )}
      </div>
    </main>
  )
}

/** The effect of the last change, said once. */
export function SaidNotice() {
  const { state, words } = useJourney()
  const { said } = state
  return (
    <div role="status">
      {said?.kind === 'elsewhere' && (
        <Notice tone="quiet">
          <p>{words.chat.elsewhere}</p>
        </Notice>
      )}
      {said?.kind === 'unsaved' && (
        <Notice tone="warning">
          <p>
            {said.elsewhere && words.chat.elsewhere} {words.chat.unsaved(said.question)} {words.chat.again}
          </p>
        </Notice>
      )}
      {said?.kind === 'changed' && (
        <Notice tone="quiet" icon="check">
          <p>
            {[words.chat.changed, said.more && words.chat.more, said.dropped.length > 0 && words.chat.dropped]
              .filter(Boolean)
              .join(' ')}
          </p>
          {said.dropped.length > 0 && (
            <ul>
              {said.dropped.map((text) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
          )}
        </Notice>
      )}
    </div>
  )
}
