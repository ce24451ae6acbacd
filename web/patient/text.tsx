import { Callable } from '../ui/call.tsx'
import { useJourney } from './context.ts'

/** A text of the service: numbers of help in it can be called where no button on the page calls them. */
export function Text({ text }: { text: string }) {
  const { state } = useJourney()
  const { helpNumbers = [], emergencyNumber, clinicPhone, adviceNumber } = state.configuration ?? {}
  const onButtons = [emergencyNumber, clinicPhone, adviceNumber]
  return <Callable text={text} numbers={helpNumbers.filter((number) => !onButtons.includes(number))} />
}
