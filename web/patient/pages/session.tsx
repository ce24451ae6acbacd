import type { SessionView } from '../api.ts'
import { useJourney } from '../context.ts'
import { Ledger } from '../ledger.tsx'
import { ScreenForm } from '../questions/screen-form.tsx'
import { isUnread } from '../state.ts'
import type { Words } from '../words/words.ts'
import { AlarmCard } from './alarm-card.tsx'
import { Result } from './result.tsx'
import { Review } from './review.tsx'
import { SaidNotice } from './said-notice.tsx'
import { Strips } from './strips.tsx'
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

/** Where in the interview this is, by the name of its part, and how much there is to come; before the matter is known, nobody can count. */
export function progressText(view: SessionView, words: Words): string {
  const { step } = view
  if (step.kind !== 'ask') return ''
  const at = stageOf(view)
  const stage = words.chat.stage(at, words.chat.stages[at - 1] ?? '')
  return isMatterKnown(view) ? `${stage} · ${words.chat.left(step.progress.left)}` : stage
}

/** The part of the interview, from one to four. It never goes back: danger that is asked about later belongs to the part it is asked in. */
function stageOf(view: SessionView): number {
  if (isReview(view)) return 4
  const stages = view.ledger.map(({ stage }) => stage)
  if (view.step.kind === 'ask') stages.push(view.step.stage)
  const danger = stages.indexOf('emergency')
  // What own words told and was confirmed is of the details, but those begin after the danger.
  if (stages.at(-1) === 'chat' || (danger >= 0 && stages.includes('chat', danger))) return 3
  return danger >= 0 ? 2 : 1
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
        <Strips view={view} />
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
            onMark={(answers) => journey.mark(answers)}
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
