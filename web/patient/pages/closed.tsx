import { useEffect, useState } from 'preact/hooks'
import { CallButton } from '../../ui/call.tsx'
import { Notice } from '../../ui/notice.tsx'
import { type EmergencyCheck, type Gate, type Given, Refused } from '../api.ts'
import { useJourney } from '../context.ts'
import { useFocusOn } from '../focus.ts'
import { openingText } from '../opening.ts'
import { ScreenForm } from '../questions/screen-form.tsx'
import { whomToCall } from '../whom.ts'
import { AlarmCard } from './alarm-card.tsx'
import { Statements } from './statements.tsx'

/** Closed: why, when it opens again, and what to do when it cannot wait. */
export function Closed({ gate }: { gate: Gate }) {
  const { journey, state, words } = useJourney()
  const { closed } = words
  const name = state.configuration?.name ?? ''
  const heading = useFocusOn<HTMLHeadingElement>('closed')
  const [isChecking, check] = useState(false)
  const why = !gate.active
    ? closed.inactive(name)
    : gate.closedReason === 'OutsideMonitoredHours'
      ? closed.hours(name)
      : gate.closedReason === 'CapLimitReached'
        ? closed.cap(name)
        : closed.other(name)
  const message = state.configuration?.closedMessage?.[state.language]
  const whom = whomToCall(state.configuration, words)
  const opens = gate.opensAt ? openingText(gate.opensAt, gate.timeZone, words) : null
  const { lookedAt, look } = useLooks(gate, isChecking)
  if (isChecking)
    return (
      <main class="page chat">
        <Check opens={opens} onDone={() => check(false)} />
      </main>
    )
  return (
    <main class="page closed">
      <h1 class="title" tabIndex={-1} ref={heading}>
        {closed.title}
      </h1>
      <p class="lead">{why}</p>
      {message && <p class="lead">{message}</p>}
      {opens && <p class="lead strong">{opens}</p>}
      <div class="look-again">
        <button type="button" class="quiet" onClick={() => void look(true)}>
          {closed.lookAgain}
        </button>
        <p class="hint" role="status">
          {lookedAt && closed.stillClosed(lookedAt.toLocaleTimeString(words.locale, { timeStyle: 'medium' }))}
        </p>
      </div>
      <section class="urgent">
        <h2>{closed.urgent}</h2>
        <p>{words.emergencyLine}</p>
        <CallButton number={journey.facts.emergencyNumber} label={words.call(journey.facts.emergencyNumber)} />
        {whom && <CallButton outlined {...whom} />}
        <p>{closed.urgentText}</p>
        <button type="button" class="secondary" onClick={() => check(true)}>
          {closed.startCheck}
        </button>
      </section>
      <Statements />
    </main>
  )
}

/** Clocks differ, and an opening can move: when it should be open and is not, it is checked again after this long. */
const AGAIN_MS = 30_000
const LONGEST_TIMER_MS = 3_600_000

/**
 * Checks whether it has opened: at the promised moment, when the page comes into view again, and on request. Never
 * during the emergency check, which must not vanish under someone's hands.
 */
function useLooks(gate: Gate, isChecking: boolean) {
  const { journey } = useJourney()
  const [lookedAt, setLookedAt] = useState<Date | null>(null)
  const look = async (isAsked: boolean) => {
    const isOpen = await journey.lookAgain()
    if (isAsked && !isOpen) setLookedAt(new Date())
  }
  useEffect(() => {
    if (isChecking) return
    const onSight = () => {
      if (document.visibilityState === 'visible') void look(false)
    }
    document.addEventListener('visibilitychange', onSight)
    return () => document.removeEventListener('visibilitychange', onSight)
  }, [isChecking])
  useEffect(() => {
    if (isChecking || !gate.opensAt) return
    // Spreads out the users who wait for the same opening.
    const spread = Math.random() * 3_000
    const left = new Date(gate.opensAt).getTime() - Date.now()
    const wait = Math.min(left > 0 ? left : AGAIN_MS, LONGEST_TIMER_MS) + spread
    const timer = setTimeout(() => void look(false), wait)
    return () => clearTimeout(timer)
  }, [gate, isChecking])
  return { lookedAt, look }
}

/** The short emergency check: the answers exist in this page only and are sent with every request. */
function Check({ opens, onDone }: { opens: string | null; onDone: () => void }) {
  const { journey, state, words } = useJourney()
  const { closed } = words
  /** What was answered, screen by screen. */
  const [screens, setScreens] = useState<readonly (readonly Given[])[]>([])
  const [now, setNow] = useState<EmergencyCheck | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const heading = useFocusOn<HTMLHeadingElement>(now && now.questions.length === 0 && !now.alarm ? 'done' : 'asking')

  const ask = async (given: readonly (readonly Given[])[]) => {
    setBusy(true)
    setFault(null)
    try {
      const body = { language: state.language, answers: given.flat() }
      const path = `/configurations/${journey.facts.slug}/emergency-check`
      setNow(await journey.patience.untilAnswered(() => journey.call<EmergencyCheck>('POST', path, body)))
      setScreens(given)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      setFault(words.faults.refused)
    } finally {
      setBusy(false)
    }
  }
  if (!now) {
    if (!isBusy && !fault) void ask([])
    return <p class="hint">{fault ?? words.chat.saving}</p>
  }
  if (now.alarm) return <AlarmCard card={now.alarm} isBusy={false} onBack={onDone} />
  const number = journey.facts.emergencyNumber
  const whom = whomToCall(state.configuration, words)
  if (now.questions.length === 0)
    return (
      <div class="check-done">
        <h1 class="question" tabIndex={-1} ref={heading}>
          {closed.checkDone}
        </h1>
        <Notice tone="care">
          <p>{closed.checkDoneText(number, whom?.number ?? null)}</p>
        </Notice>
        <p>
          {opens} {closed.comeBack}
        </p>
        {whom && <CallButton calm {...whom} />}
        <CallButton outlined number={number} label={words.call(number)} />
        <button type="button" class="secondary" onClick={onDone}>
          {words.chat.back}
        </button>
      </div>
    )
  const { questions, title } = now
  return (
    <ScreenForm
      key={questions[0]?.id}
      questions={questions}
      title={title}
      words={words}
      view={null}
      eyebrow={<p class="eyebrow">{closed.step(screens.length + 1)}</p>}
      submitLabel={words.chat.next}
      goesOnAtOnce
      isBusy={isBusy}
      refusal={fault}
      onSubmit={(given) => void ask([...screens, given])}
    >
      <button
        type="button"
        class="quiet"
        onClick={() => (screens.length === 0 ? onDone() : void ask(screens.slice(0, -1)))}
      >
        {words.chat.back}
      </button>
    </ScreenForm>
  )
}
