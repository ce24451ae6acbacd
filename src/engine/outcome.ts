/** What the engine makes of the answers, and why. */
import type { Answer, Level, Value } from './content.ts'
import type { Flag } from './flags.ts'
import type { HeardDanger } from './heard.ts'
import type { IssueType } from './intake.ts'

/** An answer as evidence: which option of it counts, and whether it is present, denied or unsure. */
export interface Fact extends Answer {
  readonly option?: string
  readonly state: 'present' | 'denied' | 'unsure'
}

/** Why the level is what it is. */
export interface Reason {
  readonly complaint: string
  /** The rule's id, or `otherwise`. */
  readonly rule: string
  readonly level: Level
  readonly unsure: boolean
  readonly answers: readonly Fact[]
  readonly sources: readonly { readonly title: string; readonly url?: string }[]
}

/** One different answer that would have given another level, found by running the engine again. */
export interface Change {
  readonly question: string
  readonly value: Value
  readonly level: Level | null
  /** False when that answer would have led to further questions: then the level is the least it would have been. */
  readonly decided: boolean
}

export interface RedFlag {
  readonly question: string
  /** Set for an option of a question, absent when the question itself is the flag. */
  readonly option?: string
  readonly state: 'present' | 'denied' | 'unsure' | 'not-asked'
}

export interface Consideration {
  readonly complaint: string
  readonly differential: string
  readonly for: readonly Fact[]
  readonly against: readonly Fact[]
}

export interface Outcome {
  readonly issueType: IssueType
  readonly complaints: readonly string[]
  /** False when the patient stopped before the interview was complete. */
  readonly complete: boolean
  readonly level: Level | null
  readonly flag: Flag | null
  /** The rules that decide the level. */
  readonly reasons: readonly Reason[]
  /** Less urgent rules that are true as well. */
  readonly alsoTrue: readonly Reason[]
  /** Filled by `conclude`, empty in a step: finding them means running the engine again for every other answer. */
  readonly changes: readonly Change[]
  readonly redFlags: readonly RedFlag[]
  /** Dangers heard in own words of which no sign turned out to be true. */
  readonly unconfirmed: readonly Pick<HeardDanger, 'kind' | 'words'>[]
  readonly considerations: readonly Consideration[]
  /** What to do first at Level1–3, by path of the words; empty for anything milder. */
  readonly firstActions: readonly string[]
  readonly advice: readonly string[]
  readonly safetyNet: readonly string[]
}
