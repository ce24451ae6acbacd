import fc from 'fast-check'
import { expect, test } from 'vitest'
import { realContent } from '../../../test/world/content.ts'
import { SWEEP } from '../../../test/world/sweep.ts'
import { foreignValues } from '../check/same-and-only.ts'
import { chance, valuesOf } from '../check/simulated-patients.ts'
import type { Answer, Comparison, Expression, Fact, Operand, Question, Truth, Value } from '../content.ts'
import { collectFacts } from '../deciding/facts.ts'
import { findingsFrom } from '../deciding/findings.ts'
import { refuseValue } from '../kinds.ts'
import { isDuration, minutesOf } from '../values.ts'
import type { Test } from './conditions.ts'
import { truthOf } from './evaluate.ts'
import { PendingQuestions } from './pending-questions.ts'

const { content } = await realContent()
const { release } = content
type Standing = 'absent' | 'pending' | 'unsure' | 'known'

const questionOf = (id: string): Question => release.questions[id] ?? expect.fail(`no question ${id}`)

/** What a sign implies, and what that implies in turn. */
const implied = new Map(Object.keys(release.questions).map((id) => [id, closure(id)]))
function closure(from: string, found: Set<string> = new Set()): Set<string> {
  for (const next of questionOf(from).implies ?? []) if (!found.has(next)) closure(next, found.add(next))
  return found
}
/** The signs that imply a sign: its special cases. */
const specialCases = new Map(
  Object.keys(release.questions).map((id) => [id, [...implied].flatMap(([one, of]) => (of.has(id) ? [one] : []))]),
)
/** The signs that only names call for. */
const onlyTold = release.complaints.flatMap(({ onCall = [] }) =>
  onCall.flatMap(({ id, families }) => (families.length === 0 ? id : [])),
)
const onlyNamed = new Set([...(release.named?.asks ?? []).flatMap(({ signs }) => signs), ...onlyTold])
/** The complaints that ask a question, each with how it does. */
const askers = Map.groupBy(
  release.complaints.flatMap((complaint) => complaint.questions.map((asked) => ({ complaint, asked }))),
  ({ asked }) => asked.id,
)

/** The same, worked out once for each. */
function once<T>(work: (id: string) => T): (id: string) => T {
  const known = new Map<string, { of: T }>()
  return (id) => {
    const kept = known.get(id) ?? { of: work(id) }
    known.set(id, kept)
    return kept.of
  }
}

/** The meaning of conditions, as plain as possible and therefore slow: the evaluator must always agree with it. */
function plainly(answers: readonly Answer[]) {
  const values = new Map(answers.map(({ question, value }) => [question, value]))
  const standing = once((id) => standingOf(questionOf(id)))
  const told = once(toldOf)
  function standingOf(question: Question): Standing {
    const asking = whoAsks(question.id)
    if (asking.length === 0) return 'absent'
    const applies = question.applies ? truth(question.applies) : 'yes'
    if (applies === 'no') return 'absent'
    const value = told(question.id)
    const options = question.options?.map((option) => isOffered(question.id, option.id)) ?? []
    if (applies !== 'pending' && value === undefined && asking.every((gate) => gate && truth(gate) === 'no'))
      return 'absent'
    if (value === undefined || applies === 'pending' || options.includes('pending')) return 'pending'
    const { id, sameAs } = question
    const taker = sameAs === undefined || values.has(id) ? question : questionOf(sameAs)
    if (refuseValue(taker, value, offered(question))) return 'pending'
    return value === null ? 'unsure' : 'known'
  }
  /** Everyone who asks a question of this patient, each with the condition under which they do. */
  function whoAsks(id: string): (Expression | undefined)[] {
    if (release.intake.includes(id)) return questionOf(id).whenTold ? [] : [undefined] // these patients wrote nothing
    const type = known('issue_type')
    const chosen = known('complaints')
    const kinds = Array.isArray(chosen)
      ? release.complaints.filter((one) => chosen.includes(one.id)).map(({ kind }) => kind)
      : []
    const isMedical =
      type === null || type === 'regular' || ['new_trouble', 'told_trouble'].some((one) => known(one) === true)
    const isPractical = type !== null && type !== 'regular'
    const hasNamedOne = (isPractical || kinds.length > 0) && !kinds.includes('general')
    const isOfTheirs = (complaint: string, kind: string) =>
      (isMedical && Array.isArray(chosen) && chosen.includes(complaint)) || kind === type
    const isAskedOtherwise = release.complaints.some(
      ({ id: complaint, kind, covers = [], questions }) =>
        isOfTheirs(complaint, kind) && (covers.includes(id) || questions.some((one) => one.id === id)),
    )
    return (askers.get(id) ?? []).flatMap(({ complaint: { id: complaint, kind, applies, now }, asked }) => {
      if (kind === 'emergency') {
        if (!(isMedical || isThereTicked()) || (applies && truth(applies) === 'no')) return []
        // Nor did they name a medicine or write of a danger, but they may have ticked an illness.
        if (onlyNamed.has(id)) return values.has(id) || (isTicked(id) && !isAskedOtherwise) ? [asked.when] : []
        const core = now?.find((one) => one.id === id)
        const isCore = core !== undefined && (!core.when || truth(core.when) !== 'no')
        const followsUp = asked.when !== undefined && questionOf(id).kind !== 'sign'
        return (isMedical && (!hasNamedOne || isCore)) || followsUp || values.has(id) ? [asked.when] : []
      }
      return isOfTheirs(complaint, kind) ? [asked.when] : []
    })
  }
  /** Whether a danger of the emergency check is ticked that the questionnaire of their request does not ask. */
  function isThereTicked(): boolean {
    const type = known('issue_type')
    const asks = (of: (kind: string) => boolean, id: string) =>
      release.complaints.some(({ kind, questions }) => of(kind) && questions.some((one) => one.id === id))
    return [...values].some(
      ([id, value]) => value === true && asks((kind) => kind === 'emergency', id) && !asks((kind) => kind === type, id),
    )
  }
  /** Whether an option is ticked that calls for this sign. */
  function isTicked(id: string): boolean {
    const lists = (release.named?.asks ?? []).flatMap(({ signs, ticked = {} }) =>
      signs.includes(id) ? Object.entries(ticked) : [],
    )
    return lists.some(([question, options]) => {
      const said = values.get(question)
      return Array.isArray(said) && options.some((option) => said.includes(option))
    })
  }
  const known = (id: string): Value => (standing(id) === 'known' ? (told(id) ?? null) : null)
  /** Whether the patient has a single complaint, with or without a request: what is told of the trouble is told of it. */
  function isAlone(): boolean {
    const chosen = known('complaints')
    const isTrouble = (kind: string) => kind === 'complaint' || kind === 'general'
    const theirs = release.complaints.filter(({ id }) => Array.isArray(chosen) && chosen.includes(id))
    return theirs.filter(({ kind }) => isTrouble(kind)).length === 1
  }

  /** The answer, or what the answers to other signs imply. */
  function toldOf(id: string): Value | undefined {
    const isToldBySpecialCase = (one: string) => specialCases.get(one)?.some((special) => values.get(special) === true)
    const isDanger = (one: string) => questionOf(one).redFlag === true
    const said = values.get(id)
    if (said !== undefined) return isDanger(id) && isToldBySpecialCase(id) ? true : said
    const { sameAs, own } = questionOf(id)
    if (sameAs !== undefined && (isAlone() || !own)) return values.get(sameAs)
    if (isToldBySpecialCase(id)) return true
    const isDenied = (one: string) => values.get(one) === false && !(isDanger(one) && isToldBySpecialCase(one))
    if ([...(implied.get(id) ?? [])].some(isDenied)) return false
    const { parts = [] } = questionOf(id)
    const isOut = (one: string) => {
      const { applies } = questionOf(one)
      return isDenied(one) || (applies !== undefined && truth(applies) === 'no')
    }
    return parts.some(isDenied) && parts.every(isOut) ? false : undefined
  }

  function isOffered(question: string, option: string): Truth {
    const applies = questionOf(question).options?.find(({ id }) => id === option)?.applies
    return applies ? truth(applies) : 'yes'
  }
  function offered(question: Question): string[] {
    if (question.kind === 'complaints') {
      const medical = release.complaints.filter(({ kind }) => kind === 'complaint' || kind === 'general')
      return medical.filter(({ applies }) => !applies || truth(applies) !== 'no').map(({ id }) => id)
    }
    return question.options?.map(({ id }) => id).filter((id) => isOffered(question.id, id) !== 'no') ?? []
  }

  function truth(expression: Expression): Truth {
    switch (expression[0]) {
      case 'const':
        return expression[1] ? 'yes' : 'no'
      case 'finding':
        return truth(findingOf(expression[1]))
      case 'not': {
        const inner = truth(expression[1])
        return inner === 'yes' ? 'no' : inner === 'no' ? 'yes' : inner
      }
      case 'and':
        return firstOf(['no', 'pending', 'unsure'], partsOf(expression).map(truth)) ?? 'yes'
      case 'or':
        return firstOf(['yes', 'pending', 'unsure'], partsOf(expression).map(truth)) ?? 'no'
      case 'atLeast': {
        const parts = partsOf(expression).map(truth)
        const [yes, pending, unsure] = (['yes', 'pending', 'unsure'] as const).map(
          (one) => parts.filter((part) => part === one).length,
        ) as [number, number, number]
        if (yes >= expression[1]) return 'yes'
        if (yes + pending + unsure < expression[1]) return 'no'
        return yes + pending < expression[1] && yes + unsure >= expression[1] ? 'unsure' : 'pending'
      }
      case 'known': {
        if (standing(expression[1]) === 'pending') return 'pending'
        const value = known(expression[1])
        return value === null || value === '' || (Array.isArray(value) && value.length === 0) ? 'no' : 'yes'
      }
      case 'unsure': {
        const is = standing(expression[1])
        return is === 'pending' ? 'pending' : is === 'unsure' ? 'yes' : 'no'
      }
      case 'eq':
      case 'has':
        return isOffered(expression[1], expression[2]) === 'no' ? 'no' : truthOfAtom(expression)
      case 'is':
      case 'any':
      case 'compare':
        return truthOfAtom(expression)
    }
  }
  function truthOfAtom(expression: Expression): Truth {
    const question = questionIn(expression)
    const is = standing(question)
    const countsNothing = expression[0] === 'compare' && expression[1][0] === 'count' && holds(expression, [])
    if (is === 'absent') return countsNothing ? 'yes' : 'no'
    return is === 'known' ? (holds(expression, known(question)) ? 'yes' : 'no') : is
  }

  /** What a pending condition waits for. */
  function needs(expression: Expression): string[] {
    if (truth(expression) !== 'pending') return []
    if (expression[0] === 'finding') return needs(findingOf(expression[1]))
    const parts = partsOf(expression)
    return parts.length > 0 ? parts.flatMap(needs) : asksFirst(questionOf(questionIn(expression)))
  }
  function asksFirst({ id, applies, options }: Question): string[] {
    const gates = whoAsks(id)
    const isAsked = gates.some((gate) => !gate || ['yes', 'unsure'].includes(truth(gate)))
    const gated = isAsked || told(id) !== undefined ? [] : gates.flatMap((gate) => (gate ? needs(gate) : []))
    const itself = applies ? needs(applies) : []
    const first = itself.length > 0 ? itself : gated
    const then = options?.flatMap((option) => (option.applies ? needs(option.applies) : [])) ?? []
    return first.length > 0 ? first : then.length > 0 ? then : [id]
  }

  function facts(expression: Expression): Fact[] {
    const head = expression[0]
    if (head === 'const') return []
    if (head === 'finding') return facts(findingOf(expression[1]))
    if (head === 'not') return facts(expression[1])
    if (head === 'and' || head === 'or' || head === 'atLeast') {
      const deciding = partsOf(expression).filter((part) => truth(part) === (head === 'and' ? 'no' : 'yes'))
      return (deciding.length > 0 ? deciding : partsOf(expression)).flatMap(facts)
    }
    const question = questionIn(expression)
    const is = standing(question)
    if (is === 'absent' || is === 'pending' || head === (is === 'unsure' ? 'known' : 'unsure')) return []
    const value = known(question)
    const state = is === 'unsure' ? 'unsure' : head === 'known' || holds(expression, value) ? 'present' : 'denied'
    return [{ question, value, state, ...(head === 'has' && { option: expression[2] }) }]
  }
  return { truth, needs, facts }
}

const findingOf = (id: string): Expression => release.findings[id] ?? expect.fail(`no finding ${id}`)
const firstOf = (order: readonly Truth[], truths: readonly Truth[]) => order.find((one) => truths.includes(one))

function partsOf(expression: Expression): Expression[] {
  if (expression[0] === 'not') return [expression[1]]
  if (expression[0] === 'and' || expression[0] === 'or') return expression.slice(1) as Expression[]
  return expression[0] === 'atLeast' ? (expression.slice(2) as Expression[]) : []
}

function questionIn(expression: Expression): string {
  if (expression[0] === 'compare') return expression[1][1]
  return typeof expression[1] === 'string' ? expression[1] : expect.fail(`no question in ${expression[0]}`)
}

function holds(expression: Expression, value: Value): boolean {
  if (expression[0] === 'is') return value === true
  if (expression[0] === 'eq') return value === expression[2]
  if (expression[0] === 'has') return Array.isArray(value) && value.includes(expression[2])
  if (expression[0] === 'any') return countOf(value) > 0
  return expression[0] === 'compare' && compares(measured(expression[1], value), expression[2], expression[3])
}

const countOf = (value: Value) => (Array.isArray(value) ? value.filter((option) => option !== 'none').length : 0)
const rounded = (value: number) => Math.round(value * 1e4) / 1e4

function measured([kind]: Operand, value: Value): number {
  if (kind === 'count') return countOf(value)
  if (kind === 'minutes') return isDuration(value) ? minutesOf(value) : Number.NaN
  return kind === 'number' ? Number(value) : rounded(Number(value) * (kind === 'months' ? 12 : 365.25))
}

function compares(value: number, comparison: Comparison, limit: number): boolean {
  if (comparison === '==') return value === limit
  if (comparison === '!=') return value !== limit
  if (comparison === '<') return value < limit
  if (comparison === '<=') return value <= limit
  return comparison === '>' ? value > limit : value >= limit
}

const AGES = [0, 0.02, 0.08, 0.25, 0.5, 1, 2.5, 5, 11, 12, 15.999, 16, 18, 35, 50, 65, 80]

/** Answers to some of the questions, asked or not, valid or not; the same for the same seed. */
function someAnswers(seed: number, share: number, complaints: readonly string[]): Answer[] {
  return Object.values(release.questions).flatMap((question): Answer[] => {
    const { id } = question
    const random = (what: string) => chance(`${seed} ${id} ${what}`)
    const isIntake = release.intake.includes(id)
    if (random('answered') > (isIntake ? Math.max(share, 0.9) : share)) return []
    if (id === 'complaints' && complaints.length > 0) return [{ question: id, value: complaints }]
    if (id === 'issue_type' && random('medical') < 0.8) return [{ question: id, value: 'regular' }]
    const several = question.options?.map((option) => option.id).filter((one) => one !== 'none' && random(one) < 0.2)
    const fitting = id === 'age' ? AGES : valuesOf(content, question)
    if (question.kind === 'many' && several && several.length > 0) fitting.push(several, several, several)
    const values = random('foreign') < 0.05 ? foreignValues(question) : fitting
    return [{ question: id, value: values[Math.floor(random('value') * values.length)] ?? null }]
  })
}

/** Every condition of the content, as written and as evaluated. */
function* conditions(): Generator<readonly [Expression, Test]> {
  for (const { question, applies, options } of content.questions) {
    if (question.applies && applies !== undefined) yield [question.applies, applies]
    for (const [at, { offered }] of options.entries()) {
      const written = question.options?.[at]?.applies
      if (written && offered !== undefined) yield [written, offered]
    }
  }
  for (const loaded of content.complaints.values()) {
    for (const { rule, when } of [...loaded.rules, ...loaded.reassuring]) yield [rule.when, when]
    for (const { item, when } of [...loaded.advice, ...loaded.safetyNet])
      if (item.when && when !== undefined) yield [item.when, when]
    for (const { differential: condition, when, for: pro, against } of loaded.differential) {
      if (condition.when && when !== undefined) yield [condition.when, when]
      for (const [at, one] of pro.entries()) if (condition.for[at]) yield [condition.for[at], one]
      for (const [at, one] of against.entries()) if (condition.against[at]) yield [condition.against[at], one]
    }
  }
}
const everyCondition = [...conditions()]

const medical = release.complaints.filter(({ kind }) => kind === 'complaint' || kind === 'general').map(({ id }) => id)
const patients = fc.record({
  seed: fc.nat(),
  share: fc.constantFrom(0, 0.1, 0.3, 0.6, 0.9, 1),
  complaints: fc.uniqueArray(fc.constantFrom(...medical), { maxLength: 3 }),
})

test('every condition of the content means what it plainly says, whatever has been answered', () => {
  expect(everyCondition.length).toBeGreaterThan(1000)
  const seen = new Set<Truth>()
  fc.assert(
    fc.property(patients, ({ seed, share, complaints }) => {
      const answers = someAnswers(seed, share, complaints)
      const findings = findingsFrom(content, answers)
      const meant = plainly(answers)
      for (const [expression, run] of everyCondition) {
        const truth = truthOf(findings.truths.of(run))
        seen.add(truth)
        const needed = new PendingQuestions(findings)
        needed.add(run)
        const facts: Fact[] = []
        collectFacts(run, findings, facts)
        const needs = [...needed.slots].map((slot) => content.questions[slot]?.question.id).sort()
        const wanted = [...new Set(meant.needs(expression))].sort()
        // Compared as text: a thousand conditions per patient are too many for a matcher each.
        const is = JSON.stringify({ truth, needs, facts })
        const should = JSON.stringify({ truth: meant.truth(expression), needs: wanted, facts: meant.facts(expression) })
        if (is !== should) expect(is, JSON.stringify(expression)).toBe(should)
      }
    }),
    { numRuns: 12 * SWEEP },
  )
  expect([...seen].sort()).toEqual(['no', 'pending', 'unsure', 'yes'])
})
