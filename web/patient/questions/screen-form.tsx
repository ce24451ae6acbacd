import type { ComponentChildren } from 'preact'
import { useCallback, useId, useMemo, useState } from 'preact/hooks'
import { isToBeAnswered } from '../../../src/engine/screens.ts'
import { Icon } from '../../ui/icons.tsx'
import type { Given, QuestionView, SessionView } from '../api.ts'
import { useFocusOn } from '../focus.ts'
import { useSlow } from '../slow.ts'
import type { Words } from '../words/words.ts'
import type { Reading } from './control.ts'
import { KINDS } from './kinds.tsx'
import { QuestionField } from './question-field.tsx'

type Props = {
  questions: readonly QuestionView[]
  /** The heading of a screen that holds several questions. */
  title?: string | null
  words: Words
  view: SessionView | null
  eyebrow?: ComponentChildren
  submitLabel: string
  isBusy: boolean
  /** Said above the button when the service did not take the answers. */
  refusal?: string | null
  onSubmit: (answers: readonly Given[]) => void
  /** Further buttons, such as back. */
  children?: ComponentChildren
  level?: 'h1' | 'h2'
}

/** Questions whose answers belong to one person. */
const OF_THE_PERSON = ['age', 'sex']

/** The questions of one screen, checked in place before they are sent together. */
export function ScreenForm(props: Props) {
  const { questions, title, words, view, eyebrow, submitLabel, isBusy, refusal = null, onSubmit, children } = props
  const { level: Heading = 'h1' } = props
  const isOneOfSeveral = questions.length > 1
  const { readings, read } = useReadings()
  const [faulty, setFaulty] = useState<string | null>(null)
  const isSlow = useSlow(isBusy)
  const id = useId()
  const heading = useFocusOn<HTMLHeadingElement>(questions[0]?.id, isOneOfSeveral)
  const said = (question: string) => {
    const reading = readings[question]
    return reading && 'value' in reading ? reading.value : undefined
  }
  const shown = questions.filter((question) => isToBeAnswered(question, questions, said))
  const faultOf = (question: string | null) => {
    const reading = question === null ? undefined : readings[question]
    return reading && 'fault' in reading ? reading.fault : null
  }
  const fault = faultOf(faulty) ?? refusal
  // What was given of one person is not held for another.
  const who = questions.find((question) => question.id === 'for_whom')
  const isOfAnother = ({ id }: QuestionView) =>
    OF_THE_PERSON.includes(id) && who?.given !== undefined && said(who.id) !== who.given
  const keyOf = (question: QuestionView) => (isOfAnother(question) ? `${question.id} of another` : question.id)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (isBusy) return
    const missing = shown.find((question) => said(question.id) === undefined)
    setFaulty(missing?.id ?? null)
    if (missing) return isOneOfSeveral ? showQuestion(missing.id) : undefined
    onSubmit(shown.map((question) => ({ question: question.id, value: said(question.id) ?? null })))
  }
  const [only] = questions
  const label = only && readings[only.id]
  const leaving = !isOneOfSeveral && only?.dontKnow ? KINDS[only.kind].leaving : null
  return (
    <form
      class="ask"
      data-top
      data-screen={questions.map((question) => question.id).join(' ')}
      noValidate
      onSubmit={submit}
      aria-busy={isBusy}
    >
      {eyebrow}
      {isOneOfSeveral && title && (
        <Heading class="question" tabIndex={-1} ref={heading}>
          {title}
        </Heading>
      )}
      {shown.map((question) => (
        <QuestionField
          key={keyOf(question)}
          question={isOfAnother(question) ? withoutGiven(question) : question}
          words={words}
          view={view}
          heading={isOneOfSeveral ? (Heading === 'h1' ? 'h2' : 'h3') : Heading}
          takesFocus={!isOneOfSeveral}
          faultId={fault && (faulty === question.id || !isOneOfSeveral) ? `${id}fault` : null}
          isOneOfSeveral={isOneOfSeveral}
          onRead={(reading) => read(question.id, reading)}
        />
      ))}
      <div class="actions">
        <div role="alert">
          {fault && (
            <p class="fault" id={`${id}fault`}>
              <Icon name="warning" size={20} />
              {isOneOfSeveral && faulty ? `${questions.find((one) => one.id === faulty)?.text ?? ''}: ${fault}` : fault}
            </p>
          )}
        </div>
        <button type="submit" class="primary" aria-disabled={isBusy}>
          {isSlow ? words.chat.saving : (label && 'label' in label && label.label) || submitLabel}
        </button>
        <div class="actions-quiet">
          {children}
          {only && leaving && (
            <button
              type="button"
              class="quiet"
              aria-disabled={isBusy}
              onClick={() => !isBusy && onSubmit([{ question: only.id, value: null }])}
            >
              {words.chat[leaving]}
            </button>
          )}
        </div>
      </div>
    </form>
  )
}

const withoutGiven = ({ given: _given, ...question }: QuestionView): QuestionView => question

/** What the controls of the screen hold. */
function useReadings() {
  const [readings, setReadings] = useState<Readonly<Record<string, Reading>>>({})
  const read = useCallback((question: string, reading: Reading) => {
    setReadings((before) => ({ ...before, [question]: reading }))
  }, [])
  return useMemo(() => ({ readings, read }), [readings, read])
}

/** Leads to the question whose answer is missing. */
function showQuestion(question: string): void {
  const field = document.querySelector(`[data-question="${CSS.escape(question)}"]`)
  field?.querySelector<HTMLElement>('input, textarea, button')?.focus({ preventScroll: true })
  field?.scrollIntoView({ block: 'nearest' })
}
