import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { QuestionView, SessionView } from '../api.ts'
import type { Words } from '../words/words.ts'
import type { Reading } from './control.ts'
import { QuestionField } from './question-field.tsx'

type Props = {
  questions: readonly QuestionView[]
  words: Words
  view: SessionView | null
  /** Follow-ups among them that the answers as they are call for. */
  isShown: (question: QuestionView) => boolean
  faultOf: (question: QuestionView) => string | null
  onRead: (question: string, reading: Reading | undefined) => void
}

type Given = { questions: readonly QuestionView[]; from: 'own-words' | 'integrator' }

/** What was heard in the own words or told beforehand: each to keep, to change or to remove with a touch. */
export function Proposals({ questions, words, ...rest }: Props) {
  const groups = groupsOf(questions)
  const { heard, told, hint } = words.understood
  return (['own-words', 'integrator'] as const).map((from) => {
    const own = groups.filter((group) => group.from === from)
    return own.length === 0 ? null : (
      <section key={from} class="proposals" aria-label={from === 'own-words' ? heard : told}>
        <h2 class="question part">{from === 'own-words' ? heard : told}</h2>
        <p class="hint">{hint}</p>
        <ul>
          {own.map((group) => (
            <Proposal key={group.questions[0]?.id} group={group} words={words} {...rest} />
          ))}
        </ul>
      </section>
    )
  })
}

function Proposal({ group, words, view, isShown, faultOf, onRead }: Omit<Props, 'questions'> & { group: Given }) {
  const [state, set] = useState<'kept' | 'open' | 'removed'>('kept')
  const [isTrue, setTrue] = useState(group.questions[0]?.given === true)
  const row = useRef<HTMLLIElement>(null)
  const [root] = group.questions
  const isSign = root?.kind === 'sign'
  useLayoutEffect(() => {
    if (state === 'open') return
    for (const { id, given = null } of group.questions)
      onRead(id, state === 'removed' ? undefined : { value: isSign ? isTrue : given })
  }, [state, isTrue])
  useEffect(() => {
    if (state === 'open') row.current?.querySelector<HTMLElement>('.control :is(input, textarea)')?.focus()
  }, [state])
  // A follow-up tells more than what called for it; where there are two, as of a blood pressure, both are shown.
  const [, ...followUps] = group.questions
  const told = followUps.length === 1 ? followUps[0] : root
  if (!root || !told) return null
  const { change, remove, keep, changeOf, removeOf, keepOf } = words.understood
  const answers = (followUps.length > 0 ? followUps : [root]).flatMap(({ proposal }) => proposal?.answer ?? [])
  const answer = isSign ? (isTrue ? words.field.yes : words.field.no) : answers.join(' / ')
  const name = `${told.text} ${answer}`
  const button = (label: string, aloud: string, act: () => void) => (
    <button type="button" class="plain" aria-label={aloud} onClick={act}>
      {label}
    </button>
  )
  return (
    <li class="proposal" data-proposal={root.id} data-state={state} ref={row}>
      {state === 'open' ? (
        group.questions
          .filter((question) => question === root || isShown(question))
          .map((question) => (
            <QuestionField
              key={question.id}
              question={question}
              words={words}
              view={view}
              heading="h3"
              takesFocus={false}
              fault={faultOf(question)}
              isOneOfSeveral
              onRead={(reading) => onRead(question.id, reading)}
              onTake={undefined}
            />
          ))
      ) : (
        <p class="proposal-text">
          <span class="ledger-question">{told.text}</span>
          {state === 'removed' ? <s>{answer}</s> : <strong>{answer}</strong>}
        </p>
      )}
      <p class="proposal-actions">
        {state === 'kept' && button(change, changeOf(name), isSign ? () => setTrue(!isTrue) : () => set('open'))}
        {state === 'removed'
          ? button(keep, keepOf(name), () => set('kept'))
          : button(remove, removeOf(name), () => set('removed'))}
      </p>
    </li>
  )
}

/** A proposal with the follow-ups to it: a temperature is told of a fever. */
function groupsOf(questions: readonly QuestionView[]): Given[] {
  const isOn = (id: string | undefined) => questions.some((other) => other.id === id)
  return questions
    .filter(({ followUp }) => !isOn(followUp?.of))
    .map((root) => ({
      questions: [root, ...questions.filter(({ followUp }) => followUp?.of === root.id)],
      from: root.proposal?.from ?? 'own-words',
    }))
}
