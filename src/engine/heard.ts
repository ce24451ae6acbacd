import type { Answer } from './content.ts'

/** What a reader hears in own words. It only ever adds: something to propose, to confirm, or to ask about first. */
export interface Heard {
  /** Best first, at most five. A score of 0: nothing was heard, and the general one stands in. */
  readonly complaints: readonly { readonly id: string; readonly score: number; readonly words: string }[]
  readonly dangers: readonly HeardDanger[]
  readonly facts: readonly HeardFact[]
  readonly matter?: 'prescription' | 'certificate' | 'admin'
  /** Complaints that one sentence by itself comes near, though the whole text may drown it: a request that tells of a trouble in passing. */
  readonly passing?: readonly string[]
}

/** A kind of danger that words tell of, and the words that told it. `lead`: the next screen is about it; `ask`: its signs stand first. */
export interface HeardDanger {
  readonly kind: string
  readonly sureness: 'lead' | 'ask'
  readonly words: string
}

export interface HeardFact extends Answer {
  readonly words: string
  /** The words tell others of its kind as well: nobody knows which complaint this one is of. */
  readonly several?: true
  /** They tell when something happened, not how long it has lasted. */
  readonly moment?: true
}

/** When own words are written, by the clock of whoever writes them: Monday is 0, January 1. */
export interface WrittenAt {
  readonly weekday: number
  readonly month: number
  readonly hour: number
}

/** A kind of danger that own words can tell of, and the signs it is about; without any it is about the core of the emergency check. */
export interface DangerKind {
  readonly id: string
  readonly signs: readonly string[]
  /** The complaint that its words mostly tell of, for training; it need not be there yet. */
  readonly complaint?: string
  /** Whether something is said above its signs, at `note.<id>`. */
  readonly note?: true
}

/** Beginnings and ends of words, by the sense in which they point. */
export type Senses = Readonly<Record<string, readonly string[]>>

/** Names, or ticked options, that call for questions: they tell no answer. */
export interface NamedAsk {
  readonly signs: readonly string[]
  /** As of a group. */
  readonly names: readonly string[]
  /** Names of which one has to stand in the same text. */
  readonly with?: readonly string[]
  /** Options of questions of kind many that call for them too, unless a complaint of this patient asks or covers them. */
  readonly ticked?: Readonly<Record<string, readonly string[]>>
  /** Texts in which they are looked for beside those of all names. */
  readonly also?: readonly string[]
}

/** Names of things that count as an answer where they are typed: of a sign, or an option of a question. */
export interface NamedGroup {
  readonly question: string
  readonly option?: string
  /** Beginnings of words, in small letters; `chest+shock`: of two words of the same text. */
  readonly names: readonly string[]
  /** Texts that come before the question: what they name is added once it is answered, so that it is asked all the same. */
  readonly also?: readonly string[]
}

/** What typed names tell, and the text questions in which they are looked for. */
export interface Named {
  /** Names that count for nothing where a word of a drop, a cream or a spray stands beside them. */
  readonly local?: NamedLocal
  readonly from: readonly string[]
  readonly groups: readonly NamedGroup[]
  /** The signs of the emergency check that whoever names one of these is asked at once, in every matter, and nobody else. */
  readonly asks?: readonly NamedAsk[]
}

/** `names` by the beginnings of their words, `beside` by any part of a word; nothing counts as beside across a word of `between`. */
export interface NamedLocal {
  readonly names: readonly string[]
  readonly beside: readonly string[]
  readonly between: readonly string[]
}
