import type { QuestionView, SessionView, Value } from '../api.ts'
import type { Words } from '../words/words.ts'

/** What a control holds at this moment: a value, or what is missing, in words for the user. */
export type Reading =
  | { value: Value; label?: string }
  | { fault: string /** Nothing was written, which is no fault where it may be left out. */; isEmpty?: true }

export type ControlProps = {
  question: QuestionView
  words: Words
  /** Told at every change; the form asks nobody else. */
  onRead: (reading: Reading) => void
  /** Ids of the texts that describe the control. */
  describedBy: string
  labelledBy: string
  isInvalid: boolean
  /** There is nothing else on the screen: choosing one answer goes on with it. */
  onTake?: ((value: Value) => void) | undefined
  /** The session around the question; none in the emergency check of the closed page. */
  view: SessionView | null
}
