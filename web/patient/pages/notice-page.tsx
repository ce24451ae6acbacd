import { CallButton } from '../../ui/call.tsx'
import { useJourney } from '../context.ts'
import { useFocusOn } from '../focus.ts'
import type { NoticeKind } from '../words/words.ts'

const CAN_RELOAD: readonly NoticeKind[] = ['unavailable', 'broken', 'replaced']
const CAN_START: readonly NoticeKind[] = ['expired', 'signedOut']

/** A page that says what is the matter, what to do, and whom to call. */
export function NoticePage({ kind }: { kind: NoticeKind }) {
  const { journey, state, words } = useJourney()
  const heading = useFocusOn<HTMLHeadingElement>(kind)
  const number = journey.facts.emergencyNumber
  const clinic = journey.facts.clinicPhone
  const isOpen = state.configuration?.type === 'OPEN'
  const [title, text] = words.notices[kind === 'expired' && !isOpen ? 'expiredInvited' : kind]
  return (
    <main class="page notice-page">
      <h1 class="title" tabIndex={-1} ref={heading}>
        {title}
      </h1>
      <p class="lead">{text}</p>
      {CAN_RELOAD.includes(kind) && (
        <button type="button" class="primary" onClick={() => location.reload()}>
          {kind === 'unavailable' ? words.tryAgain : words.reload}
        </button>
      )}
      {CAN_START.includes(kind) && isOpen && (
        <a class="primary" href={`/t/${journey.facts.slug}`}>
          {words.startAnew}
        </a>
      )}
      <section class="urgent">
        <p>{words.emergencyLine}</p>
        <CallButton outlined={kind === 'signedOut'} number={number} label={words.call(number)} />
        {clinic && <CallButton calm number={clinic} label={words.callClinic(clinic)} />}
      </section>
    </main>
  )
}
