import type { ComponentChildren } from 'preact'
import { useCallback, useId, useState } from 'preact/hooks'
import { Disclosure } from '../../ui/disclosure.tsx'
import { Icon } from '../../ui/icons.tsx'
import type { QuestionView, SessionView, Value } from '../api.ts'
import { useFocusOn } from '../focus.ts'
import { useSlow } from '../slow.ts'
import type { Words } from '../words/words.ts'
import type { Reading } from './control.ts'
import { KINDS } from './kinds.tsx'

type Props = {
  question: QuestionView
  words: Words
  view: SessionView | null
  eyebrow?: ComponentChildren
  submitLabel: string
  isBusy: boolean
  /** Said above the button when the service did not take the answer. */
  refusal?: string | null
  onSubmit: (value: Value) => void
  /** Further buttons, such as back. */
  children?: ComponentChildren
  level?: 'h1' | 'h2'
  takesFocus?: boolean
}

/** One question with its control, checked in place before it is sent. */
export function QuestionForm(props: Props) {
  const { question, words, view, eyebrow, submitLabel, isBusy, refusal = null, onSubmit, children } = props
  const { level: Heading = 'h1', takesFocus = true } = props
  const [reading, setReading] = useState<Reading>({ fault: words.faults.choose })
  const [hasTried, setTried] = useState(false)
  const isSlow = useSlow(isBusy)
  const heading = useFocusOn<HTMLHeadingElement>(question.id, takesFocus)
  const id = useId()
  const onRead = useCallback((next: Reading) => {
    setReading(next)
    setTried(false)
  }, [])
  const fault = hasTried && 'fault' in reading ? reading.fault : refusal
  const describedBy = [question.help && `${id}help`, fault && `${id}fault`].filter(Boolean).join(' ')
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (isBusy) return
    setTried(true)
    if ('value' in reading) onSubmit(reading.value)
  }
  // Where people may wonder most, the reason stands open below the answers; else it is there for who asks.
  const isSensitive = question.id === 'sex'
  const why = question.why && (
    <Disclosure summary={words.chat.why} open={isSensitive}>
      {question.why}
    </Disclosure>
  )
  const { control: Control, leaving } = KINDS[question.kind]
  return (
    <form
      class="ask"
      data-top
      data-question={question.id}
      data-kind={question.kind}
      noValidate
      onSubmit={submit}
      aria-busy={isBusy}
    >
      {eyebrow}
      <fieldset aria-describedby={describedBy || undefined}>
        <legend>
          <Heading class="question" id={`${id}text`} tabIndex={-1} ref={heading}>
            {question.text}
          </Heading>
        </legend>
        {question.help && (
          <p class="help" id={`${id}help`}>
            {question.help}
          </p>
        )}
        {!isSensitive && why}
        <div class="control">
          <Control
            key={question.id}
            question={question}
            words={words}
            view={view}
            onRead={onRead}
            describedBy={describedBy}
            labelledBy={`${id}text`}
            isInvalid={fault !== null}
          />
        </div>
        {isSensitive && why}
      </fieldset>
      <div class="actions">
        <div role="alert">
          {fault && (
            <p class="fault" id={`${id}fault`}>
              <Icon name="warning" size={20} />
              {fault}
            </p>
          )}
        </div>
        <button type="submit" class="primary" aria-disabled={isBusy}>
          {isSlow ? words.chat.saving : ('label' in reading && reading.label) || submitLabel}
        </button>
        <div class="actions-quiet">
          {children}
          {question.dontKnow && leaving && (
            <button type="button" class="quiet" aria-disabled={isBusy} onClick={() => !isBusy && onSubmit(null)}>
              {words.chat[leaving]}
            </button>
          )}
        </div>
      </div>
    </form>
  )
}
