import { YES } from '../conditions/evaluate.ts'
import { type HeardFact, MINUTES_IN, type Proposal, type Value } from '../content.ts'
import { refuseValue } from '../kinds.ts'
import { isToBeAnswered } from '../screens.ts'
import { isDuration, minutesOf } from '../values.ts'
import type { InterviewFindings } from './findings.ts'
import { intakeValue } from './matter.ts'

/**
 * What was heard in the own words or told beforehand, and is not answered yet, as far as it is an answer that this patient could give. Nothing
 * that words deny of a danger is proposed: whoever denies it is asked.
 */
export function proposalsFor(
  findings: InterviewFindings,
  told: Readonly<Record<string, Value>>,
): ReadonlyMap<number, Proposal> {
  const { content } = findings
  const proposals = new Map<number, Proposal>()
  const add = (id: string, proposal: Proposal) => {
    const slot = content.slotOf.get(id)
    const question = slot === undefined ? undefined : content.questions[slot]?.question
    if (slot === undefined || !question || findings.isKnown(slot) || proposals.has(slot)) return
    const { value } = proposal
    const isDenied = value === false && proposal.from === 'own-words'
    if (value === null || isDenied || content.intake.includes(slot) || !couldBe(findings, slot)) return
    if (isAge(findings, value)) return
    if (refuseValue(question, value, findings.offered(slot)) === undefined) proposals.set(slot, proposal)
  }
  for (const fact of findings.heard?.facts ?? []) {
    if (fact.several) continue // the complaint asks it in any case, and once is enough
    const { question, value } = fact.moment ? whenIn(findings, fact) : fact
    add(question, { from: 'own-words', value, words: fact.words })
  }
  for (const [id, value] of Object.entries(told))
    if (content.release.questions[id]?.kind === 'sign') add(id, { from: 'integrator', value })
  return calledFor(findings, proposals)
}

/**
 * When it happened, where the complaint that was heard asks that and not how long it has lasted: a burn, a sting. How long a trouble has lasted is never
 * taken for it, since whoever has had headaches for years may have hit the head just now.
 */
function whenIn({ heard, content }: InterviewFindings, fact: HeardFact): { question: string; value: Value } {
  const [best] = heard?.complaints ?? []
  const asked = best && best.score > 0 ? (content.complaints.get(best.id)?.slots ?? []) : []
  const questions = asked.flatMap((slot) => content.questions[slot]?.question ?? [])
  const when = questions.find(({ id, options }) => id === 'happened' || options?.some(({ upTo }) => upTo))
  if (!when || !isDuration(fact.value) || questions.some(({ sameAs }) => sameAs === fact.question)) return fact
  const ago = minutesOf(fact.value)
  const option = when.options?.find(({ upTo }) => upTo === undefined || ago <= minutesOf(upTo))
  return { question: when.id, value: when.options ? (option?.id ?? null) : fact.value }
}

/** "Vomits after every feed, 5 weeks": a time that is as long as the patient is old is their age. */
function isAge(findings: InterviewFindings, value: Value): boolean {
  const years = intakeValue(findings, 'age')
  if (!isDuration(value) || typeof years !== 'number') return false
  const age = years * MINUTES_IN.years
  return Math.abs(minutesOf(value) - age) <= Math.min(age, MINUTES_IN.years) / 12
}

/** A question that does not apply is not proposed; a follow-up goes with what calls for it. */
function couldBe(findings: InterviewFindings, slot: number): boolean {
  const { applies, question } = findings.content.questions[slot] ?? {}
  return question?.followUp !== undefined || applies === undefined || findings.truths.of(applies) === YES
}

/** A follow-up stands right behind the proposal that calls for it, and nowhere else. */
function calledFor(
  { content }: InterviewFindings,
  proposals: ReadonlyMap<number, Proposal>,
): ReadonlyMap<number, Proposal> {
  const questionAt = (slot: number) => content.questions[slot]?.question
  const on = [...proposals.keys()].flatMap((slot) => questionAt(slot) ?? [])
  const said = (id: string) => proposals.get(content.slotOf.get(id) ?? -1)?.value
  const isCalled = ([slot]: readonly [number, Proposal]) => {
    const question = questionAt(slot)
    const parent = question?.followUp?.of
    return (
      question !== undefined &&
      (parent === undefined || (said(parent) !== undefined && isToBeAnswered(question, on, said)))
    )
  }
  const placeOf = (slot: number): number => {
    const parent = questionAt(slot)?.followUp?.of
    const place = [...proposals.keys()].indexOf(content.slotOf.get(parent ?? '') ?? -1)
    return parent === undefined ? [...proposals.keys()].indexOf(slot) : place + 0.5
  }
  return new Map([...proposals].filter(isCalled).sort(([a], [b]) => placeOf(a) - placeOf(b)))
}
