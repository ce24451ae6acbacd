import { Callable } from '../ui/call.tsx'
import { useJourney } from './context.ts'

/** A text of the service: numbers of help in it can be called. */
export function Text({ text }: { text: string }) {
  const { state } = useJourney()
  return <Callable text={text} numbers={state.configuration?.helpNumbers ?? []} />
}
