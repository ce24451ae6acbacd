import { CallButton } from '../../ui/call.tsx'
import { Icon, type IconName } from '../../ui/icons.tsx'
import { Notice, type Tone } from '../../ui/notice.tsx'
import type { OutcomeView, SessionView } from '../api.ts'
import { useJourney } from '../context.ts'
import { useFocusOn } from '../focus.ts'
import { isCallingNow, isEmergency, meaningTitle, referenceOf, type Told } from '../result-text.ts'
import { Text } from '../text.tsx'
import { whomToCall } from '../whom.ts'
import { KeepResult } from './keep-result.tsx'
import { FirstSteps, Meaning } from './told.tsx'
import { Uncounted } from './uncounted.tsx'

type Level = OutcomeView['level']

const TONES: Record<NonNullable<Level>, Tone> = {
  Level1: 'emergency',
  Level2: 'emergency',
  Level3: 'emergency',
  Level4: 'warning',
  Level5: 'care',
  Level6: 'care',
  Level7: 'care',
  Level8: 'selfcare',
}
const SIGNS: Record<Tone, IconName> = {
  emergency: 'alarm',
  warning: 'warning',
  care: 'clock',
  selfcare: 'home',
  quiet: 'letter',
}

/** What to do and how soon, first: in an emergency with whom to call, what to say and the first actions. Then why, what happens next, what helps, and when to come sooner. */
export function Result({ view, outcome }: { view: SessionView; outcome: OutcomeView }) {
  const { journey, state, words } = useJourney()
  const { result } = words
  const name = state.configuration?.name ?? ''
  const tone = outcome.level ? TONES[outcome.level] : 'quiet'
  const heading = useFocusOn<HTMLHeadingElement>('result')
  const clinic = state.configuration?.clinicPhone ?? null
  const whom = whomToCall(state.configuration, words)
  const told: Told = { view, outcome, words, name, whom, emergency: journey.facts.emergencyNumber }
  const notice = outcome.reviewNotice && (
    <Notice tone="warning">
      <p>{words.notReviewed}</p>
    </Notice>
  )
  return (
    <main class="page result">
      <section class={`verdict tone-${tone}`} data-top>
        <span class="alarm-sign">
          <Icon name={SIGNS[tone]} size={32} />
        </span>
        <h1 class="title" tabIndex={-1} ref={heading}>
          {outcome.title}
        </h1>
        <p class="lead">{outcome.text}</p>
        <Numbers level={outcome.level} />
        <FirstSteps say={outcome.say} firstActions={outcome.firstActions} />
      </section>
      {!isEmergency(outcome) && notice}
      {state.said?.kind === 'uncounted' && (
        <Uncounted told={state.said.told} ledger={[]}>
          {result.tell}
        </Uncounted>
      )}
      <List title={result.because} items={outcome.because} />
      <Meaning title={meaningTitle(outcome, words)} reasons={outcome.reasons} />
      <section>
        <h2>{result.next}</h2>
        {outcome.next.map((step) => (
          <p key={step}>
            <Text text={step} />
          </p>
        ))}
        {whom && (clinic || !view.reachable) && !isCallingNow(outcome) && <CallButton calm {...whom} />}
      </section>
      <List title={result.advice} items={outcome.advice} />
      <List title={isEmergency(outcome) ? result.until : result.sooner} items={outcome.safetyNet} isSerious />
      <section class="reference">
        <h2>{result.reference}</h2>
        <p class="reference-code">{referenceOf(view.sessionId)}</p>
        <p class="hint">{result.referenceHint}</p>
      </section>
      {isEmergency(outcome) && notice}
      <div class="leaving">
        <KeepResult told={told} />
        {view.returnUrl && (
          <a class="primary" href={view.returnUrl}>
            {result.backTo(new URL(view.returnUrl).host)}
          </a>
        )}
        {journey.facts.isFramed && (
          <button type="button" class="primary" onClick={() => journey.close()}>
            {result.close}
          </button>
        )}
        <button
          type="button"
          class="secondary"
          aria-disabled={state.sending !== null}
          onClick={() => void journey.signOut()}
        >
          <Icon name="leave" />
          {result.signOut}
        </button>
        <p class="hint">{result.signOutHint}</p>
        {state.configuration?.type === 'OPEN' && (
          <>
            <button type="button" class="quiet" onClick={() => journey.beginAnew()}>
              {result.another}
            </button>
            <p class="hint">{result.anotherHint}</p>
          </>
        )}
      </div>
    </main>
  )
}

/** Whom to call, for those who must call. */
function Numbers({ level }: { level: Level }) {
  const { journey, state, words } = useJourney()
  const emergency = journey.facts.emergencyNumber
  const whom = whomToCall(state.configuration, words)
  if (level === 'Level1' || level === 'Level2') return <CallButton number={emergency} label={words.call(emergency)} />
  if (level === 'Level3' || level === 'Level4')
    return (
      <>
        {whom && <CallButton {...whom} />}
        {level === 'Level3' && (
          <CallButton
            outlined={whom !== null}
            number={emergency}
            label={whom ? words.alarm.orEmergency(emergency) : words.call(emergency)}
          />
        )}
      </>
    )
  return null
}

function List({ title, items, isSerious = false }: { title: string; items: readonly string[]; isSerious?: boolean }) {
  if (items.length === 0) return null
  return (
    <section class={isSerious ? 'sooner' : undefined}>
      <h2>{title}</h2>
      <ul class="points plain-points">
        {items.map((item) => (
          <li key={item}>
            <Text text={item} />
          </li>
        ))}
      </ul>
    </section>
  )
}
