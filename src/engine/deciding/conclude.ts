import type { Test } from '../conditions/conditions.ts'
import { ABSENT, NO, PENDING, type TruthMark, Truths, UNSURE, YES } from '../conditions/evaluate.ts'
import {
  type AdviceItem,
  type Answer,
  type Consideration,
  type Fact,
  LEVELS,
  type Level,
  type Outcome,
  type Question,
  type Reason,
  type RedFlag,
  type Rule,
  type Value,
} from '../content.ts'
import { flagAt } from '../flags.ts'
import { issueTypeOf } from '../intake.ts'
import type { Content, LoadedAdvice, LoadedComplaint, LoadedRule } from '../load.ts'
import { NONE } from '../load.ts'
import { assess, dangerOf, heldRules, type Verdict } from './assess.ts'
import { whatWouldChange } from './changes.ts'
import { chooseNext } from './choose.ts'
import { factsOf } from './facts.ts'
import { findingsFrom, type InterviewFindings } from './findings.ts'
import { firstActionsOf } from './first-actions.ts'
import { intakeValue } from './matter.ts'

/** The outcome of a finished or stopped interview, with the single answers that would have changed its level. */
export function conclude(content: Content, answers: readonly Answer[]): Outcome {
  const findings = findingsFrom(content, answers)
  const verdict = assess(findings)
  const complete = chooseNext(findings, verdict).next === undefined
  return { ...outcomeOf(findings, verdict, complete), changes: whatWouldChange(content, answers) }
}

/** The outcome of the answers so far if nothing more is said: only alarms give urgency. */
export function outcomeSoFar(content: Content, answers: readonly Answer[]): Outcome {
  const findings = findingsFrom(content, answers)
  return outcomeOf(findings, assess(findings), false)
}

/** The outcome without the search for what would change it. A stopped interview has only the urgency of its alarms. */
export function outcomeOf(findings: InterviewFindings, verdict: Verdict, complete: boolean): Outcome {
  const rank = complete ? verdict.rank : dangerOf(verdict)
  const level = LEVELS[rank] ?? null
  const reasons = reasonsFor(findings, verdict, complete)
  const firstActions = firstActionsOf(trueRules(findings, verdict), findings)
  const truths = new Truths(findings.content.conditions, findings, undefined, true)
  const isSaid = (action: string) => {
    const instead = findings.content.firstActions.get(action)?.instead
    return [action, instead].some((id) => firstActions.includes(`first.${id}`))
  }
  return {
    issueType: issueTypeOf(intakeValue(findings, 'issue_type')),
    complaints: findings.complaints.map(({ complaint }) => complaint.id),
    complete,
    level,
    flag: flagAt(rank),
    reasons: reasons.filter((reason) => reason.level === level),
    alsoTrue: reasons.filter((reason) => reason.level !== level && reason.rule !== 'otherwise'),
    changes: [],
    redFlags: redFlagsOf(findings),
    unconfirmed: unconfirmedOf(findings),
    considerations: considerationsFor(findings, verdict),
    firstActions,
    advice: textsFor('advice', level, findings, verdict, truths, isSaid),
    safetyNet: textsFor('safetyNet', level, findings, verdict, truths, isSaid),
  }
}

/** What own words told of danger and no sign of it has confirmed: never lost, never more than it is. */
function unconfirmedOf(findings: InterviewFindings): Outcome['unconfirmed'] {
  const isThere = (slot: number) => findings.standing(slot) === YES && findings.value(slot) === true
  return (findings.heard?.dangers ?? [])
    .filter(({ kind }) => !findings.signsOf(kind).some(isThere))
    .map(({ kind, words }) => ({ kind, words }))
}

/** The rules that hold, without those that only reassure. */
export function trueRules(findings: InterviewFindings, { emergency, complaints }: Verdict): Rule[] {
  const all = emergency ? [emergency, ...complaints] : complaints
  return all.flatMap(({ loaded }) => [...heldRules(loaded, findings)].map(([{ rule }]) => rule))
}

/** Every rule that holds, most urgent first; a complaint without one gives its reassuring rule or `otherwise`. */
function reasonsFor(findings: InterviewFindings, verdict: Verdict, complete: boolean): Reason[] {
  const reasons: Reason[] = []
  for (const assessment of verdict.emergency ? [verdict.emergency, ...verdict.complaints] : verdict.complaints) {
    const { loaded, danger } = assessment
    const add = (rule: LoadedRule, mark: TruthMark) => reasons.push(reasonOf(loaded, rule, mark === UNSURE, findings))
    for (const [rule, mark] of heldRules(loaded, findings)) add(rule, mark)
    if (danger < NONE || loaded.otherwise === NONE || !complete) continue
    const calming = loaded.reassuring.filter(({ when }) => findings.truths.of(when) === YES)
    for (const rule of calming) add(rule, YES)
    const level = LEVELS[loaded.otherwise]
    if (calming.length === 0 && level) {
      reasons.push({
        complaint: loaded.complaint.id,
        rule: 'otherwise',
        level,
        unsure: false,
        answers: toldOf(loaded, findings),
        sources: [],
      })
    }
  }
  return reasons.sort((a, b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level))
}

/** What the judgement rests on where no rule tells it: what was chosen where it was asked what it is like, else what was ticked in its lists, else how long it has lasted. */
const TELLING: readonly ((question: Question) => boolean)[] = [
  ({ screen, options }) => screen === 'picture' && options !== undefined,
  ({ kind, section }) => section === 'findings' && (kind === 'sign' || kind === 'many'),
  ({ section }) => section === 'timing',
]

function toldOf({ slots }: LoadedComplaint, findings: InterviewFindings): Fact[] {
  const told = (belongs: (question: Question) => boolean) =>
    slots.flatMap((slot): Fact[] => {
      const question = findings.content.questions[slot]?.question
      if (!question || !belongs(question) || findings.standing(slot) !== YES) return []
      const value = findings.value(slot)
      const isNone = Array.isArray(value) ? value.every((option) => option === 'none') : value === false
      return isNone ? [] : [{ question: findings.askedAs(question.id), value, state: 'present' }]
    })
  return TELLING.map(told).find(({ length }) => length > 0) ?? []
}

/** Why a rule holds: what it reads; where that is only who the patient is and what they deny, what they told as well. */
function reasonOf(
  loaded: LoadedComplaint,
  { rule, when }: LoadedRule,
  unsure: boolean,
  findings: InterviewFindings,
): Reason {
  const { complaint } = loaded
  const { intake } = findings.content.release
  const facts = factsOf([when], findings)
  const isTold = facts.some(({ state, question }) => state !== 'denied' && !intake.includes(question))
  return {
    complaint: complaint.id,
    rule: rule.id,
    level: rule.level,
    unsure,
    answers: isTold ? facts : [...facts, ...toldOf(loaded, findings)],
    sources: rule.sources.flatMap((id) => complaint.sources[id] ?? []),
  }
}

/** Those of the complaints, of one that several point to all together; before them what only the emergency check points to, where one of its rules holds. */
function considerationsFor(findings: InterviewFindings, { emergency }: Verdict): Consideration[] {
  const own = findings.complaints.flatMap((loaded) => considerationsOf(loaded, findings))
  const ofCheck = emergency && emergency.danger < NONE ? considerationsOf(emergency.loaded, findings) : []
  const isOwn = ({ differential }: Consideration) => own.some((one) => one.differential === differential)
  const all = [...ofCheck.filter((one) => !isOwn(one)), ...own, ...ofCheck.filter(isOwn)]
  return [...Map.groupBy(all, ({ differential }) => differential).values()].flatMap((alike) =>
    alike.slice(0, 1).map((first) => ({
      ...first,
      for: onceEach(alike.flatMap((one) => one.for)),
      against: onceEach(alike.flatMap((one) => one.against)),
    })),
  )
}

const onceEach = (facts: readonly Fact[]): Fact[] => [
  ...new Map(facts.map((fact) => [`${fact.question} ${fact.option ?? ''}`, fact])).values(),
]

function considerationsOf(loaded: LoadedComplaint, findings: InterviewFindings): Consideration[] {
  return loaded.differential.flatMap((one): Consideration[] => {
    const speaking = (tests: readonly Test[]) => tests.filter((test) => findings.truths.of(test) === YES)
    const pro = speaking(one.for)
    const listed = one.when !== undefined ? findings.truths.of(one.when) === YES : pro.length > 0
    if (!listed) return []
    // A sign that would speak for it and was denied speaks against it.
    const missing = one.for.filter((test) => findings.truths.of(test) === NO)
    const denied = factsOf(missing, findings).filter(({ state, value }) => state === 'denied' && value === false)
    const against = factsOf(speaking(one.against), findings)
    const isSaid = ({ question }: Fact) => against.some((fact) => fact.question === question)
    return [
      {
        complaint: loaded.complaint.id,
        differential: one.differential.id,
        for: factsOf(pro, findings),
        against: [...against, ...denied.filter((fact) => !isSaid(fact))],
      },
    ]
  })
}

/**
 * The complaints' advice for this level, by path of the words; advice for every level also holds where no urgency is
 * set. What contradicts or repeats something that is to be done first is left out, and what another complaint has said
 * already. The emergency check adds its own when one of its rules holds.
 */
function textsFor(
  kind: 'advice' | 'safetyNet',
  level: Level | null,
  findings: InterviewFindings,
  { emergency }: Verdict,
  truths: Truths,
  isSaid: (action: string) => boolean,
): string[] {
  const isFor = ({ id, levels, unless = [] }: AdviceItem) =>
    (level === null ? levels.length === LEVELS.length : levels.includes(level)) && ![id, ...unless].some(isSaid)
  const isSaidBy = ({ item, when }: LoadedAdvice) => isFor(item) && (when === undefined || truths.of(when) === YES)
  const spoken = emergency && emergency.danger < NONE ? [...findings.complaints, emergency.loaded] : findings.complaints
  const all = spoken.flatMap((loaded) => loaded[kind].filter(isSaidBy))
  const { saidOnce = [] } = findings.content.release
  const isFirst = (at: number, id: string) => all.findIndex(({ item }) => item.id === id) === at
  return all.filter(({ item: { id } }, at) => !saidOnce.includes(id) || isFirst(at, id)).map(({ path }) => path)
}

/** Red flags of the emergency check and of the complaints, in the order in which they would be asked. */
function redFlagsOf(findings: InterviewFindings): RedFlag[] {
  const flags: RedFlag[] = []
  const slots = new Set([
    ...(findings.emergency?.slots ?? []),
    ...findings.complaints.flatMap((loaded) => loaded.slots),
  ])
  for (const slot of slots) {
    const question = findings.content.questions[slot]?.question
    const standing = findings.standing(slot)
    if (!question || standing === ABSENT) continue
    const state = (chosen: (value: Value) => boolean): RedFlag['state'] => {
      if (standing === PENDING) return 'not-asked'
      if (standing === UNSURE) return 'unsure'
      return chosen(findings.value(slot)) ? 'present' : 'denied'
    }
    if (question.redFlag) flags.push({ question: question.id, state: state((value) => value === true) })
    const offered = question.options?.some((option) => option.redFlag) ? findings.offered(slot) : []
    for (const { id, redFlag } of question.options ?? []) {
      if (!redFlag || !offered.includes(id)) continue
      flags.push({
        question: question.id,
        option: id,
        state: state((value) => value === id || (Array.isArray(value) && value.includes(id))),
      })
    }
  }
  return flags
}
