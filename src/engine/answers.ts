import type { Answer, AskedQuestion, Origin, Step, Value } from './content.ts'
import { findingsFrom } from './deciding/findings.ts'
import { interview } from './interview.ts'
import { normalised, refuseValue } from './kinds.ts'
import type { Content } from './load.ts'
import { isToBeAnswered } from './screens.ts'

interface Refused {
  readonly ok: false
  readonly code: 'unknown-question' | 'unexpected-question' | 'invalid-answer'
  readonly message: string
}
export type Checked = { readonly ok: true; readonly value: Value } | Refused

/** Answers in canonical form, or what is wrong and at which of them; without `at`, one is missing. */
export type CheckedScreen =
  | { readonly ok: true; readonly answers: readonly Answer[] }
  | (Refused & { readonly at?: number })

const refused = (code: Refused['code'], message: string): Refused => ({ ok: false, code, message })
const notAsked = (id: string): Refused => refused('unexpected-question', `The question "${id}" is not asked now.`)

/**
 * Whether this answer may be added: to a question that is asked now, or to one that was answered before and still
 * applies. Returns the value in canonical form and changes nothing. Callers that already have the step of these answers
 * may pass it.
 */
export function checkAnswer(
  content: Content,
  answers: readonly Answer[],
  { question: id, value }: Answer,
  step: Step = interview(content, answers),
): Checked {
  const slot = content.slotOf.get(id)
  const loaded = slot === undefined ? undefined : content.questions[slot]
  if (slot === undefined || !loaded) return refused('unknown-question', `There is no question "${id}".`)
  const asked = step.kind === 'ask' ? step.questions.find((question) => question.id === id) : undefined
  if (!asked && !step.ledger.some(({ question }) => question === id)) return notAsked(id)
  // A question asked now carries its options; only for an earlier one do they have to be computed.
  const offered = asked ? (asked.offered ?? []) : findingsFrom(content, answers).offered(slot)
  const refusal = refuseValue(loaded.question, value, offered)
  if (refusal) return refused('invalid-answer', `For "${id}" ${refusal}.`)
  return { ok: true, value: normalised(loaded.question, value) }
}

/**
 * The same for everything answered at once: the whole screen that is asked now, or changes to earlier answers. Returned
 * in the order of the screen.
 */
export function checkAnswers(
  content: Content,
  answers: readonly Answer[],
  given: readonly Answer[],
  step: Step = interview(content, answers),
): CheckedScreen {
  const canonical: Answer[] = []
  for (const [at, answer] of given.entries()) {
    const { question } = answer
    if (canonical.some((one) => one.question === question))
      return { ...refused('invalid-answer', `There is more than one answer to "${question}".`), at }
    const checked = checkAnswer(content, answers, answer, step)
    if (!checked.ok) return { ...checked, at }
    canonical.push({ question, value: checked.value, ...originOf(step, question, checked.value) })
  }
  const asked = step.kind === 'ask' ? step.questions : []
  const order = asked.map(({ id }) => id)
  if (!given.some(({ question }) => order.includes(question))) return { ok: true, answers: canonical }
  const foreign = given.findIndex(({ question }) => !order.includes(question))
  if (foreign >= 0) return { ...notAsked(given[foreign]?.question ?? ''), at: foreign }
  return (
    incomplete(canonical, asked) ?? {
      ok: true,
      answers: canonical.sort((a, b) => order.indexOf(a.question) - order.indexOf(b.question)),
    }
  )
}

/** Where the answer comes from when it was proposed: from who proposed it, or from the user who corrected it. */
function originOf(step: Step, id: string, value: Value): { from?: Origin } {
  const { proposal } = (step.kind === 'ask' && step.questions.find((question) => question.id === id)) || {}
  if (!proposal) return {}
  return { from: JSON.stringify(proposal.value) === JSON.stringify(value) ? proposal.from : 'user' }
}

/**
 * A screen is answered as a whole: every question once, follow-ups where the other answers call for them and nowhere else. What is only proposed
 * or has a usual answer may be left out.
 */
function incomplete(given: readonly Answer[], asked: readonly AskedQuestion[]): CheckedScreen | undefined {
  const said = (id: string) => given.find(({ question }) => question === id)?.value
  for (const question of asked) {
    const { id } = question
    const at = given.findIndex((answer) => answer.question === id)
    const isWanted = isToBeAnswered(question, asked, said)
    const mayBeLeftOut = question.proposal !== undefined || question.usual !== undefined
    if (isWanted && at < 0 && !mayBeLeftOut) return refused('invalid-answer', `The answer to "${id}" is missing.`)
    if (!isWanted && at >= 0) return { ...notAsked(id), at }
  }
  return undefined
}

/**
 * The answers to a screen with what was left out of it because it is as usual. Where the words on it tell of another
 * matter, and of no danger, it stays open and is asked by itself.
 */
export function withUsual(step: Step, given: readonly Answer[]): readonly Answer[] {
  const asked = step.kind === 'ask' ? step.questions : []
  const isOf = (id: string) => given.some(({ question }) => question === id)
  const tellsOfAnother = given.some(({ heard }) => heard?.matter !== undefined && heard.dangers.length === 0)
  if (tellsOfAnother || !asked.some(({ id }) => isOf(id))) return given
  const left = asked.flatMap(({ id, usual }) => (usual === undefined || isOf(id) ? [] : { question: id, value: usual }))
  return [...given, ...left]
}
