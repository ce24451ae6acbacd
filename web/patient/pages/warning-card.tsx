import { CallButton } from '../../ui/call.tsx'
import { Icon } from '../../ui/icons.tsx'
import type { Card } from '../api.ts'
import { useJourney } from '../context.ts'
import { useFocusOn } from '../focus.ts'
import { cardMark } from '../state.ts'
import { Meaning, ToldUs } from './told.tsx'

/** Care is needed within hours: said once, clearly, then the questions continue. */
export function WarningCard({ card, onGoOn }: { card: Card; onGoOn: () => void }) {
  const { words } = useJourney()
  const box = useFocusOn<HTMLElement>(cardMark(card))
  return (
    <section class="warning tone-warning" aria-labelledby="warning-title" tabIndex={-1} ref={box} data-top>
      <span class="alarm-sign">
        <Icon name="warning" size={32} />
      </span>
      <h1 class="question" id="warning-title">
        {card.title}
      </h1>
      <p>{card.text}</p>
      <ToldUs because={card.because} />
      <Meaning title={words.alarm.meaning} reasons={card.reasons} />
      {card.callNumber && <CallButton outlined number={card.callNumber} label={words.callClinic(card.callNumber)} />}
      <button type="button" class="primary" onClick={onGoOn}>
        {words.warning.goOn}
      </button>
    </section>
  )
}
