import { Icon, type IconName } from '../../ui/icons.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { SessionView } from '../api.ts'
import { useJourney } from '../context.ts'
import { useFocusOn } from '../focus.ts'
import { LanguageRow } from '../frame.tsx'
import { Lighthouse } from '../lighthouse.tsx'
import type { NotBegun } from '../page.ts'
import { useSlow } from '../slow.ts'
import { Statements } from './statements.tsx'

type Props = { begun: SessionView | null; fault: NotBegun | null; isAnew: boolean }

/** The front page: whose service it is, what it does, what happens to the answers. Nothing begins before the button. */
export function Welcome({ begun, fault, isAnew }: Props) {
  const { journey, state, words } = useJourney()
  const { welcome } = words
  const name = state.configuration?.name ?? ''
  const heading = useFocusOn<HTMLHeadingElement>('anew', isAnew)
  const isBusy = state.sending === 'enter'
  const isSlow = useSlow(isBusy)
  const wayBack = begun?.status === 'Ended' ? welcome.seeResult : welcome.goOn
  const canStart = journey.facts.entrance === 't' && state.configuration?.gate.open === true
  return (
    <>
      <Lighthouse />
      <main class="page welcome">
        <h1 class="title" tabIndex={-1} ref={heading}>
          {welcome.title}
        </h1>
        <p class="lead">{welcome.lead(name)}</p>
        {begun && !isAnew && (
          <section class="begun">
            <p class="hint">{begun.status === 'Ended' ? welcome.ended : welcome.begun}</p>
            <button type="button" class="primary" onClick={() => journey.goOn(begun)}>
              {wayBack}
            </button>
            {canStart && (
              <button type="button" class="secondary" onClick={() => journey.beginAnew()}>
                {welcome.startNew}
              </button>
            )}
          </section>
        )}
        <LanguageRow />
        {state.configuration?.reviewed === false && (
          <Notice tone="warning">
            <p>{words.notReviewed}</p>
          </Notice>
        )}
        <ul class="points">
          <Point icon="clock">{welcome.time}</Point>
          <Point icon="people">{welcome.forWhom}</Point>
          <Point icon="info">{welcome.not}</Point>
          <Point icon="phone">{welcome.notNow(journey.facts.emergencyNumber)}</Point>
        </ul>
        <section class="consent">
          <h2>
            <Icon name="lock" size={20} />
            {welcome.consentTitle}
          </h2>
          {welcome.consent(name).map((text) => (
            <p key={text}>{text}</p>
          ))}
          <Statements />
        </section>
        {(!begun || isAnew) && (
          <div class="actions">
            <div role="alert">
              {fault && (
                <p class="fault">
                  <Icon name="warning" size={20} />
                  {fault === 'failed' ? welcome.startFailed : welcome[fault]}
                </p>
              )}
            </div>
            <p class="hint">{welcome.agree}</p>
            {begun && <p class="hint">{welcome.anew}</p>}
            <button type="button" class="primary" aria-disabled={isBusy} onClick={() => journey.start()}>
              {isSlow ? welcome.starting : welcome.start}
            </button>
            {begun && (
              <div class="actions-quiet">
                <button type="button" class="quiet" aria-disabled={isBusy} onClick={() => journey.goOn(begun)}>
                  {wayBack}
                </button>
              </div>
            )}
          </div>
        )}
      </main>
    </>
  )
}

function Point({ icon, children }: { icon: IconName; children: string }) {
  return (
    <li>
      <Icon name={icon} />
      <span>{children}</span>
    </li>
  )
}
