import { type Conditions, numberConditions, type Test, TRUE } from './conditions/conditions.ts'
import { type Dependents, dependentsOf, type Gate } from './conditions/dependents.ts'
import { thresholdsOf } from './conditions/thresholds.ts'
import {
  type AdviceItem,
  type CompiledRelease,
  type Complaint,
  type Differential,
  type Expression,
  FORMAT,
  type Language,
  LEVELS,
  type Modifier,
  type Question,
  type Rule,
} from './content.ts'
import type { FirstAction } from './deciding/first-actions.ts'
import { type LoadedNames, loadNames } from './deciding/names.ts'
import { KINDS } from './kinds.ts'
import { perLanguage } from './languages.ts'
import { type Relations, relationsOf } from './relations.ts'
import type { Message } from './text/icu.ts'

export interface LoadedQuestion {
  readonly question: Question
  readonly applies: Test | undefined
  /** What a patient may choose from: its own options, the complaints, or nothing. */
  readonly offers: 'options' | 'complaints' | null
  /** In the question's order, with the test that decides whether this patient is offered it. */
  readonly options: readonly {
    readonly id: string
    readonly offered: Test | undefined
    /** The sign whose tick takes it away. */
    readonly unlessTold: string | undefined
  }[]
  readonly optionIds: readonly string[]
  /** As the question itself says: these are read for every question still to be asked. */
  readonly isSign: boolean
  readonly screen: string | undefined
  /** Whether a ticked sign takes an option away. */
  readonly hasDenying: boolean
  /** The conditions of the options that not everyone is offered. */
  readonly conditional: readonly Test[]
}

export interface LoadedRule {
  readonly rule: Rule
  readonly complaint: string
  /** As it is written; one level up, where a modifier raises it; or at its own level for "not sure". */
  readonly form: 'itself' | 'raised' | 'unsure'
  /** 0 for Level1 … 7 for Level8. */
  readonly rank: number
  readonly when: Test
}

export interface LoadedComplaint {
  readonly complaint: Complaint
  /** The path of the heading above its lists of signs. */
  readonly heading: string
  readonly applies: Test | undefined
  readonly slots: readonly number[]
  /** The condition under which it asks each of them: `TRUE` for what it asks of everybody. */
  readonly gates: ReadonlyMap<number, Test>
  /** The same in pairs, slot and condition, one after the other: they are gone through at every step. */
  readonly asks: Int32Array
  /** Signs of the emergency check that it asks about in questions of its own. */
  readonly covers: readonly number[]
  readonly always: readonly number[]
  /** Of the emergency check: asked of everyone, whatever their complaint. */
  readonly now: ReadonlyMap<number, Test | undefined>
  /** Of the emergency check: signs that the last look asks only in some families of complaints, or where a complaint calls for them. */
  readonly onCall: ReadonlyMap<number, readonly string[]>
  /** Of the emergency check: signs that stand before all others in the last look, and of whom. */
  readonly foremost: ReadonlyMap<number, Test>
  /** Of a complaint: such signs that it calls for, and of whom. */
  readonly calls: ReadonlyMap<number, Test | undefined>
  /** Most urgent first; the author's order within a level. */
  readonly rules: readonly LoadedRule[]
  readonly reassuring: readonly LoadedRule[]
  /** Rank of `otherwise`; `NONE` when the complaint sets no urgency of itself. */
  readonly otherwise: number
  readonly differential: readonly LoadedDifferential[]
  readonly advice: readonly LoadedAdvice[]
  readonly safetyNet: readonly LoadedAdvice[]
}

interface LoadedDifferential {
  readonly differential: Differential
  readonly when: Test | undefined
  readonly for: readonly Test[]
  readonly against: readonly Test[]
}

export interface LoadedAdvice {
  readonly item: AdviceItem
  /** The path of its words. */
  readonly path: string
  readonly when: Test | undefined
}

export interface LoadedFirstAction extends Omit<FirstAction, 'when'> {
  readonly when: Test | undefined
}

/** A release ready to interview with. */
export interface Content {
  readonly release: CompiledRelease
  readonly questions: readonly LoadedQuestion[]
  /** By slot: the condition under which a question applies; `TRUE` for what applies to everybody. */
  readonly applies: Int32Array
  readonly slotOf: ReadonlyMap<string, number>
  readonly conditions: Conditions
  /** What depends on the answer to a question. */
  readonly dependents: (slot: number) => Dependents
  /** By slot: the questions that follow up on it on the same screen. */
  readonly followUps: readonly (readonly number[])[]
  /** By slot: what other signs imply about a sign. */
  readonly relations: readonly Relations[]
  /** The lists of which each complaint offers what it reads. */
  readonly whereRead: readonly number[]
  readonly intake: readonly number[]
  readonly complaints: ReadonlyMap<string, LoadedComplaint>
  readonly emergency: LoadedComplaint | undefined
  /** The signs of the emergency check of which the last look chooses, and those of them that stand before the others for some. */
  readonly lastLook: { readonly signs: readonly number[]; readonly foremost: readonly number[] }
  /** What to do first, where another thing may take its place. */
  readonly firstActions: ReadonlyMap<string, LoadedFirstAction>
  /** The signs of each kind of danger that can be heard in own words. */
  readonly dangers: ReadonlyMap<string, readonly number[]>
  /** What typed names tell. */
  readonly named: LoadedNames
  /** Signs that only typed names, or own words, call for: nobody else is asked these. */
  readonly onlyNamed: ReadonlySet<number>
  /** The numbers that conditions compare an answer with, by kind and question. */
  readonly thresholds: (kind: string, question: string) => readonly number[]
  /** Messages parsed so far, by language and path. */
  readonly messages: Readonly<Record<Language, Map<string, Message>>>
}

/** The rank of "no urgency set": less urgent than every level. */
export const NONE: number = LEVELS.length

/** Prepares a compiled release; one that refers to something it does not contain cannot be loaded. */
export function loadContent(release: CompiledRelease): Content {
  if (release.format !== FORMAT)
    throw new Error(`This release has format ${String(release.format)}; format ${FORMAT} is understood.`)
  const slotOf = new Map(Object.keys(release.questions).map((id, slot) => [id, slot]))
  const must = <T>(found: T | undefined, id: string): T => {
    if (found === undefined)
      throw new Error(`The release ${release.version} speaks of "${id}", which it does not contain.`)
    return found
  }
  const slot = (id: string) => must(slotOf.get(id), id)
  const offers = conditionalOffers(release)
  const { prepare, all, finish } = numberConditions({
    question: slot,
    finding: (id) => must(release.findings[id], id),
    offered: (question, option) => offers.get(question)?.get(option),
  })
  for (const expression of Object.values(release.findings)) prepare(expression)
  const complaints = new Map(release.complaints.map((one) => [one.id, loadComplaint(one, slot, prepare, all)]))
  const questions = Object.values(release.questions).map((question) => loadQuestion(question, prepare))
  const firstActions = new Map(
    (release.firstActions ?? []).map(({ when, ...one }) => [one.id, { ...one, when: when && prepare(when) }]),
  )
  const conditions = finish()
  const relations = relationsOf(
    questions.map(({ question }) => question),
    slot,
  )
  const emergency = [...complaints.values()].find(({ complaint }) => complaint.kind === 'emergency')
  const onlyNamed = new Set([
    ...(release.named?.asks ?? []).flatMap(({ signs }) => signs.map(slot)),
    ...onlyTold(release).map(slot),
  ])
  const lookedAt = (emergency?.slots ?? []).filter((one) => questions[one]?.isSign && !onlyNamed.has(one))
  return {
    release,
    questions,
    applies: Int32Array.from(questions, ({ applies = TRUE }) => applies),
    slotOf,
    conditions,
    dependents: dependentsLater(conditions, questions, complaints, relations),
    followUps: followUpsOf(questions, slotOf),
    relations,
    whereRead: questions.flatMap(({ question }, at) => (question.options?.some((one) => one.whereRead) ? at : [])),
    intake: release.intake.map(slot),
    complaints,
    emergency,
    lastLook: { signs: lookedAt, foremost: lookedAt.filter((one) => emergency?.foremost.has(one)) },
    firstActions,
    dangers: new Map(release.dangers.map(({ id, signs }) => [id, signs.map(slot)])),
    named: loadNames(release, slot),
    onlyNamed,
    thresholds: thresholdsLater(release),
    messages: perLanguage(() => new Map()),
  }
}

/** Signs of the emergency check that no family of complaints is asked in the last look: only own words call for them. */
const onlyTold = ({ complaints }: CompiledRelease): string[] =>
  complaints.flatMap(({ onCall = [] }) => onCall.flatMap(({ id, families }) => (families.length === 0 ? id : [])))

/** A look-up that is made when someone first asks: only the search for what would change an outcome does. */
function onFirstUse<Key extends unknown[], Found>(make: () => (...key: Key) => Found): (...key: Key) => Found {
  let look: ((...key: Key) => Found) | undefined
  return (...key) => {
    look ??= make()
    return look(...key)
  }
}

// They stand here and not where they are used: there they would hold what only loading needs.
const dependentsLater = (
  conditions: Conditions,
  questions: readonly LoadedQuestion[],
  complaints: ReadonlyMap<string, LoadedComplaint>,
  relations: readonly Relations[],
) => onFirstUse(() => dependentsOf(conditions, questions, gatesOf(complaints), relations))
const thresholdsLater = (release: CompiledRelease) => onFirstUse(() => thresholdsOf(release))

function* gatesOf(complaints: ReadonlyMap<string, LoadedComplaint>): Generator<Gate> {
  for (const { gates } of complaints.values()) yield* gates
}

type Prepare = (expression: Expression) => Test

function loadQuestion(question: Question, prepare: Prepare): LoadedQuestion {
  const options = (question.options ?? []).map(({ id, applies, unlessTold }) => ({
    id,
    offered: applies && prepare(applies),
    unlessTold,
  }))
  return {
    question,
    applies: question.applies && prepare(question.applies),
    offers: offersOf(question),
    options,
    optionIds: options.map(({ id }) => id),
    isSign: question.kind === 'sign',
    screen: question.screen,
    hasDenying: options.some(({ unlessTold }) => unlessTold !== undefined),
    conditional: [...new Set(options.flatMap(({ offered }) => offered ?? []))],
  }
}

function offersOf({ kind }: Question): LoadedQuestion['offers'] {
  if (KINDS[kind].texts === 'complaint') return 'complaints'
  return KINDS[kind].chooses ? 'options' : null
}

function loadComplaint(
  complaint: Complaint,
  slot: (id: string) => number,
  prepare: Prepare,
  all: (tests: readonly Test[]) => Test,
): LoadedComplaint {
  const load = (rule: Rule, when: Test, form: LoadedRule['form'] = 'itself'): LoadedRule => ({
    rule,
    complaint: complaint.id,
    form,
    rank: LEVELS.indexOf(rule.level),
    when,
  })
  const modifiers = (complaint.modifiers ?? []).map((modifier) => ({ modifier, when: prepare(modifier.when) }))
  const rules: LoadedRule[] = []
  for (const rule of complaint.rules) {
    const { id, ifUnsure } = rule
    const when = prepare(rule.when)
    rules.push(load(rule, when))
    for (const one of modifiers)
      if (one.modifier.rules.includes(id))
        rules.push(load(raisedBy(one.modifier, rule), all([when, one.when]), 'raised'))
    if (ifUnsure !== 'ignore' && ifUnsure !== 'apply') rules.push(load({ ...rule, level: ifUnsure }, when, 'unsure'))
  }
  const gates = new Map(complaint.questions.map(({ id, when }) => [slot(id), when ? prepare(when) : TRUE]))
  const advice = (kind: 'advice' | 'safetyNet'): LoadedAdvice[] =>
    complaint[kind].map((item) => ({
      item,
      path: `${kind}.${complaint.id}.${item.id}`,
      when: item.when && prepare(item.when),
    }))
  return {
    complaint,
    heading: `complaint.${complaint.id}.heading`,
    applies: complaint.applies && prepare(complaint.applies),
    slots: complaint.questions.map(({ id }) => slot(id)),
    gates,
    asks: Int32Array.from([...gates].flat()),
    covers: (complaint.covers ?? []).map(slot),
    always: complaint.questions.filter(({ ask }) => ask === 'always').map(({ id }) => slot(id)),
    now: new Map((complaint.now ?? []).map(({ id, when }) => [slot(id), when && prepare(when)])),
    onCall: new Map((complaint.onCall ?? []).map(({ id, families }) => [slot(id), families])),
    foremost: new Map((complaint.foremost ?? []).map(({ id, when }) => [slot(id), prepare(when)])),
    calls: new Map((complaint.calls ?? []).map(({ id, when }) => [slot(id), when && prepare(when)])),
    rules: rules.sort((a, b) => a.rank - b.rank),
    reassuring: complaint.reassuring.map((rule) => load(rule, prepare(rule.when))),
    otherwise: complaint.otherwise ? LEVELS.indexOf(complaint.otherwise) : NONE,
    differential: complaint.differential.map((differential) => ({
      differential,
      when: differential.when && prepare(differential.when),
      for: differential.for.map((line) => prepare(line)),
      against: differential.against.map((line) => prepare(line)),
    })),
    advice: advice('advice'),
    safetyNet: advice('safetyNet'),
  }
}

/** A rule as it is where a modifier holds: one level more urgent. */
const raisedBy = ({ when, sources }: Modifier, rule: Rule): Rule => ({
  ...rule,
  level: LEVELS[LEVELS.indexOf(rule.level) - 1] ?? rule.level,
  when: ['and', rule.when, when],
  ifUnsure: rule.ifUnsure === 'apply' ? 'apply' : 'ignore',
  sources: [...new Set([...rule.sources, ...sources])],
})

/** By question and option the conditions of the options that not everyone is offered. */
function conditionalOffers({ questions }: CompiledRelease): Map<string, Map<string, Expression>> {
  const offers = new Map<string, Map<string, Expression>>()
  for (const { id, options = [] } of Object.values(questions)) {
    const conditional = options.flatMap(({ id, applies }) => (applies ? [[id, applies] as const] : []))
    if (conditional.length > 0) offers.set(id, new Map(conditional))
  }
  return offers
}

/** By slot the questions that an answer to it calls for. */
function followUpsOf(questions: readonly LoadedQuestion[], slotOf: ReadonlyMap<string, number>): number[][] {
  const next: number[][] = questions.map(() => [])
  for (const [slot, { question }] of questions.entries())
    if (question.followUp) next[slotOf.get(question.followUp.of) ?? -1]?.push(slot)
  return next
}
