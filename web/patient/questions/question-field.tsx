import { useId, useState } from 'preact/hooks'
import { Disclosure } from '../../ui/disclosure.tsx'
import type { QuestionView, SessionView } from '../api.ts'
import { useFocusOn } from '../focus.ts'
import type { Words } from '../words/words.ts'
import { Age } from './age.tsx'
import { Amount } from './amount.tsx'
import { Choice } from './choice.tsx'
import { Complaints } from './complaints.tsx'
import type { ControlProps, Reading } from './control.ts'
import { Day } from './day.tsx'
import { HowLong } from './duration.tsx'
import { Many } from './many.tsx'
import { OwnWords } from './own-words.tsx'
import { Photos } from './photos.tsx'
import { Scale } from './scale.tsx'

type Props = {
  question: QuestionView
  words: Words
  view: SessionView | null
  heading: 'h1' | 'h2' | 'h3'
  takesFocus: boolean
  /** What the form says about this answer: it is missing, or was not taken. */
  faultId: string | null
  /** Several stand on one screen: then “I don’t know” belongs to each, and free words may stay empty. */
  isOneOfSeveral: boolean
  onRead: (reading: Reading) => void
}

/** One question with its control. */
export function QuestionField(props: Props) {
  const { question, words, view, heading: Heading, takesFocus, faultId, isOneOfSeveral, onRead } = props
  const heading = useFocusOn<HTMLHeadingElement>(question.id, takesFocus)
  const id = useId()
  const [isUnknown, setUnknown] = useState(false)
  const [reading, setReading] = useState<Reading | null>(null)
  const describedBy = [question.help && `${id}help`, faultId].filter(Boolean).join(' ')
  const read = (next: Reading) => {
    setReading(next)
    const isLeftOut = isOneOfSeveral && question.dontKnow && question.kind === 'text' && 'isEmpty' in next
    onRead(isUnknown || isLeftOut ? { value: null } : next)
  }
  const toggleUnknown = () => {
    setUnknown(!isUnknown)
    onRead(isUnknown ? (reading ?? { fault: words.faults.choose }) : { value: null })
  }
  // Where people may wonder most, the reason stands open below the answers; else it is there for who asks.
  const isSensitive = question.id === 'sex'
  const why = question.why && (
    <Disclosure summary={words.chat.why} open={isSensitive && !isOneOfSeveral}>
      {question.why}
    </Disclosure>
  )
  const canBeUnknown = isOneOfSeveral && question.dontKnow && question.kind !== 'text' && question.kind !== 'photo'
  return (
    <fieldset
      class="question-field"
      data-question={question.id}
      data-kind={question.kind}
      aria-describedby={describedBy || undefined}
    >
      <legend>
        <Heading class={isOneOfSeveral ? 'question part' : 'question'} id={`${id}text`} tabIndex={-1} ref={heading}>
          {question.text}
        </Heading>
      </legend>
      {question.help && (
        <p class="help" id={`${id}help`}>
          {question.help}
        </p>
      )}
      {!isSensitive && why}
      <div class="control" hidden={isUnknown}>
        <Control
          question={question}
          words={words}
          view={view}
          onRead={read}
          describedBy={describedBy}
          labelledBy={`${id}text`}
          isInvalid={faultId !== null}
        />
      </div>
      {canBeUnknown && (
        <button type="button" class="quiet unknown" aria-pressed={isUnknown} onClick={toggleUnknown}>
          {words.chat.dontKnow}
        </button>
      )}
      {isSensitive && why}
    </fieldset>
  )
}

/** The control for a kind of question. Each question gets a fresh one. */
function Control(props: ControlProps) {
  const { question } = props
  const own = { ...props, key: question.id }
  switch (question.kind) {
    case 'yesno':
    case 'one':
      return <Choice {...own} />
    case 'many':
      return <Many {...own} />
    case 'number':
      return question.id === 'age' ? <Age {...own} /> : <Amount {...own} />
    case 'scale':
      return <Scale {...own} />
    case 'duration':
      return <HowLong {...own} />
    case 'date':
      return <Day {...own} />
    case 'text':
      return <OwnWords {...own} />
    case 'photo':
      return <Photos {...own} />
    case 'complaints':
      return <Complaints {...own} />
  }
}
