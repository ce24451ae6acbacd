import type { QuestionView, SessionView, Value } from '../api.ts'
import type { Words } from '../words/words.ts'

/** What a control holds now: a value, or what is missing, in words for the user. */
export type Reading =
  | { value: Value; label?: string }
  | { fault: string /** Empty, which is no fault where the answer is optional. */; isEmpty?: true }

export type ControlProps = {
  question: QuestionView
  words: Words
  /** Called at every change; the form has no other source. */
  onRead: (reading: Reading) => void
  /** Ids of the texts that describe the control. */
  describedBy: string
  labelledBy: string
  isInvalid: boolean
  /** Set when nothing else is on the screen: choosing an answer continues. */
  onTake?: ((value: Value) => void) | undefined
  /** The session around the question; none in the emergency check of the closed page. */
  view: SessionView | null
}
