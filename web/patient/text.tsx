import { Callable } from '../ui/call.tsx'
import { useJourney } from './context.ts'

/** A text of the service: numbers of help in it can be called. The emergency number is in the bar of every page. */
export function Text({ text }: { text: string }) {
  const { state } = useJourney()
  const { helpNumbers = [], emergencyNumber } = state.configuration ?? {}
  return <Callable text={text} numbers={helpNumbers.filter((number) => number !== emergencyNumber)} />
}
