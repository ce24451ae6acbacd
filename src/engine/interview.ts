import { ABSENT, PENDING } from './conditions/evaluate.ts'
import {
  type Alarm,
  type Answer,
  type AskedQuestion,
  LEVELS,
  type LedgerEntry,
  type Stage,
  type Step,
  type StepFacts,
  type Value,
} from './content.ts'
import { assess, heldRules, type Verdict } from './deciding/assess.ts'
import { hasNamedComplaint, isIdleFollowUp } from './deciding/checked.ts'
import { type Choice, chooseNext } from './deciding/choose.ts'
import { outcomeOf, trueRules } from './deciding/conclude.ts'
import { factsOf } from './deciding/facts.ts'
import { findingsFrom, type InterviewFindings } from './deciding/findings.ts'
import { firstActionsOf } from './deciding/first-actions.ts'
import { refuseValue } from './kinds.ts'
import type { Content } from './load.ts'

/** Values known before the interview, offered for confirmation when their question comes. */
export type Given = Readonly<Record<string, Value>>

/** What happens next, given everything the patient has said. Pure: same answers, same step. */
export function interview(content: Content, answers: readonly Answer[], given: Given = {}): Step {
  const findings = findingsFrom(content, answers)
  const verdict = assess(findings)
  const { next, left } = chooseNext(findings, verdict, given)
  const ledger = ledgerOf(findings)
  const alarms = alarmsOf(findings, verdict)
  const facts: StepFacts = {
    stage: next?.stage ?? 'review',
    progress: { answered: ledger.length, left },
    alarms: alarms.filter(({ level }) => level !== 'Level4'),
    warnings: alarms.filter(({ level }) => level === 'Level4'),
    firstActions: alarms.length > 0 ? firstActionsOf(trueRules(findings, verdict), findings) : [],
    obsolete: obsoleteOf(findings),
    ledger,
  }
  if (!next) return { ...facts, kind: 'done', outcome: outcomeOf(findings, verdict, true) }
  const title = titleOf(findings, next, ledger)
  const note = noteOf(findings, next)
  return {
    ...facts,
    kind: 'ask',
    questions: next.slots.map((slot) => askedAt(slot, findings, given, next)),
    ...(title !== undefined && { title }),
    ...(note !== undefined && { note }),
    because: next.because,
  }
}

/** The path of the heading above several questions; for signs it depends on who wants to know them: what several complaints ask has no complaint's heading. */
function titleOf(
  findings: InterviewFindings,
  { slots, because }: Choice,
  ledger: readonly LedgerEntry[],
): string | undefined {
  const { content, complaints } = findings
  if (because.kind === 'understood') return 'screen.understood'
  const first = content.questions[slots[0] ?? -1]?.question
  if (first?.kind !== 'sign')
    return slots.length > 1 && first?.screen !== undefined ? `screen.${first.screen}` : undefined
  if (because.kind === 'last-look') return 'screen.last-look'
  if (because.kind === 'heard') return isOnlyNamed(findings, slots) ? 'screen.named' : 'screen.heard'
  const id = because.kind === 'rule' ? because.complaint : (complaints[0]?.complaint.id ?? '')
  const asking = content.complaints.get(id)
  const isOfAnother = (slot: number) => !asking?.gates.has(slot) && complaints.some(({ gates }) => gates.has(slot))
  if (slots.some(isOfAnother)) return 'screen.signs'
  const heading = asking?.heading
  // Whoever reads the same words again thinks that the page is stuck.
  const further = asking === content.emergency ? 'screen.further-now' : 'screen.further'
  return ledger.some(({ title }) => title === heading) ? further : heading
}

/** Whether nothing but a name leads to these signs, as of a medicine that many take: no danger was told of yet. */
function isOnlyNamed(findings: InterviewFindings, slots: readonly number[]): boolean {
  const told = new Set((findings.heard?.dangers ?? []).flatMap(({ kind }) => findings.signsOf(kind)))
  return slots.every((slot) => findings.calledFor.includes(slot) && !told.has(slot))
}

/** Where the words are found that go with the danger that was heard, if it has some and one of its signs is asked here; or that say why something is asked once more. */
function noteOf(findings: InterviewFindings, { slots, because }: Choice): string | undefined {
  if (because.kind === 'doubted') return 'note.doubted'
  if (because.kind !== 'heard') return undefined
  const kind = findings.heard?.dangers.find(({ kind }) => {
    const hasNote = findings.content.release.dangers.some(({ id, note }) => id === kind && note)
    return hasNote && findings.signsOf(kind).some((slot) => slots.includes(slot))
  })?.kind
  return kind === undefined ? undefined : `note.${kind}`
}

/** A question as this patient is asked it: with the options offered, and what was given if it is still an answer. */
function askedAt(slot: number, findings: InterviewFindings, given: Given, { proposals }: Choice): AskedQuestion {
  const loaded = findings.content.questions[slot]
  if (!loaded) throw new Error('The engine chose a question that the content does not have.')
  const { question } = loaded
  const offered = findings.offered(slot)
  const proposal = proposals?.get(slot)
  // What was left out beside words that tell of another matter is asked by itself, with that.
  const told = question.usual === undefined ? undefined : findings.heard?.matter
  const known = proposal ? proposal.value : question.kind === 'sign' ? undefined : (told ?? given[question.id])
  const usable = known !== undefined && known !== null && refuseValue(question, known, offered) === undefined
  // Most are signs, with nothing to add: they need no copy.
  if (!loaded.offers && !usable && !proposal) return question
  // Whoever was given an answer confirms it: nothing else is meant by leaving it out.
  const { usual, ...others } = question
  return {
    ...(usable ? others : question),
    ...(loaded.offers && { offered }),
    ...(usable && { given: known }),
    ...(proposal && { proposal }),
  }
}

/** The alarms that stand after these answers, most urgent first. */
export function alarmsAfter(content: Content, answers: readonly Answer[]): Alarm[] {
  const findings = findingsFrom(content, answers)
  return alarmsOf(findings, assess(findings)).filter(({ level }) => level !== 'Level4')
}

const LEAST_ALARMING = LEVELS.indexOf('Level4')

/** True rules of Level1–4, most urgent first. */
function alarmsOf(findings: InterviewFindings, verdict: Verdict): Alarm[] {
  const alarms: Alarm[] = []
  for (const { loaded, danger } of verdict.emergency
    ? [verdict.emergency, ...verdict.complaints]
    : verdict.complaints) {
    if (danger > LEAST_ALARMING) continue
    for (const [rule] of heldRules(loaded, findings)) {
      if (rule.rank > LEAST_ALARMING) break
      const { id, level } = rule.rule
      alarms.push({ level, complaint: rule.complaint, rule: id, answers: factsOf([rule.when], findings) })
    }
  }
  return alarms.sort((a, b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level))
}

function ledgerOf(findings: InterviewFindings): LedgerEntry[] {
  const { content, answered } = findings
  const ledger: LedgerEntry[] = []
  const menu = answered.indexOf(content.slotOf.get('complaints') ?? -1)
  for (const [at, slot] of answered.entries()) {
    const standing = findings.standing(slot)
    const loaded = content.questions[slot]
    if (!loaded || standing === ABSENT || standing === PENDING) continue
    const question = loaded.question.id
    const value = findings.said(slot) ?? null
    const stage = stageOf(findings, slot)
    if (!loaded.isSign) ledger.push({ question, value, stage })
    else ledger.push({ question, value, stage, title: listTitleOf(findings, slot, menu < 0 || at < menu) })
  }
  return ledger
}

/** The heading of the list in which a sign was asked: of the emergency check, of a complaint, or of the last look; or under which it was proposed. */
function listTitleOf(findings: InterviewFindings, slot: number, isBeforeComplaint: boolean): string {
  const { complaints, emergency } = findings
  if (findings.volunteered.has(slot)) return 'screen.understood'
  const isAtOnce = findings.isCore(slot) || findings.heardSigns.has(slot)
  const isOfTheCheck = isAtOnce || isBeforeComplaint || !hasNamedComplaint(findings)
  const isInTheCheck = emergency?.gates.has(slot) === true && !findings.isNo(emergency.gates.get(slot))
  const asking = isOfTheCheck && isInTheCheck ? emergency : complaints.find(({ gates }) => gates.has(slot))
  return asking?.heading ?? 'screen.last-look'
}

function stageOf(findings: InterviewFindings, slot: number): Stage {
  if (findings.content.intake.includes(slot)) return 'intake'
  return findings.emergency?.gates.has(slot) && !isIdleFollowUp(slot, findings) ? 'emergency' : 'chat'
}

function obsoleteOf(findings: InterviewFindings): string[] {
  const unused = findings.answered.filter((slot) => {
    const standing = findings.standing(slot)
    // What still waits to know whether it applies may count yet.
    return standing === ABSENT || (standing === PENDING && findings.waitsFor(slot).length === 0)
  })
  return [...unused.map((slot) => findings.content.questions[slot]?.question.id ?? ''), ...findings.strangers]
}
