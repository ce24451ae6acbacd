import type { Complaint, Expression, Question } from '../content.ts'
import type { DraftComplaint } from './complaint.ts'
import { questionsIn } from './mentions.ts'
import type { DraftQuestion } from './questions.ts'
import type { Reading } from './reading.ts'

type Questions = ReadonlyMap<string, Question>
type Findings = ReadonlyMap<string, Expression>

/** The questions whose answers decide whether, and with which options, a question is asked. */
function neededBefore(question: Question, findings: Findings): Set<string> {
  const needed = questionsIn(question.applies, findings)
  for (const option of question.options ?? []) questionsIn(option.applies, findings, needed)
  return needed
}

/** Reports every cycle of questions that wait for each other: none of them could ever be asked. */
export function findLoops(
  questions: Questions,
  drafts: ReadonlyMap<string, DraftQuestion>,
  findings: Findings,
  reading: Reading,
): boolean {
  const done = new Set<string>()
  let found = false
  const visit = (id: string, path: readonly string[]) => {
    if (done.has(id)) return
    const start = path.indexOf(id)
    if (start >= 0) {
      const circle = [...path.slice(start), id].join(' → ')
      const draft = drafts.get(id)
      reading.problem(
        draft?.applies?.place ?? draft?.place ?? ['content', 1],
        `These questions wait for each other and can never be asked: ${circle}. Change one of their "applies".`,
      )
      found = true
      return
    }
    const question = questions.get(id)
    if (question) for (const before of neededBefore(question, findings)) visit(before, [...path, id])
    done.add(id)
  }
  for (const id of questions.keys()) visit(id, [])
  return found
}

/**
 * Reports questions that wait for each other across complaints. Each complaint by itself may be without a circle; whoever has both would be asked none of
 * them, and whether one is asked could not be told.
 */
export function findGateLoops(
  complaints: readonly Complaint[],
  questions: Questions,
  findings: Findings,
  reading: Reading,
): void {
  const gates = Map.groupBy(
    complaints.flatMap(({ place, questions: asked }) => asked.map(({ id, when }) => ({ id, when, place }))),
    ({ id }) => id,
  )
  const done = new Set<string>()
  const visit = (id: string, path: readonly string[]) => {
    if (done.has(id)) return
    const start = path.indexOf(id)
    if (start >= 0) {
      const circle = [...path.slice(start), id].join(' → ')
      const place = gates.get(id)?.find(({ when }) => when)?.place ?? ['content', 1]
      reading.problem(place, `These questions wait for each other: ${circle}. Ask one of them without "when".`)
      return
    }
    const question = questions.get(id)
    const before = question ? neededBefore(question, findings) : new Set<string>()
    for (const { when } of gates.get(id) ?? []) questionsIn(when, findings, before)
    for (const one of before) visit(one, [...path, id])
    done.add(id)
  }
  for (const id of questions.keys()) visit(id, [])
}

/**
 * The complaint's questions in the author's order, plus those that need not be listed: what a listed question waits for
 * comes right before it, what a shared finding reads comes last.
 */
export function completeQuestions(
  draft: DraftComplaint,
  complaint: Omit<Complaint, 'questions'>,
  questions: Questions,
  findings: Findings,
  askedElsewhere: ReadonlySet<string>,
): Complaint['questions'] {
  const listed = new Map(draft.listed.map((one) => [one.id, one]))
  const order: DraftComplaint['listed'][number][] = []
  const seen = new Set<string>()
  const add = (id: string) => {
    const question = questions.get(id)
    if (!question || seen.has(id) || askedElsewhere.has(id)) return
    seen.add(id)
    for (const before of neededBefore(question, findings)) if (!listed.has(before)) add(before)
    order.push(listed.get(id) ?? { id, ask: 'needed', place: draft.place })
  }
  for (const id of listed.keys()) add(id)
  for (const expression of conditionsThatAsk(complaint)) for (const id of questionsIn(expression, findings)) add(id)
  return order
}

function* conditionsThatAsk(complaint: Omit<Complaint, 'questions'>): Generator<Expression> {
  for (const rule of complaint.rules) yield rule.when
  for (const rule of complaint.reassuring) yield rule.when
  for (const modifier of complaint.modifiers ?? []) yield modifier.when
}

/** Reports questions that no rule needs and no summary wants: they would never be asked. */
export function findUnused(
  draft: DraftComplaint,
  complaint: Complaint,
  questions: Questions,
  findings: Findings,
  reading: Reading,
): void {
  const used = new Set<string>()
  for (const expression of conditionsThatAsk(complaint)) questionsIn(expression, findings, used)
  for (const { id } of complaint.questions) {
    const question = questions.get(id)
    if (question) for (const before of neededBefore(question, findings)) used.add(before)
  }
  for (const { id, ask, place } of draft.listed) {
    if (ask === 'needed' && !used.has(id)) {
      reading.problem(
        place,
        `Question "${id}" would never be asked: no rule needs it. Add "ask: always" if the summary wants it, or remove it.`,
      )
    }
  }
}
