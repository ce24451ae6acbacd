import { Component, type ComponentChildren } from 'preact'
import { Announcer } from '../ui/announcer.tsx'
import { Callable, CallButton } from '../ui/call.tsx'
import { Icon } from '../ui/icons.tsx'
import { useJourney } from './context.ts'
import { Frame } from './frame.tsx'
import type { Page } from './page.ts'
import { Closed } from './pages/closed.tsx'
import { NoticePage } from './pages/notice-page.tsx'
import { isMatterKnown, isReview, progressText, Session } from './pages/session.tsx'
import { Takeover } from './pages/takeover.tsx'
import { Welcome } from './pages/welcome.tsx'

/** The whole page: its frame, the state of the connection, and the place where the user is. */
export function App() {
  const { state, words } = useJourney()
  const { place } = state
  return (
    <Frame reach={reachOf(place)}>
      <Announcer text={place.at === 'session' ? progressText(place.view, words) : ''} />
      <Connection />
      <Guard>
        <PlacePage place={place} />
      </Guard>
    </Frame>
  )
}

/** Progress: what is answered of what is known to be asked. */
function reachOf(place: Page): number {
  if (place.at !== 'session') return 0
  const { step, ledger } = place.view
  if (step.kind !== 'ask' || isReview(place.view)) return 1
  // Before the matter is known nobody can tell how much there is to ask: until then it counts as the first quarter.
  if (!isMatterKnown(place.view)) return (0.25 * ledger.length) / (ledger.length + step.progress.left)
  const answered = ledger.filter(({ stage }) => stage !== 'intake').length
  return 0.25 + (0.75 * answered) / (answered + step.progress.left)
}

function PlacePage({ place }: { place: Page }) {
  switch (place.at) {
    case 'loading':
      return <Loading />
    case 'welcome':
      return <Welcome begun={place.begun} fault={place.fault} isAnew={place.isAnew === true} />
    case 'takeover':
      return <Takeover refused={place.refused} />
    case 'session':
      return <Session view={place.view} />
    case 'closed':
      return <Closed gate={place.gate} />
    case 'notice':
      return <NoticePage kind={place.kind} />
  }
}

function Loading() {
  const { journey, words } = useJourney()
  const { emergencyNumber, clinicPhone } = journey.facts
  return (
    <main class="page static">
      <h1 class="static-danger">{words.emergencyLine}</h1>
      <CallButton number={emergencyNumber} label={words.call(emergencyNumber)} />
      {clinicPhone && <CallButton calm number={clinicPhone} label={words.callClinic(clinicPhone)} />}
    </main>
  )
}

/** Shown while the connection is down: what happens to the answer, whom to call about a danger, and a button to retry at once. */
function Connection() {
  const { journey, state, words } = useJourney()
  const { waiting, sending, place } = state
  const { lost, lostIdle, busy, busyIdle } = words.connection
  const isAnswer = sending !== null && place.at === 'session'
  const text = waiting === 'busy' ? (isAnswer ? busy : busyIdle) : isAnswer ? lost : lostIdle
  const number = journey.facts.emergencyNumber
  return (
    <div role="status">
      {waiting && (
        <div class="connection">
          <Icon name="offline" />
          <span>
            {text}
            {(asksDanger(place) || journey.sendsTick) && (
              <strong>
                <Callable text={words.alarm.ifTrue(number)} numbers={[number]} />
              </strong>
            )}
          </span>
          <button type="button" class="plain" onClick={() => journey.patience.tryNow()}>
            {words.connection.tryNow}
          </button>
        </div>
      )}
    </div>
  )
}

/** Whether dangers are asked about now; on the closed page nothing else is. */
const asksDanger = (place: Page): boolean =>
  place.at === 'closed' ||
  (place.at === 'session' && place.view.step.kind === 'ask' && place.view.step.stage === 'emergency')

/** An error in our own page never leaves the user without words and a number. */
class Guard extends Component<{ children: ComponentChildren }, { isBroken: boolean }> {
  override state = { isBroken: false }

  static override getDerivedStateFromError() {
    return { isBroken: true }
  }

  render() {
    return this.state.isBroken ? <NoticePage kind="broken" /> : this.props.children
  }
}
