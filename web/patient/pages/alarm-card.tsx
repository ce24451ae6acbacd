import { CallButton } from '../../ui/call.tsx'
import { Icon } from '../../ui/icons.tsx'
import type { Card } from '../api.ts'
import { useJourney } from '../context.ts'
import { useFocusOn } from '../focus.ts'
import { cardMark } from '../state.ts'
import { cardLabel } from '../whom.ts'
import { FirstSteps, Meaning, ToldUs } from './told.tsx'

type Props = {
  card: Card
  isBusy: boolean
  onGoOn?: () => void
  onStop?: () => void
  /** An answer behind the card was given by mistake. */
  onMistake?: () => void
  /** Leaves the card where nothing follows it. */
  onBack?: () => void
}

/** Danger: the first thing seen and read. Calling is the one large button; the rest is below it. */
export function AlarmCard({ card, isBusy, onGoOn, onStop, onMistake, onBack }: Props) {
  const { journey, state, words } = useJourney()
  const { alarm } = words
  const box = useFocusOn<HTMLDivElement>(cardMark(card))
  const number = card.callNumber ?? journey.facts.emergencyNumber
  const emergency = journey.facts.emergencyNumber
  return (
    <div
      class="alarm tone-emergency"
      role="alertdialog"
      aria-labelledby="alarm-title"
      aria-describedby="alarm-text alarm-told"
      tabIndex={-1}
      ref={box}
      data-top
    >
      <span class="alarm-sign">
        <Icon name="alarm" size={32} />
      </span>
      <h1 class="question" id="alarm-title">
        {card.title}
      </h1>
      <p id="alarm-text">{card.text}</p>
      <CallButton number={number} label={cardLabel(number, state.configuration, words)} />
      {number !== emergency && <CallButton outlined number={emergency} label={alarm.orEmergency(emergency)} />}
      <FirstSteps say={card.say} firstActions={card.firstActions} />
      <ToldUs because={card.because} id="alarm-told" />
      <Meaning title={alarm.meaning} reasons={card.reasons} />
      {onGoOn && (
        <div class="alarm-choices">
          <button type="button" class="secondary" aria-disabled={isBusy} onClick={onGoOn}>
            {alarm.goOn}
          </button>
          <p class="hint">{alarm.goOnHint}</p>
          {onStop && (
            <>
              <button type="button" class="secondary" aria-disabled={isBusy} onClick={onStop}>
                {alarm.stop}
              </button>
              <p class="hint">{alarm.stopHint(state.configuration?.name ?? '')}</p>
            </>
          )}
          {onMistake && (
            <button type="button" class="quiet" aria-disabled={isBusy} onClick={onMistake}>
              {alarm.mistake}
            </button>
          )}
        </div>
      )}
      {onBack && (
        <div class="alarm-choices">
          <button type="button" class="secondary" onClick={onBack}>
            {words.chat.back}
          </button>
        </div>
      )}
    </div>
  )
}
