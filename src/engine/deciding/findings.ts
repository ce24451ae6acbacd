import { type Conditions, type Test, TRUE } from '../conditions/conditions.ts'
import {
  ABSENT,
  type Answered,
  NO,
  PENDING,
  type Standing,
  type TruthMark,
  Truths,
  UNSURE,
  YES,
} from '../conditions/evaluate.ts'
import type { Waiting } from '../conditions/pending-questions.ts'
import type { Answer, Heard, Value } from '../content.ts'
import { refuseValue } from '../kinds.ts'
import type { Content, LoadedComplaint, LoadedQuestion } from '../load.ts'
import { checkedOf, hintedIn, toldOnlyIn } from './checked.ts'
import { complaintsOf, dangersOfDenied, emergencyFor, isRequest, whatIsTold } from './matter.ts'
import { calledForByNames, calledForByTicks, toldByNames, typedFor, typedIn, withNamed } from './named.ts'
import { isOfferedComplaint, offeredComplaints } from './offered-complaints.ts'
import { readAnswers } from './read-answers.ts'
import { type Room, roomFor } from './room.ts'

/** Belongs to a complaint that is not this patient's: absent, whatever is answered. */
const NOT_ASKED = 0
/** Not worked out yet. */
const UNKNOWN = 8
/** Pending until others tell whether it applies, or whether it is asked. */
const TO_APPLY = 6
const TO_BE_ASKED = 7
type State = Standing | typeof NOT_ASKED | typeof TO_APPLY | typeof TO_BE_ASKED

/** In place of a gate: the question has several. */
const SEVERAL = -1

/** Reads the answers: the last one to a question counts, and only while the question applies and still offers it. */
export function findingsFrom(content: Content, answers: readonly Answer[]): InterviewFindings {
  return new InterviewFindings(content, answers)
}

/** Everything known after some answers: which complaints are asked about, and where each question stands. */
export class InterviewFindings implements Answered, Waiting {
  readonly content: Content
  readonly emergency: LoadedComplaint | undefined
  /** The complaints, or the questionnaire of another matter, in the patient's order. */
  readonly complaints: readonly LoadedComplaint[]
  /** Slots that have an answer, in the order in which they were first answered. */
  readonly answered: readonly number[]
  /** Answers to questions that this content does not have. */
  readonly strangers: readonly string[]
  /** Slots whose answer was proposed before anyone asked. */
  readonly volunteered: ReadonlySet<number>
  /** Slots whose answer denied what own words told, and so is asked for once more. */
  readonly doubted: readonly number[]
  /** What was heard in the own words that stand. */
  readonly heard: Heard | undefined
  /** The signs that dangers heard in own words are about, in the order in which they were heard. */
  readonly heardSigns: ReadonlySet<number>
  /** Signs that own words may tell of, where none of the complaints calls for them: the last look asks about them. */
  readonly hinted: ReadonlySet<number>
  readonly conditions: Conditions
  readonly truths: Truths
  readonly slotCount: number
  /** One complaint alone, with or without a request: what is told of the trouble is told of it. */
  private readonly isAlone: boolean
  private readonly values: (Value | undefined)[]
  /** The signs that typed names of medicines call for. */
  readonly calledFor: readonly number[]
  /** The signs that only a ticked option calls for, ticked or not. */
  private readonly ticked: readonly number[]
  /** What typed names of medicines tell. */
  private readonly named: ReadonlyMap<number, readonly string[]>
  /** By slot: 1 where the answer to another question may tell something of it. */
  private readonly spokenOf: Uint8Array
  /** The state of each question, as far as it has been computed. */
  private readonly states: Uint8Array
  /** The condition under which a question applies to a patient. */
  private readonly applies: Int32Array
  /** The condition under which a question is asked, or `SEVERAL`. */
  private readonly gates: Int32Array
  private readonly room: Room
  /** The conditions of the questions that have several, since several ask them: one of them is enough. */
  private readonly severalGates = new Map<number, readonly Test[]>()

  constructor(content: Content, answers: readonly Answer[]) {
    const { values, answered, strangers, volunteered, doubted, heard } = readAnswers(content, answers)
    this.content = content
    this.conditions = content.conditions
    this.applies = content.applies
    this.values = values
    const typed = typedIn(content, values)
    this.named = toldByNames(content, values, typed)
    this.answered = answered
    this.strangers = strangers
    this.heard = heard
    this.volunteered = volunteered
    this.doubted = doubted
    this.room = roomFor(content)
    this.truths = new Truths(content.conditions, this, this.room.marks)
    this.slotCount = content.questions.length
    this.spokenOf = this.room.spokenOf
    for (const slot of answered) this.speakOf(slot)
    for (const slot of this.named.keys()) this.spokenOf[slot] = 1
    this.states = this.room.states
    this.gates = this.room.gates
    const told = whatIsTold(content, heard, values[content.slotOf.get('issue_type') ?? -1])
    for (const slot of content.intake) {
      const { whenTold } = content.questions[slot]?.question ?? {}
      if (!whenTold || (whenTold === 'danger' ? told === 'danger' : told)) this.states[slot] = UNKNOWN
    }
    this.calledFor = calledForByNames(content, typed)
    const kinds = (heard?.dangers ?? []).flatMap(({ kind }) => this.signsOf(kind))
    this.heardSigns = new Set([...this.calledFor, ...kinds, ...dangersOfDenied(this)])
    this.emergency = emergencyFor(this)
    this.complaints = complaintsOf(this)
    this.hinted = hintedIn(this)
    if (heard) this.heardSigns = this.heardSigns.difference(this.hinted).union(new Set(toldOnlyIn(this)))
    this.ticked = content.named.tickedFor.filter((slot) => this.callsOnlyTicked(slot))
    const byTicks = calledForByTicks(content, values).filter((slot) => this.ticked.includes(slot))
    if (byTicks.length > 0) this.heardSigns = this.heardSigns.union(new Set(byTicks))
    this.isAlone = this.complaints.filter(({ complaint }) => !isRequest(complaint)).length === 1
    // What was told and confirmed is known to everyone, whoever asks it.
    for (const slot of volunteered) this.states[slot] = UNKNOWN
    for (const slot of checkedOf(this)) this.ask(slot, this.emergency?.gates.get(slot) ?? TRUE)
    for (const { asks } of this.complaints)
      for (let at = 0; at < asks.length; at += 2) this.ask(asks[at] ?? 0, asks[at + 1] ?? TRUE)
    // Truths that were computed while these questions were absent no longer hold.
    this.truths.forget()
  }

  /** A zero for each question, for whoever marks them. */
  blank(): Uint8Array {
    return this.room.blank()
  }

  /** Whether nothing but a ticked option would make the emergency check ask this, and no complaint asks about it, by itself or in other words. */
  private callsOnlyTicked(slot: number): boolean {
    const isOf = ({ covers, gates }: LoadedComplaint) => covers.includes(slot) || gates.has(slot)
    const isElse = this.heardSigns.has(slot) || this.isAnswered(slot) || this.complaints.some(isOf)
    return this.emergency?.gates.has(slot) === true && !isElse
  }

  /** Whether the emergency check would ask this of this patient. */
  appliesTo(slot: number): boolean {
    const { questions, emergency } = this.content
    return !this.isNo(questions[slot]?.applies) && !this.isNo(emergency?.gates.get(slot))
  }

  /** Whether this sign belongs to the core of the emergency check for this patient; while that is unknown, it does. */
  isCore(slot: number): boolean {
    const now = this.content.emergency?.now
    return now?.has(slot) === true && !this.isNo(now.get(slot))
  }

  /** The signs that a kind of danger is about: its own, or the core of the emergency check. What only words call for waits for the complaints. */
  signsOf(kind: string): readonly number[] {
    const { dangers, emergency, onlyNamed } = this.content
    const signs = dangers.get(kind) ?? []
    if (signs.length > 0 || !dangers.has(kind)) return signs.filter((slot) => !onlyNamed.has(slot))
    return [...(emergency?.now.keys() ?? [])].filter((slot) => this.isCore(slot))
  }

  /** Whether this is known, by its own answer or by others. */
  isKnown(slot: number): boolean {
    return this.known(slot) !== undefined
  }

  /** Whether this question was answered, even if the answer is not used. */
  isAnswered(slot: number): boolean {
    return this.values[slot] !== undefined
  }

  value(slot: number): Value {
    return this.known(slot) ?? null
  }

  /** What was answered to this very question. */
  said(slot: number): Value | undefined {
    return this.values[slot]
  }

  tellersOf(question: string): readonly string[] {
    const slot = this.content.slotOf.get(question) ?? -1
    const from = this.values[slot] === true ? [slot] : (this.content.relations[slot]?.impliedBy ?? [])
    return from.flatMap((other) =>
      this.values[other] === true ? (this.content.questions[other]?.question.id ?? []) : [],
    )
  }

  /** The question that was answered where its answer is taken as the answer to this one. */
  askedAs(question: string): string {
    const same = this.sameAs(this.content.slotOf.get(question) ?? -1)
    return this.content.questions[same ?? -1]?.question.id ?? question
  }

  /** The question whose answer counts as the answer to this one, which has none itself. */
  private sameAs(slot: number): number | undefined {
    const same = this.values[slot] === undefined ? this.content.relations[slot]?.same : undefined
    return same !== undefined && this.values[same] !== undefined && this.isShared(slot, same) ? same : undefined
  }

  typedFor(question: string, option: string | undefined): readonly Answer[] {
    const slot = this.content.slotOf.get(question) ?? -1
    return typedFor(this.content, this.values, slot, this.named.get(slot), option)
  }

  /** What was answered, or what other answers tell of it. */
  private known(slot: number): Value | undefined {
    return this.spokenOf[slot] === 1 ? this.knownThroughOthers(slot) : this.values[slot]
  }

  /** Called when this has an answer, since others may now be known through it. */
  private speakOf(slot: number): void {
    for (const other of this.content.relations[slot]?.concerns ?? []) this.spokenOf[other] = 1
  }

  private knownThroughOthers(slot: number): Value | undefined {
    if (this.isTold(slot)) return true
    const said = this.values[slot]
    const named = this.named.get(slot)
    if (named?.length === 0) return true
    if (named) return withNamed(said, named, this.offered(slot))
    if (said !== undefined) return said
    const same = this.sameAs(slot)
    if (same !== undefined) return this.values[same]
    const { impliedBy = [], implies = [], parts = [] } = this.content.relations[slot] ?? {}
    for (const other of impliedBy) if (this.values[other] === true) return true
    // Who denies it and names it all the same has not denied what it may lead to.
    const isDenied = (other: number) => this.values[other] === false && !this.isTold(other) && !this.named.has(other)
    for (const other of implies) if (isDenied(other)) return false
    // A part that cannot be true of this patient needs no answer.
    const isOut = (part: number) => isDenied(part) || this.isNo(this.content.questions[part]?.applies)
    return parts.some(isDenied) && parts.every(isOut) ? false : undefined
  }

  /** Whether what was told of the trouble answers a complaint's own question: told once, of all that do not ask their own; several times, of the only one. */
  isShared(slot: number, same: number): boolean {
    const { isOwn } = this.content.relations[slot] ?? {}
    const id = this.content.questions[same]?.question.id
    const several = this.heard?.facts.some((fact) => fact.question === id && fact.several) === true
    return this.isAlone ? !(isOwn && several) : !(isOwn || several)
  }

  /** Whoever ticks a special case and leaves the danger that it is one of unticked has told that danger all the same: truth goes up. */
  private isTold(danger: number): boolean {
    return (
      this.content.questions[danger]?.question.redFlag === true &&
      this.content.relations[danger]?.impliedBy.some((other) => this.values[other] === true) === true
    )
  }

  standing(slot: number): Standing {
    const state = this.state(slot)
    if (state === NOT_ASKED) return ABSENT
    return state === TO_APPLY || state === TO_BE_ASKED ? PENDING : state
  }

  waitsFor(slot: number): readonly Test[] {
    const state = this.state(slot)
    if (state === TO_APPLY) return [this.applies[slot] ?? TRUE]
    if (state === TO_BE_ASKED) {
      const gate = this.gates[slot] ?? TRUE
      return gate === SEVERAL ? this.pendingIn(this.severalGates.get(slot)) : [gate]
    }
    const { conditional = [] } = this.content.questions[slot] ?? {}
    return conditional.length > 0 ? this.pendingIn(conditional) : conditional
  }

  private pendingIn(tests: readonly Test[] = []): readonly Test[] {
    return tests.filter((test) => this.truths.of(test) === PENDING)
  }

  /**
   * Replaces one answer as if the patient had given that; what depends on it is recomputed on demand. Only for
   * questions outside the intake, which do not decide what the patient is asked about.
   */
  suppose(slot: number, value: Value): void {
    const dependents = this.content.dependents(slot)
    this.values[slot] = value
    this.speakOf(slot)
    this.truths.forgetSome(dependents.tests)
    for (const dependent of dependents.slots) if (this.states[dependent] !== NOT_ASKED) this.states[dependent] = UNKNOWN
    if (this.content.named.ticking.has(slot)) this.askTicked()
  }

  /** Asks what is ticked now calls for, and no longer what it does not, as far as nothing else calls for it. */
  private askTicked(): void {
    const called = calledForByTicks(this.content, this.values)
    for (const sign of this.ticked) {
      const isAsked = called.includes(sign)
      if (isAsked === (this.states[sign] !== NOT_ASKED)) continue
      if (isAsked) this.ask(sign, this.emergency?.gates.get(sign) ?? TRUE)
      else this.states[sign] = NOT_ASKED
      const { tests, slots } = this.content.dependents(sign)
      this.truths.forgetSome(tests)
      for (const other of slots) if (this.states[other] !== NOT_ASKED) this.states[other] = UNKNOWN
    }
  }

  /** The options of a question that this patient may choose. */
  offered(slot: number): readonly string[] {
    const loaded = this.content.questions[slot]
    if (!loaded) return []
    if (loaded.offers === 'complaints') return offeredComplaints(this)
    if (loaded.conditional.length === 0 && !loaded.hasDenying) return loaded.optionIds
    const offered: string[] = []
    for (const option of loaded.options)
      if (!this.isNo(option.offered) && !this.isTicked(option.unlessTold)) offered.push(option.id)
    return offered
  }

  private isTicked(sign: string | undefined): boolean {
    return sign !== undefined && this.said(this.content.slotOf.get(sign) ?? -1) === true
  }

  /** The chosen options that this patient may choose: whether a value is valid depends on no others. */
  private offeredOf(loaded: LoadedQuestion, value: Value): readonly string[] {
    if (loaded.offers === 'complaints') return idsIn(value).filter((id) => isOfferedComplaint(this, id))
    if (loaded.conditional.length === 0) return loaded.optionIds
    return idsIn(value).filter((id) => {
      const option = loaded.options[loaded.optionIds.indexOf(id)]
      return option !== undefined && !this.isNo(option.offered)
    })
  }

  /** Whether an optional condition rules something out. */
  isNo(test: Test | undefined): boolean {
    return test !== undefined && this.truths.of(test) === NO
  }

  /** Makes a question apply to this patient where its gate lets it; if nobody asked it before, it was absent until now. */
  private ask(slot: number, gate: Test): void {
    this.gates[slot] = this.states[slot] === NOT_ASKED ? gate : this.joined(slot, gate)
    this.states[slot] = UNKNOWN
  }

  /** The gate of a question that someone asks already, under a gate of their own. */
  private joined(slot: number, gate: Test): Test | typeof SEVERAL {
    const other = this.gates[slot] ?? TRUE
    if (gate === TRUE || other === TRUE) return TRUE
    this.severalGates.set(slot, [...(this.severalGates.get(slot) ?? [other]), gate])
    return SEVERAL
  }

  /** Whether someone asks this question; unsure counts as asked. */
  private asked(slot: number): TruthMark {
    const gate = this.gates[slot] ?? TRUE
    if (gate === TRUE) return YES
    return gate === SEVERAL ? this.askedBySome(this.severalGates.get(slot)) : this.truths.of(gate)
  }

  private askedBySome(gates: readonly Test[] = []): TruthMark {
    const marks = gates.map((gate) => this.truths.of(gate))
    return marks.find((mark) => mark === YES || mark === UNSURE) ?? (marks.includes(PENDING) ? PENDING : NO)
  }

  private state(slot: number): State {
    const known = (this.states[slot] ?? NOT_ASKED) as State | typeof UNKNOWN
    if (known !== UNKNOWN) return known
    const state = this.stateOf(slot)
    this.states[slot] = state
    return state
  }

  private stateOf(slot: number): State {
    const when = this.applies[slot] ?? TRUE
    const applies = when === TRUE ? YES : this.truths.of(when)
    // A name tells the answer to a follow-up that nothing called for.
    if (applies === NO && !(this.named.has(slot) && this.content.questions[slot]?.question.followUp)) return ABSENT
    if (applies === PENDING) return TO_APPLY
    const value = this.known(slot)
    if (value !== undefined) return this.stateWith(slot, value)
    const asked = this.asked(slot)
    if (asked === NO) return ABSENT
    return asked === PENDING ? TO_BE_ASKED : PENDING
  }

  /** The state of a question that applies and of which this is known. */
  private stateWith(slot: number, value: Value): State {
    const loaded = this.content.questions[slot]
    if (!loaded) return ABSENT
    for (const offered of loaded.conditional) if (this.truths.of(offered) === PENDING) return PENDING
    // What the same question takes in its units is an answer to this one too.
    const same = this.sameAs(slot)
    const { question = loaded.question } = same === undefined ? loaded : (this.content.questions[same] ?? loaded)
    if (refuseValue(question, value, this.offeredOf(loaded, value)) !== undefined) return PENDING
    return value === null ? UNSURE : YES
  }
}

/** The options that a value names, if any. */
const idsIn = (value: Value): readonly string[] =>
  Array.isArray(value) ? value : typeof value === 'string' ? [value] : []
