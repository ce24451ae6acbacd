import type { ComponentChildren } from 'preact'
import { useCallback, useEffect, useId, useMemo, useRef, useState } from 'preact/hooks'
import { isToBeAnswered } from '../../../src/engine/screens.ts'
import { Icon } from '../../ui/icons.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { Given, QuestionView, SessionView, Value } from '../api.ts'
import { useFocusOn } from '../focus.ts'
import { useSlow } from '../slow.ts'
import { Text } from '../text.tsx'
import type { Words } from '../words/words.ts'
import type { Reading } from './control.ts'
import { KINDS } from './kinds.tsx'
import { Proposals } from './proposals.tsx'
import { QuestionField } from './question-field.tsx'
import { SignList } from './sign-list.tsx'

type Props = {
  questions: readonly QuestionView[]
  /** The heading of a screen that holds several questions. */
  title?: string | null
  /** Said below it. */
  note?: string | null
  words: Words
  view: SessionView | null
  eyebrow?: ComponentChildren
  submitLabel: string
  isBusy: boolean
  /** Shown above the button when the service did not accept the answers. */
  refusal?: string | null
  onSubmit: (answers: readonly Given[]) => void
  /** Told at every change which signs are marked. */
  onMark?: (answers: readonly Given[]) => void
  /** Further buttons, such as back. */
  children?: ComponentChildren
  level?: 'h1' | 'h2'
  /** A single choice and nothing else: choosing continues. */
  goesOnAtOnce?: boolean
}

/** A tap this soon after a question appeared was meant for the one before. */
const SETTLED_MS = 500

/** Questions whose answers belong to one person. */
const OF_THE_PERSON = ['age', 'sex']

/** The questions of one screen, checked in place before they are sent together. */
export function ScreenForm(props: Props) {
  const {
    questions,
    title,
    note,
    words,
    view,
    eyebrow,
    submitLabel,
    isBusy,
    refusal = null,
    onSubmit,
    onMark,
    children,
  } = props
  const { level: Heading = 'h1', goesOnAtOnce = false } = props
  // What is only proposed stands in a place of its own.
  const asked = questions.filter(({ proposal }) => !proposal)
  const proposed = questions.filter(({ proposal }) => proposal)
  const isOneOfSeveral = asked.length > 1
  const { readings, read } = useReadings()
  const [faulty, setFaulty] = useState<QuestionView | null>(null)
  const isSlow = useSlow(isBusy)
  const isSigns = asked.every(({ kind }) => kind === 'sign')
  const [only] = questions
  const isAlone = questions.slice(1).every(({ followUp }) => followUp?.of === only?.id)
  const isMenu = only?.kind === 'complaints'
  const hasTitle = (!isAlone || isSigns || isMenu) && Boolean(title)
  const titleId = useId()
  const heading = useFocusOn<HTMLHeadingElement>(questions[0]?.id, hasTitle)
  const shownAt = useRef(performance.now())
  const said = (question: string) => {
    const reading = readings[question]
    return reading && 'value' in reading ? reading.value : undefined
  }
  const shown = questions.filter((question) => isToBeAnswered(question, questions, said))
  const faultOf = (question: QuestionView) => {
    const reading = readings[question.id]
    return faulty?.id === question.id && reading && 'fault' in reading ? reading.fault : null
  }
  useEffect(() => {
    if (faulty) showQuestion(faulty.id)
  }, [faulty])
  useEffect(() => {
    const marks = questions.flatMap(({ id, kind, given }) => {
      const value = said(id)
      const isMark = value === true || value === null
      return kind === 'sign' && isMark && value !== given ? { question: id, value } : []
    })
    onMark?.(marks)
    return () => onMark?.([])
  }, [readings])
  // What was given about one person is not used for another.
  const who = questions.find((question) => question.id === 'for_whom')
  const isOfAnother = ({ id }: QuestionView) =>
    OF_THE_PERSON.includes(id) && who?.given !== undefined && ![undefined, who.given].includes(said(who.id))
  const keyOf = (question: QuestionView) => (isOfAnother(question) ? `${question.id} of another` : question.id)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (isBusy) return
    const missing = shown.find(
      ({ id, usual, proposal }) =>
        said(id) === undefined && usual === undefined && !(proposal && readings[id] === undefined),
    )
    setFaulty(missing ? { ...missing } : null)
    if (missing) return
    const given = shown.filter(({ id }) => said(id) !== undefined)
    onSubmit(given.map((question) => ({ question: question.id, value: said(question.id) ?? null })))
  }
  // A follow-up that the answer calls for has to be asked first.
  const take = (question: QuestionView, value: Value) => {
    const isAll = questions.every((one) => one === question || !isToBeAnswered(one, questions, () => value))
    if (isAll && !isBusy && performance.now() - shownAt.current > SETTLED_MS)
      onSubmit([{ question: question.id, value }])
  }
  const takeNone = () => {
    if (!isBusy && performance.now() - shownAt.current > SETTLED_MS)
      onSubmit(questions.map(({ id }) => ({ question: id, value: false })))
  }
  const labels = shown.flatMap(({ id }) => {
    const reading = readings[id]
    return reading && 'label' in reading ? [reading.label] : []
  })
  const leaving = !isOneOfSeveral && !isSigns && only?.dontKnow ? KINDS[only.kind].leaving : null
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
      {hasTitle && (
        <Heading class="question" id={titleId} tabIndex={-1} ref={heading}>
          {title}
        </Heading>
      )}
      {note && <Note text={note} />}
      {/* Above the menu: nothing that counts when going on may be out of sight. */}
      {proposed.length > 0 && (
        <Proposals
          questions={proposed}
          words={words}
          view={view}
          isShown={(question) => shown.includes(question)}
          faultOf={faultOf}
          onRead={read}
        />
      )}
      {isSigns && (
        <SignList
          signs={asked}
          words={words}
          labelledBy={titleId}
          fault={faulty ? faultOf(faulty) : null}
          onRead={read}
          onNone={goesOnAtOnce ? takeNone : undefined}
        />
      )}
      {(isSigns ? [] : shown.filter(({ proposal }) => !proposal)).map((question, at) => (
        <QuestionField
          key={keyOf(question)}
          question={isOfAnother(question) ? withoutGiven(question) : question}
          words={words}
          view={view}
          heading={hasTitle || at > 0 ? (Heading === 'h1' ? 'h2' : 'h3') : Heading}
          takesFocus={!hasTitle && at === 0}
          fault={faultOf(question)}
          isOneOfSeveral={isOneOfSeveral || hasTitle}
          onRead={(reading) => read(question.id, reading)}
          onTake={goesOnAtOnce && isAlone && at === 0 ? (value) => take(question, value) : undefined}
        />
      ))}
      <div class="actions">
        <div role="alert">
          {refusal && (
            <p class="fault">
              <Icon name="warning" size={20} />
              {refusal}
            </p>
          )}
        </div>
        <button type="submit" class="primary" aria-disabled={isBusy}>
          {isSlow ? words.chat.saving : (labels[0] ?? submitLabel)}
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

/** A word below the heading. */
const Note = ({ text }: { text: string }) => (
  <Notice tone="quiet">
    <p>
      <Text text={text} />
    </p>
  </Notice>
)

/** What the controls of the screen hold. */
function useReadings() {
  const [readings, setReadings] = useState<Readonly<Record<string, Reading | undefined>>>({})
  const read = useCallback((question: string, reading: Reading | undefined) => {
    setReadings((before) => ({ ...before, [question]: reading }))
  }, [])
  return useMemo(() => ({ readings, read }), [readings, read])
}

/** Leads to the question whose answer is missing. */
function showQuestion(question: string): void {
  const field = document.querySelector(`[data-question="${CSS.escape(question)}"]`)
  field?.querySelector<HTMLElement>(':is(.control, .row) :is(input, textarea, button)')?.focus({ preventScroll: true })
  field?.closest('fieldset')?.querySelector('.fault')?.scrollIntoView({ block: 'nearest' })
}
