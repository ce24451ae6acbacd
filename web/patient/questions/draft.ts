import { useState } from 'preact/hooks'
import type { Value } from '../api.ts'
import { useJourney } from '../context.ts'

/** Own words that are being written. If they answer the current question, the tab keeps them until they are sent. */
export function useDraft(
  question: string,
  given: Value | undefined,
  isAsked: boolean,
): readonly [text: string, write: (text: string) => void] {
  const { journey } = useJourney()
  const before = typeof given === 'string' ? given : ''
  const [text, setText] = useState(() => (isAsked ? journey.draft(question) : undefined) ?? before)
  const write = (next: string) => {
    setText(next)
    if (isAsked) journey.keepDraft(question, next === before ? undefined : next)
  }
  return [text, write]
}
