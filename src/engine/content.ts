/** The words every part of Fyr uses about content, answers and what the engine makes of them. */
import type { FirstAction } from './deciding/first-actions.ts'
import type { Family } from './families.ts'
import type { DangerKind, Heard, Named, Senses } from './heard.ts'
import type { Language } from './languages.ts'
import type { Fact, Outcome } from './outcome.ts'

export type {
  DangerKind,
  Heard,
  HeardDanger,
  HeardFact,
  Named,
  NamedAsk,
  NamedGroup,
  NamedLocal,
  Senses,
  WrittenAt,
} from './heard.ts'
export { LANGUAGES, type Language } from './languages.ts'
export type { Change, Consideration, Fact, Outcome, Reason, RedFlag } from './outcome.ts'

/** Most to least urgent. The order of this list is the order of care. */
export const LEVELS = ['Level1', 'Level2', 'Level3', 'Level4', 'Level5', 'Level6', 'Level7', 'Level8'] as const
export type Level = (typeof LEVELS)[number]

export const STAGES = ['intake', 'emergency', 'chat', 'review'] as const
export type Stage = (typeof STAGES)[number]

/** What each of them means is in kinds.ts. */
export const QUESTION_KINDS = [
  'sign',
  'yesno',
  'one',
  'many',
  'number',
  'scale',
  'duration',
  'date',
  'text',
  'photo',
  'complaints',
] as const
export type QuestionKind = (typeof QUESTION_KINDS)[number]

export const COMPLAINT_KINDS = ['complaint', 'general', 'emergency', 'prescription', 'certificate', 'admin'] as const
export type ComplaintKind = (typeof COMPLAINT_KINDS)[number]

export const SECTIONS = [
  'patient',
  'matter',
  'findings',
  'history',
  'medicines',
  'allergies',
  'timing',
  'note',
] as const
export type Section = (typeof SECTIONS)[number]

export const DURATION_UNITS = ['minutes', 'hours', 'days', 'weeks', 'months', 'years'] as const
export type DurationUnit = (typeof DURATION_UNITS)[number]
/** How long each unit is for the rules: a year has 365.25 days, a month is a twelfth of it. */
export const MINUTES_IN: Readonly<Record<DurationUnit, number>> = {
  minutes: 1,
  hours: 60,
  days: 1440,
  weeks: 10_080,
  months: 43_830,
  years: 525_960,
}

/** Who is spoken to, and about whom: the patient, or someone else about a child or another adult. */
export type Who = 'self' | 'child' | 'other'

export interface Duration {
  readonly amount: number
  readonly unit: DurationUnit
}

/** What the patient said; `null` is "don't know". */
export type Value = boolean | string | number | readonly string[] | Duration | null

export interface Answer {
  readonly question: string
  readonly value: Value
  /** With own words, what was heard in them when they were given: kept with them, never worked out again. */
  readonly heard?: Heard
  /** Where an answer comes from that was proposed and not asked for. */
  readonly from?: Origin
}

/** Who proposed an answer that the user confirmed: their own words, or the integrator; or the user, who corrected what was proposed. */
export const ORIGINS = ['own-words', 'integrator', 'user'] as const
export type Origin = (typeof ORIGINS)[number]

/** Yes and no are known; pending can still be asked; unsure was asked and is not known. */
export type Truth = 'yes' | 'no' | 'pending' | 'unsure'

/** A condition in the compiled form: small arrays, so that a release is plain JSON. */
export type Expression =
  | readonly ['const', boolean]
  | readonly ['is', question: string]
  | readonly ['eq', question: string, value: string]
  | readonly ['has', question: string, option: string]
  | readonly ['any', question: string]
  | readonly ['known', question: string]
  | readonly ['unsure', question: string]
  | readonly ['compare', operand: Operand, operator: Comparison, limit: number]
  | readonly ['not', Expression]
  | readonly ['and', ...Expression[]]
  | readonly ['or', ...Expression[]]
  | readonly ['atLeast', number, ...Expression[]]
  | readonly ['finding', id: string]
export type Comparison = '<' | '<=' | '>' | '>=' | '==' | '!='
/** What is compared with a number: a number, how many options, a duration in minutes, or the patient's age. */
export type Operand = readonly ['number' | 'count' | 'minutes' | 'months' | 'ageDays', question: string]

export interface Option {
  readonly id: string
  readonly redFlag?: true
  readonly negative?: true
  readonly exclusive?: true
  readonly applies?: Expression
  /** It applies to whoever has a complaint that reads it. */
  readonly whereRead?: true
  /** A sign that it denies: whoever has ticked that is not offered it. Nothing waits for the sign. */
  readonly unlessTold?: string
  /** The longest time ago that it stands for: a moment that own words tell is proposed as the first option that reaches so far. */
  readonly upTo?: Duration
}

/** What can be drawn where words describe it badly. */
export const DRAWINGS = ['glass-test', 'drawn-in-chest'] as const

export interface Question {
  readonly id: string
  readonly kind: QuestionKind
  /** Of the intake: asked only of those whose own words surely tell of a complaint or of danger, or of danger alone. */
  readonly whenTold?: true | 'danger'
  /** Of a text: it is read for danger, as the matter is. */
  readonly hears?: true
  readonly applies?: Expression
  readonly options?: readonly Option[]
  /** Of a single choice: the option that is meant where it is left out. */
  readonly usual?: string
  readonly unit?: string
  readonly min?: number
  readonly max?: number
  readonly step?: number
  readonly units?: readonly DurationUnit[]
  readonly maxLength?: number
  /** Questions of one screen are asked together if they are needed at the same time. */
  readonly screen?: string
  /** Asked on the same screen, as soon as the answer to another question there calls for it. */
  readonly followUp?: FollowUp
  /** A drawing that shows what a sign looks like. */
  readonly drawing?: (typeof DRAWINGS)[number]
  /** Signs of one theme are shown together. */
  readonly theme?: string
  /** A question that asks the same in other words: its answer is the answer to this one, unless own words tell several. */
  readonly sameAs?: string
  /** Beside other complaints it is asked all the same: danger may hang on it, and who knows of which one the other answer was told. */
  readonly own?: true
  /** Signs that are true whenever this one is. */
  readonly implies?: readonly string[]
  /** Signs of which one is true whenever this one is. */
  readonly parts?: readonly string[]
  readonly section: Section
  readonly redFlag?: true
  readonly dontKnow: boolean
}

/** The question that a follow-up belongs to, and the options that call for it; without a list, any option except none. */
export interface FollowUp {
  readonly of: string
  readonly options?: readonly string[]
}

/** Where a thing was written, so that later checks can name file and line. */
export type SourceLine = readonly [file: string, line: number]

export interface Rule {
  readonly id: string
  readonly level: Level
  readonly when: Expression
  /** What it says when "not sure" leaves it undecided: nothing, the same, or a level of its own. */
  readonly ifUnsure: 'ignore' | 'apply' | Level
  /** What to do first against this very danger: ids of texts that all complaints share, the foremost first. */
  readonly first?: readonly string[]
  readonly sources: readonly string[]
  readonly place: SourceLine
}

/** What makes some rules of a complaint one level more urgent, however many such things are true. */
export interface Modifier {
  readonly id: string
  readonly when: Expression
  /** The rules it raises. */
  readonly rules: readonly string[]
  readonly sources: readonly string[]
  readonly place: SourceLine
}

export interface Differential {
  readonly id: string
  readonly when?: Expression
  readonly for: readonly Expression[]
  readonly against: readonly Expression[]
}

export interface AdviceItem {
  readonly id: string
  readonly levels: readonly Level[]
  readonly unless?: readonly string[]
  readonly when?: Expression
}

export interface Coverage {
  readonly source: string
  readonly says: string
  readonly rules: readonly string[]
  readonly notARule?: string
}

/** A question or sign that a complaint asks. */
export interface ComplaintQuestion {
  readonly id: string
  readonly ask: 'needed' | 'always'
  /** Options that it offers for the clinic, though nothing of it reads them. */
  readonly wants?: readonly string[]
  /** For whom this complaint asks it; an answer known from elsewhere still counts. */
  readonly when?: Expression
  readonly place: SourceLine
}

export interface Complaint {
  readonly id: string
  readonly kind: ComplaintKind
  readonly applies?: Expression
  readonly otherwise: Level | null
  /** Where the menu shows it; without one it stands at the end. */
  readonly family?: Family
  /** Hardly anybody has a medicine renewed for it: a request whose words come near it is asked about it. */
  readonly acute?: true
  readonly body: readonly string[]
  /** Signs of the emergency check that it asks about in questions of its own: the last look leaves them out. */
  readonly covers?: readonly string[]
  readonly questions: readonly ComplaintQuestion[]
  /** Of the emergency check: signs asked of everyone. Others are asked where no complaint asks them, and in the last look. */
  readonly now?: readonly { readonly id: string; readonly when?: Expression }[]
  /** Of the emergency check: signs that the last look asks only in some families of complaints, or where a complaint calls for them. */
  readonly onCall?: readonly { readonly id: string; readonly families: readonly Family[] }[]
  /** Of the emergency check: signs that stand before all others in the last look of whom this is true. */
  readonly foremost?: readonly { readonly id: string; readonly when: Expression }[]
  /** Of a complaint: such signs that it calls for, and of whom. */
  readonly calls?: readonly { readonly id: string; readonly when?: Expression }[]
  readonly rules: readonly Rule[]
  readonly reassuring: readonly Rule[]
  readonly modifiers?: readonly Modifier[]
  readonly differential: readonly Differential[]
  readonly advice: readonly AdviceItem[]
  readonly safetyNet: readonly AdviceItem[]
  readonly sources: Readonly<Record<string, { readonly title: string; readonly url?: string }>>
  readonly coverage: readonly Coverage[]
  readonly place: SourceLine
}

/** Every text of one language, by path: `question.fever.text`, `rule.sore-throat.airway.reason`, `level.Level1.title`. */
export type Words = Readonly<Record<string, string>>

/** The form of a compiled release; a node loads only its own. */
export const FORMAT = 4

/** A release as it is published and stored: plain JSON, the same bytes for the same files. */
export interface CompiledRelease {
  readonly format: typeof FORMAT
  readonly version: string
  readonly intendedUse: string
  readonly intake: readonly string[]
  readonly questions: Readonly<Record<string, Question>>
  readonly findings: Readonly<Record<string, Expression>>
  readonly complaints: readonly Complaint[]
  readonly firstActions?: readonly FirstAction[]
  /** Ids of advice that mean the same in every complaint: of several complaints the first says it. */
  readonly saidOnce?: readonly string[]
  /** What typed names of medicines tell, and the text questions in which they are looked for. */
  readonly named?: Named
  readonly words: Readonly<Record<Language, Words>>
  readonly search: Readonly<Record<Language, Readonly<Record<string, readonly string[]>>>>
  readonly danger: Readonly<Record<Language, readonly string[]>>
  /** The kinds of danger that can be heard in own words. */
  readonly dangers: readonly DangerKind[]
  /** Everyday words that tell of a sign. */
  readonly heard: Readonly<Record<Language, Readonly<Record<string, readonly string[]>>>>
  /** Everyday words that tell of an option, by question and option. */
  readonly optionWords: Readonly<Record<Language, Readonly<Record<string, OptionWords>>>>
  /** Words that point the same way for the trained readers, by sense. */
  readonly senses: Readonly<Record<Language, Senses>>
  /** The trained readers of own words, as bytes in base64. A language without one is read by the lists alone. */
  readonly readers: Readonly<Partial<Record<Language, string>>>
}

/** By option of one question, the words that tell of it. */
export type OptionWords = Readonly<Record<string, readonly string[]>>

export interface Progress {
  readonly answered: number
  /** Roughly how many screens are left. */
  readonly left: number
}

/** A true rule of Level1–3 (an alarm) or Level4 (a warning), at the moment it becomes true. */
export interface Alarm {
  readonly level: Level
  readonly complaint: string
  readonly rule: string
  /** The answers that made it true. */
  readonly answers: readonly Fact[]
}

/** A question as offered now: only the options that apply to this patient, and the known value, to be confirmed. */
export interface AskedQuestion extends Question {
  readonly offered?: readonly string[]
  readonly given?: Value
  /** Proposed, to be confirmed, corrected or left out: what is left out is no answer. */
  readonly proposal?: Proposal
}

/** An answer that was told before it was asked for, and the own words that told it. */
export interface Proposal {
  readonly from: Exclude<Origin, 'user'>
  readonly value: Value
  readonly words?: string
}

export interface StepFacts {
  readonly stage: Stage
  readonly progress: Progress
  /** True rules of Level1–3, most urgent first. */
  readonly alarms: readonly Alarm[]
  /** True rules of Level4. */
  readonly warnings: readonly Alarm[]
  /** What to do first against what the alarms are about, by path of the words. */
  readonly firstActions: readonly string[]
  /** Questions whose stored answer is not used, because the question no longer applies or the value is no longer offered. */
  readonly obsolete: readonly string[]
  /** The answers in use, in the order in which the questions were first answered. */
  readonly ledger: readonly LedgerEntry[]
}

export interface LedgerEntry extends Answer {
  readonly stage: Stage
  /** The path of the heading above the list in which a sign was asked. */
  readonly title?: string
}

export type Step =
  | (StepFacts & {
      readonly kind: 'ask'
      /** Everything asked on this screen, at least one question; follow-ups come right after what they belong to. */
      readonly questions: readonly AskedQuestion[]
      /** The path of the heading above a screen of several questions or signs. */
      readonly title?: string
      /** Where a word is found that is said below the title. */
      readonly note?: string
      readonly because: Because
    })
  | (StepFacts & { readonly kind: 'done'; readonly outcome: Outcome })

/** Why this question is asked now: an undecided rule needs it, or the summary does. */
export type Because =
  | { readonly kind: 'intake' }
  | { readonly kind: 'rule'; readonly complaint: string; readonly rule: string; readonly level: Level }
  | { readonly kind: 'heard' }
  | { readonly kind: 'understood' }
  | { readonly kind: 'doubted' }
  | { readonly kind: 'last-look' }
  | { readonly kind: 'summary' }
