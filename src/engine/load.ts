import {
  type AdviceItem,
  type CompiledRelease,
  type Complaint,
  type Condition,
  type Language,
  LEVELS,
  type Question,
  type Rule,
} from './content.ts'
import { prepare, type Slots, type Test } from './evaluate.ts'
import type { Message } from './icu.ts'
import { limitsOf } from './limits.ts'

interface LoadedQuestion {
  readonly question: Question
  readonly applies: Test | undefined
  /** In the question's order, with the test that decides whether this patient is offered it. */
  readonly options: readonly { readonly id: string; readonly offered: Test | undefined }[]
  readonly hasConditionalOptions: boolean
}

export interface LoadedRule {
  readonly rule: Rule
  /** 0 for Level1 … 7 for Level8. */
  readonly rank: number
  readonly when: Test
}

export interface LoadedComplaint {
  readonly complaint: Complaint
  readonly applies: Test | undefined
  readonly slots: readonly number[]
  readonly always: readonly number[]
  readonly rules: readonly LoadedRule[]
  readonly reassuring: readonly LoadedRule[]
  /** Rank of `otherwise`; `NONE` when the complaint sets no urgency of itself. */
  readonly otherwise: number
  readonly conditions: readonly LoadedCondition[]
  readonly advice: readonly LoadedAdvice[]
  readonly safetyNet: readonly LoadedAdvice[]
}

interface LoadedCondition {
  readonly condition: Condition
  readonly when: Test | undefined
  readonly for: readonly Test[]
  readonly against: readonly Test[]
}

export interface LoadedAdvice {
  readonly item: AdviceItem
  readonly when: Test | undefined
}

/** A release ready to interview with. */
export interface Content {
  readonly release: CompiledRelease
  readonly questions: readonly LoadedQuestion[]
  readonly slotOf: ReadonlyMap<string, number>
  readonly findings: readonly Test[]
  readonly intake: readonly number[]
  readonly complaints: ReadonlyMap<string, LoadedComplaint>
  readonly emergency: LoadedComplaint | undefined
  /** The numbers that conditions compare with, by kind and question. */
  readonly limits: ReadonlyMap<string, readonly number[]>
  /** Messages parsed so far, by language and path. */
  readonly messages: Readonly<Record<Language, Map<string, Message>>>
}

/** The rank of "no urgency set": less urgent than every level. */
export const NONE: number = LEVELS.length

/** Prepares a compiled release; a release that speaks of something it does not contain cannot be loaded. */
export function loadContent(release: CompiledRelease): Content {
  if (release.format !== 1)
    throw new Error(`This release has format ${String(release.format)}; format 1 is understood.`)
  const ids = Object.keys(release.questions)
  const slotOf = new Map(ids.map((id, slot) => [id, slot]))
  const findingSlots = new Map(Object.keys(release.findings).map((id, slot) => [id, slot]))
  const findings: Test[] = []
  const offeredTests = new Map<string, Test>()
  const must = <T>(found: T | undefined, id: string): T => {
    if (found === undefined)
      throw new Error(`The release ${release.version} speaks of "${id}", which it does not contain.`)
    return found
  }
  const slots: Slots = {
    question: (id) => must(slotOf.get(id), id),
    finding: (id) => must(findingSlots.get(id), id),
    findingTest: (slot) => must(findings[slot], `finding ${slot}`),
    offered(question, option) {
      const written = release.questions[question]?.options?.find((one) => one.id === option)
      if (!written?.applies) return undefined
      const key = `${question} ${option}`
      const test = offeredTests.get(key) ?? prepare(written.applies, slots)
      offeredTests.set(key, test)
      return test
    },
  }
  for (const expression of Object.values(release.findings)) findings.push(prepare(expression, slots))
  const complaints = new Map(release.complaints.map((complaint) => [complaint.id, loadComplaint(complaint, slots)]))
  return {
    release,
    questions: Object.values(release.questions).map((question) => loadQuestion(question, slots)),
    slotOf,
    findings,
    intake: release.intake.map(slots.question),
    complaints,
    emergency: [...complaints.values()].find(({ complaint }) => complaint.kind === 'emergency'),
    limits: limitsOf(release),
    messages: { en: new Map(), fi: new Map(), no: new Map(), sv: new Map() },
  }
}

function loadQuestion(question: Question, slots: Slots): LoadedQuestion {
  const options = (question.options ?? []).map(({ id }) => ({ id, offered: slots.offered(question.id, id) }))
  return {
    question,
    applies: question.applies && prepare(question.applies, slots),
    options,
    hasConditionalOptions: options.some((option) => option.offered),
  }
}

function loadComplaint(complaint: Complaint, slots: Slots): LoadedComplaint {
  const test = (rule: Rule): LoadedRule => ({ rule, rank: LEVELS.indexOf(rule.level), when: prepare(rule.when, slots) })
  const advice = (item: AdviceItem): LoadedAdvice => ({ item, when: item.when && prepare(item.when, slots) })
  return {
    complaint,
    applies: complaint.applies && prepare(complaint.applies, slots),
    slots: complaint.questions.map(({ id }) => slots.question(id)),
    always: complaint.questions.filter(({ ask }) => ask === 'always').map(({ id }) => slots.question(id)),
    rules: complaint.rules.map(test),
    reassuring: complaint.reassuring.map(test),
    otherwise: complaint.otherwise ? LEVELS.indexOf(complaint.otherwise) : NONE,
    conditions: complaint.conditions.map((condition) => ({
      condition,
      when: condition.when && prepare(condition.when, slots),
      for: condition.for.map((line) => prepare(line, slots)),
      against: condition.against.map((line) => prepare(line, slots)),
    })),
    advice: complaint.advice.map(advice),
    safetyNet: complaint.safetyNet.map(advice),
  }
}
