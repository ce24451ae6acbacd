import { CallButton } from '../../ui/call.tsx'
import { Icon } from '../../ui/icons.tsx'
import type { Card, SessionView } from '../api.ts'
import { useJourney } from '../context.ts'

/** What was read on cards stays in view, with its numbers, while the questions continue. */
export function Strips({ view: { alarm, warning } }: { view: SessionView }) {
  const { journey, state, words } = useJourney()
  const number = alarm?.callNumber ?? journey.facts.emergencyNumber
  const texts = [alarm, warning].flatMap(textsOf)
  const line = state.configuration?.helpLines.find((one) => texts.some((text) => text.includes(one)))
  return (
    <>
      {alarm && (
        <div class="strip alarm-strip tone-emergency">
          <Icon name="alarm" />
          <span>{words.alarm.strip}</span>
          <CallButton number={number} label={words.call(number)} />
        </div>
      )}
      {line !== undefined && (
        <div class="strip line-strip tone-care">
          <Icon name="phone" />
          <span>{words.alarm.line}</span>
          <CallButton calm number={line} label={words.call(line)} />
        </div>
      )}
    </>
  )
}

const textsOf = (card: Card | null): readonly string[] =>
  card ? [card.text, card.say ?? '', ...card.firstActions, ...card.reasons] : []
