import { PENDING, YES } from '../conditions/evaluate.ts'
import { PendingQuestions } from '../conditions/pending-questions.ts'
import { type Because, type Complaint, LEVELS, type Proposal, type Stage, type Value } from '../content.ts'
import { type LoadedRule, NONE } from '../load.ts'
import type { Assessment, Verdict } from './assess.ts'
import { hasNamedComplaint, isCalledFor, isIdleFollowUp } from './checked.ts'
import type { InterviewFindings } from './findings.ts'
import { isMedical, isRequest } from './matter.ts'
import { proposalsFor } from './proposals.ts'

/** The next screen: questions that belong together, or one alone. */
export interface Choice {
  readonly slots: readonly number[]
  readonly stage: Stage
  readonly because: Because
  /** What is proposed as the answer to some of them. */
  readonly proposals?: ReadonlyMap<number, Proposal>
}

/** What is still to be asked: the next screen, and roughly how many there are. */
export interface Remaining {
  readonly next: Choice | undefined
  readonly left: number
}

const SUMMARY: Because = { kind: 'summary' }
const INTAKE: Because = { kind: 'intake' }

const LAST_LOOK: Because = { kind: 'last-look' }
const HEARD: Because = { kind: 'heard' }
const UNDERSTOOD: Because = { kind: 'understood' }
const DOUBTED: Because = { kind: 'doubted' }

/**
 * Intake first, then the emergency check, then the complaint. A danger that own words tell of surely comes before the menu of complaints, and with
 * the menu what else was heard in them, or told beforehand, is proposed.
 */
export function chooseNext(
  findings: InterviewFindings,
  verdict: Verdict,
  told: Readonly<Record<string, Value>> = {},
): Remaining {
  const intake = findings.content.intake.filter((slot) => findings.standing(slot) === PENDING)
  const emergency = verdict.emergency ? wantedBy([verdict.emergency], NONE, [], findings) : NOTHING
  const chat = wantedBy(
    verdict.complaints,
    verdict.emergency?.danger ?? NONE,
    findings.emergency?.slots ?? [],
    findings,
  )
  const wantedSlots = [...emergency.slots, ...chat.slots.filter((slot) => !emergency.has(slot))]
  const left = screensIn([...intake, ...wantedSlots], findings)

  const first = intake[0]
  const isMenu = first === findings.content.slotOf.get('complaints')
  const isTold = first !== undefined && findings.content.questions[first]?.question.whenTold !== undefined
  const isThere = first === undefined || isMenu || isTold
  const followUp = isThere ? followUpIn(emergency, findings) : undefined
  if (followUp !== undefined)
    return { next: { slots: [followUp], stage: 'emergency', because: emergency.first?.because ?? SUMMARY }, left }
  const heard = isThere ? heardScreen(findings, emergency) : []
  if (heard.length > 0) return { next: { slots: heard, stage: 'emergency', because: HEARD }, left }
  if (first !== undefined) {
    const proposals = isMenu ? proposalsFor(findings, told) : new Map()
    const isUnderstood = isMenu && (proposals.size > 0 || findings.heard?.complaints.some(({ score }) => score > 0))
    const slots = isUnderstood ? [first, ...proposals.keys()] : screenOf(first, intake, findings)
    return { next: { slots, stage: 'intake', because: isUnderstood ? UNDERSTOOD : INTAKE, proposals }, left }
  }
  const [doubted] = findings.doubted.filter((slot) => findings.standing(slot) === PENDING)
  if (doubted !== undefined)
    return { next: { slots: [doubted], stage: emergency.first ? 'intake' : 'chat', because: DOUBTED }, left }
  const measured = measuredIn(findings)
  if (measured.length > 0) return { next: { slots: measured, stage: 'chat', because: SUMMARY }, left }
  const unseen = lastLook(findings, verdict)
  const isOfTheCheck = (slot: number) => !hasNamedComplaint(findings) || isNow(slot, findings)
  for (const [stage, { first: wanted, slots }] of [
    ['emergency', emergency.first && isOfTheCheck(emergency.first.slot) ? emergency : NOTHING],
    // A sign that the emergency check wants too is asked with the signs of the complaint that asks about it.
    ['chat', { ...chat, slots: wantedSlots }],
    ['emergency', emergency],
  ] as const) {
    if (!wanted) continue
    const screen = screenOf(wanted.slot, slots, findings)
    const isBeforeDanger = unseen.length > 0 || emergency.first !== undefined
    if (stage === 'chat' && isBeforeDanger && isJustTelling(screen, findings)) continue
    return { next: { slots: screen, stage, because: wanted.because }, left: left + (unseen.length > 0 ? 1 : 0) }
  }
  const next = unseen.length > 0 ? { slots: unseen, stage: 'emergency' as const, because: LAST_LOOK } : undefined
  return { next, left: left + (next ? 1 : 0) }
}

/** A request has no menu on which what was heard is confirmed: a number that its questionnaire reads is asked for before it. */
function measuredIn(findings: InterviewFindings): number[] {
  if (isMedical(findings)) return []
  const isRead = (slot: number) =>
    findings.content.questions[slot]?.question.kind === 'number' &&
    findings.complaints.some(({ slots }) => slots.includes(slot))
  return [...proposalsFor(findings, {}).keys()].filter(isRead)
}

/** What the emergency check asks as soon as one of its signs is ticked: whoever has said that much is asked on at once. */
const followUpIn = ({ slots }: Wanted, findings: InterviewFindings): number | undefined =>
  slots.find(
    (slot) =>
      findings.emergency?.gates.has(slot) &&
      !isSign(slot, findings) &&
      !isIdleFollowUp(slot, findings) &&
      isAskable(slot, findings),
  )

/** Own words and pictures decide nothing, so they are asked last, after every danger. */
const isJustTelling = (screen: readonly number[], { content }: InterviewFindings): boolean =>
  screen.every((slot) => ['text', 'photo'].includes(content.questions[slot]?.question.kind ?? ''))

/** Ranks of the mildest levels that are given without a last look, and to whoever is not sure of a danger. */
const SAID_WITHOUT = LEVELS.indexOf('Level5')
const DOUBTED_WITHOUT = LEVELS.indexOf('Level3')

/**
 * Before a mild level is given: dangers of the emergency check that neither its core nor a complaint of this patient
 * asks about. They depend only on who the patient is and on the complaints, so that they stay the same while they are
 * answered.
 */
function lastLook(findings: InterviewFindings, { rank }: Verdict): number[] {
  const { emergency, complaints } = findings
  if (!emergency || rank === NONE || rank <= DOUBTED_WITHOUT) return []
  const { signs, foremost: perhapsForemost } = findings.content.lastLook
  const isOpen = (slot: number) => findings.appliesTo(slot) && !findings.isKnown(slot)
  const isAsked = (slot: number) => complaints.some(({ gates, covers }) => gates.has(slot) || covers.includes(slot))
  const isUnasked = (slot: number) => !isAsked(slot) && !isNow(slot, findings) && findings.appliesTo(slot)
  const foremost = perhapsForemost.filter((slot) => isForemost(slot, findings) && isUnasked(slot))
  // What own words may tell of is asked before anything but an emergency is said, and so is what concerns this patient most.
  if (rank <= SAID_WITHOUT && !doubtsDanger(findings))
    return [...findings.hinted.union(new Set(foremost))].filter(isOpen)
  const others = signs.filter((slot) => isUnasked(slot) && !foremost.includes(slot))
  return [...foremost, ...others.slice(0, MOST_SIGNS).filter((slot) => isCalledFor(findings, slot))]
    .slice(0, MOST_SIGNS)
    .filter((slot) => !findings.isKnown(slot))
}

/** Whether this stands before all others in the last look of this patient. */
function isForemost(slot: number, { emergency, truths }: InterviewFindings): boolean {
  const of = emergency?.foremost.get(slot)
  return of !== undefined && truths.of(of) === YES
}

/** Whether "not sure" was said of a danger: whoever doubts must not be asked less than who denies. */
const doubtsDanger = (findings: InterviewFindings): boolean =>
  findings.answered.some(
    (slot) => findings.said(slot) === null && findings.content.questions[slot]?.question.redFlag === true,
  )

/** The most signs on one screen; the core of the emergency check has a screen of its own. */
const MOST_SIGNS = 7
const MOST_CORE_SIGNS = 8

/** Whether this is asked at once: of the core of the emergency check, or what own words tell of. */
const isNow = (slot: number, findings: InterviewFindings): boolean =>
  findings.isCore(slot) || findings.heardSigns.has(slot)

const isSign = (slot: number, { content }: InterviewFindings): boolean => content.questions[slot]?.isSign === true

/**
 * The questions asked together with this one. Signs come as a list: the most urgent wanted ones, grouped by theme.
 * Other questions bring the wanted questions of their screen, in the order of the content, each followed by its
 * follow-ups.
 */
function screenOf(first: number, wanted: readonly number[], findings: InterviewFindings): number[] {
  const { questions } = findings.content
  const beside = (belongs: (slot: number) => boolean) =>
    wanted.filter((slot) => slot !== first && belongs(slot) && isAskable(slot, findings))
  if (isSign(first, findings)) {
    const isOfNow = isNow(first, findings)
    const open = [first, ...beside((slot) => isSign(slot, findings) && (!isOfNow || isNow(slot, findings)))]
    // What its parts, asked here too, will tell is no row of its own.
    const signs = open.filter((slot) => !isToldBy(open, slot, findings))
    const heard = [...findings.heardSigns].filter((slot) => signs.includes(slot)).slice(0, MOST_SIGNS)
    const others = signs.filter((slot) => !findings.heardSigns.has(slot))
    others.splice(isOfNow ? MOST_CORE_SIGNS : MOST_SIGNS)
    const themes = others.map((slot) => questions[slot]?.question.theme)
    const byTheme = (a: number, b: number) =>
      themes.indexOf(questions[a]?.question.theme) - themes.indexOf(questions[b]?.question.theme)
    return [...heard, ...others.sort(byTheme)]
  }
  const screen = questions[first]?.screen
  const together = screen === undefined ? [] : beside((slot) => questions[slot]?.screen === screen)
  const asked = [first, ...together]
  return asked
    .filter((slot) => !isAnsweredWith(slot, asked, findings))
    .sort((a, b) => a - b)
    .flatMap((slot) => [slot, ...followUpsOf(slot, findings)])
}

/** Whether one of these questions will answer this one too: what lasts is asked once. */
function isAnsweredWith(slot: number, others: readonly number[], findings: InterviewFindings): boolean {
  const same = findings.content.relations[slot]?.same
  return same !== undefined && others.includes(same) && findings.isShared(slot, same)
}

/** Whether all parts of a sign are among these, or were denied before. */
function isToldBy(slots: readonly number[], sign: number, findings: InterviewFindings): boolean {
  const parts = findings.content.relations[sign]?.parts ?? []
  return parts.length > 0 && parts.every((part) => slots.includes(part) || findings.said(part) === false)
}

const isAskable = (slot: number, findings: InterviewFindings): boolean =>
  findings.standing(slot) === PENDING && findings.waitsFor(slot).length === 0

/** The follow-ups that an answer to this question may call for: until it is answered, they are part of its screen. */
const followUpsOf = (slot: number, findings: InterviewFindings): number[] =>
  (findings.content.followUps[slot] ?? [])
    .filter((next) => findings.standing(next) === PENDING)
    .flatMap((next) => [next, ...followUpsOf(next, findings)])

/** How many screens these questions fill. */
function screensIn(slots: readonly number[], findings: InterviewFindings): number {
  const shared = new Set<string>()
  let alone = 0
  let signs = 0
  for (const slot of slots) {
    const screen = findings.content.questions[slot]?.screen
    if (isSign(slot, findings)) signs++
    else if (screen === undefined) alone++
    else shared.add(screen)
  }
  return alone + shared.size + Math.ceil(signs / MOST_SIGNS)
}

/** Whether nothing that is still to be asked could change the level. */
export function isDecided(findings: InterviewFindings, { emergency, complaints }: Verdict): boolean {
  if (findings.content.intake.some((slot) => findings.standing(slot) === PENDING)) return false
  const open = [
    undecidedRules(emergency ? [emergency] : [], NONE),
    undecidedRules(complaints, emergency?.danger ?? NONE),
  ]
  return open.every(({ raising, lowering }) => raising.length + lowering.length === 0)
}

/**
 * What the own words surely tell of, then what else of that theme the emergency check would ask: the next screen is about it. It comes again
 * until the signs of that danger are known; where they do not tell which danger, it is the core of the check.
 */
function heardScreen(findings: InterviewFindings, wanted: Wanted): number[] {
  const { questions, dangers } = findings.content
  const leading = (findings.heard?.dangers ?? []).filter(({ sureness }) => sureness === 'lead')
  const isOpen = (slot: number) => wanted.has(slot) && isAskable(slot, findings)
  const hasSigns = ({ kind }: { kind: string }) => (dangers.get(kind)?.length ?? 0) > 0
  const opened = (kinds: readonly { kind: string }[]) =>
    kinds.flatMap(({ kind }) => findings.signsOf(kind)).filter(isOpen)
  const led = opened(leading.filter(hasSigns))
  const named = [...led, ...findings.calledFor.filter(isOpen)]
  if (named.length === 0) return [...new Set(opened(leading))].slice(0, MOST_CORE_SIGNS)
  // A name that calls for a row tells of no danger: nothing of its theme stands beside it.
  const [{ question: { theme } = {} } = {}] = led.map((slot) => questions[slot])
  const beside = wanted.slots.filter(
    (slot) => led.length > 0 && isSign(slot, findings) && questions[slot]?.question.theme === theme && isOpen(slot),
  )
  const screen = [...new Set([...named, ...beside])].slice(0, MOST_SIGNS)
  return screen.filter((slot) => !isToldBy(screen, slot, findings))
}

interface Wanted {
  readonly slots: readonly number[]
  /** Whether a question is one of them. */
  has(slot: number): boolean
  readonly first: { readonly slot: number; readonly because: Because } | undefined
}

const NOTHING: Wanted = { slots: [], has: () => false, first: undefined }

/**
 * The questions that these complaints still need. A pending rule needs its questions while it could make the session
 * more urgent than it is certain to be; a pending reassuring rule while it could still lower it; the summary needs its
 * own. Danger comes first, level by level.
 */
function wantedBy(
  assessments: readonly Assessment[],
  outside: number,
  ofTheCheck: readonly number[],
  findings: InterviewFindings,
): Wanted {
  if (assessments.length === 0) return NOTHING
  const { raising, lowering } = undecidedRules(assessments, outside)
  const danger = raising[0]?.rank
  const pending = new PendingQuestions(findings, findings.blank())
  // The rule that first needed each slot, in the order of the slots; the summary has none.
  const wantedFor: LoadedRule[] = []
  const most = danger === undefined ? lowering : raising.filter(({ rank }) => rank === danger)
  for (const rule of most) {
    // Of a danger only what could settle it, so that nobody is asked what cannot matter.
    if (danger === undefined) pending.add(rule.when)
    else pending.addFirst(rule.when)
    while (wantedFor.length < pending.slots.length) wantedFor.push(rule)
  }
  if (danger === undefined) addSummary(pending, assessments, outside, findings)
  const slot = firstInOrder(pending, assessments, ofTheCheck, findings)
  const first = slot === undefined ? undefined : { slot, because: becauseOf(wantedFor[pending.slots.indexOf(slot)]) }
  if (danger !== undefined) {
    for (const { when } of raising.slice(most.length)) pending.addFirst(when)
    for (const { when } of lowering) pending.add(when)
    addSummary(pending, assessments, outside, findings)
  }
  return { slots: pending.slots, has: (slot) => pending.has(slot), first }
}

const becauseOf = (loaded: LoadedRule | undefined): Because =>
  loaded ? { kind: 'rule', complaint: loaded.complaint, rule: loaded.rule.id, level: loaded.rule.level } : SUMMARY

/** Pending rules that could change the level of the session: to a more urgent one, most urgent first, or to a less urgent one. */
function undecidedRules(
  assessments: readonly Assessment[],
  outside: number,
): { raising: readonly LoadedRule[]; lowering: readonly LoadedRule[] } {
  const floorWithout = (left?: Assessment) =>
    assessments.reduce((least, one) => (one === left ? least : Math.min(least, one.floor)), outside)
  const floor = floorWithout()
  const raising: LoadedRule[] = []
  const lowering: LoadedRule[] = []
  for (const one of assessments) {
    for (const rule of one.raising) if (rule.rank < floor) raising.push(rule)
    if (one.loaded.otherwise < floorWithout(one)) lowering.push(...one.lowering)
  }
  // The rules of one complaint are in this order already.
  if (assessments.length > 1) raising.sort((a, b) => a.rank - b.rank)
  return { raising, lowering }
}

/** Rank of the mildest level whose card tells to call: whoever is told so is not asked about a request. */
const CALL = LEVELS.indexOf('Level2')

/** What the summary needs of every patient and is not known yet. */
function addSummary(
  pending: PendingQuestions,
  assessments: readonly Assessment[],
  outside: number,
  findings: InterviewFindings,
): void {
  const danger = assessments.reduce((most, one) => Math.min(most, one.danger), outside)
  for (const { loaded } of assessments) {
    if ((isAskedOn(loaded.complaint) ? outside : danger) <= CALL && isRequest(loaded.complaint)) continue
    for (const slot of loaded.always) {
      // Another complaint may ask it of this patient: what this one has no use for it does not ask.
      if (findings.standing(slot) === PENDING && !findings.isNo(loaded.gates.get(slot))) pending.addQuestion(slot)
    }
  }
}

/** Which medicine it is belongs to the danger that its own questionnaire found. */
const isAskedOn = ({ kind }: Complaint): boolean => kind === 'prescription'

/**
 * Complaint by complaint, each in its author's order; what the emergency check left unasked comes before. The closing
 * note comes last: after "anything else?" no other complaint asks on.
 */
function firstInOrder(
  wanted: PendingQuestions,
  assessments: readonly Assessment[],
  ofTheCheck: readonly number[],
  findings: InterviewFindings,
): number | undefined {
  if (wanted.slots.length === 0) return undefined
  const before = ofTheCheck.filter((slot) => wanted.has(slot) && !isIdleFollowUp(slot, findings))
  const { questions } = findings.content
  let note: number | undefined
  for (const slots of [before, ...assessments.map(({ loaded }) => loaded.slots)]) {
    for (const slot of slots) {
      if (!wanted.has(slot)) continue
      if (questions[slot]?.question.section !== 'note') return slot
      note ??= slot
    }
  }
  return note
}
