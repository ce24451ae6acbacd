import { Callable } from '../ui/call.tsx'
import { useJourney } from './context.ts'

/** A text of the service: lines of help in it, which no button calls, can be called. */
export function Text({ text }: { text: string }) {
  const { state } = useJourney()
  return <Callable text={text} numbers={state.configuration?.helpLines ?? []} />
}
