import { useId, useState } from 'preact/hooks'
import { Disclosure } from '../../ui/disclosure.tsx'
import { Icon } from '../../ui/icons.tsx'
import type { QuestionView, SessionView, Value } from '../api.ts'
import { useFocusOn } from '../focus.ts'
import type { Words } from '../words/words.ts'
import type { Reading } from './control.ts'
import { KINDS } from './kinds.tsx'

type Props = {
  question: QuestionView
  words: Words
  view: SessionView | null
  heading: 'h1' | 'h2' | 'h3'
  takesFocus: boolean
  /** Shown beside the answer when it is missing or not accepted. */
  fault: string | null
  /** Several questions share the screen: then “I don’t know” belongs to each, and free text may stay empty. */
  isOneOfSeveral: boolean
  onRead: (reading: Reading) => void
  onTake: ((value: Value) => void) | undefined
}

/** One question with its control. */
export function QuestionField(props: Props) {
  const { question, words, view, heading: Heading, takesFocus, fault, isOneOfSeveral, onRead, onTake } = props
  const { control: Control, leaving } = KINDS[question.kind]
  const heading = useFocusOn<HTMLHeadingElement>(question.id, takesFocus)
  const id = useId()
  const canBeUnknown = isOneOfSeveral && question.dontKnow && leaving === 'dontKnow'
  const [isUnknown, setUnknown] = useState(canBeUnknown && question.given === null)
  const [reading, setReading] = useState<Reading | null>(null)
  const describedBy = [question.help && `${id}help`, fault && `${id}fault`].filter(Boolean).join(' ')
  const read = (next: Reading) => {
    setReading(next)
    const isLeftOut = isOneOfSeveral && question.dontKnow && leaving === 'skip' && 'isEmpty' in next
    onRead(isUnknown || isLeftOut ? { value: null } : next)
  }
  const toggleUnknown = () => {
    setUnknown(!isUnknown)
    onRead(isUnknown ? (reading ?? { fault: words.faults.choose }) : { value: null })
  }
  // For the most sensitive question the reason is always shown below the answers; else it unfolds on request and, among
  // several questions, not between one and its answers.
  const isSensitive = question.id === 'sex'
  const isWhyLast = isSensitive || isOneOfSeveral
  const why = question.why && (
    <Disclosure summary={words.chat.why} open={isSensitive}>
      {question.why}
    </Disclosure>
  )
  const control = (
    <Control
      question={question}
      words={words}
      view={view}
      onRead={read}
      describedBy={describedBy}
      labelledBy={`${id}text`}
      isInvalid={fault !== null}
      onTake={onTake}
    />
  )
  // Most leave it as it usually is: its options unfold for the others.
  const isFolded = question.usual !== undefined
  return (
    <fieldset
      class="question-field"
      data-question={question.id}
      data-kind={question.kind}
      aria-describedby={describedBy || undefined}
    >
      <legend>
        {isFolded ? (
          <span class="unseen" id={`${id}text`}>
            {question.text}
          </span>
        ) : (
          <Heading class={takesFocus ? 'question' : 'question part'} id={`${id}text`} tabIndex={-1} ref={heading}>
            {question.text}
          </Heading>
        )}
      </legend>
      {question.help && (
        <p class="help" id={`${id}help`}>
          {question.help}
        </p>
      )}
      {!isWhyLast && why}
      <div role="alert">
        {fault && (
          <p class="fault" id={`${id}fault`}>
            <Icon name="warning" size={20} />
            {fault}
          </p>
        )}
      </div>
      <div class="control" hidden={isUnknown}>
        {isFolded ? <Disclosure summary={question.text}>{control}</Disclosure> : control}
      </div>
      {canBeUnknown && (
        <button type="button" class="quiet unknown" aria-pressed={isUnknown} onClick={toggleUnknown}>
          {isUnknown && <Icon name="check" size={18} />}
          {words.chat.dontKnow}
        </button>
      )}
      {isWhyLast && !isFolded && why}
    </fieldset>
  )
}
