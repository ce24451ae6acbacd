import { remembered } from '../text/remembered.ts'
import type { LanguageRules } from './rules.ts'
import { stemOf } from './stem.ts'
import type { WrittenWord } from './written.ts'

/** What a small word does to the words around it; the rules of a language say more of each. */
export interface Role {
  readonly denies: 'no' | 'not' | 'unable' | undefined
  readonly isAble: boolean
  readonly isOnly: boolean
  readonly isOr: boolean
  readonly ends: boolean
  readonly isSubject: boolean
  readonly isPresent: boolean
  readonly isAsThen: boolean
  readonly tellsOfThen: boolean
  /** The phrases of long ago that begin with it. */
  readonly past: readonly (readonly string[])[]
}

/** A word as a language knows it, wherever it stands. */
export interface KnownWord {
  readonly form: string
  readonly stem: string
  /** Holds a sentence together or says little by itself. */
  readonly weight: 'glue' | 'common' | 'meaning'
  readonly role: Role
  /** Counted from the first word that was read: where others note what they work out of it. */
  readonly number: number
}

/** So many words are kept in mind with what a language knows of them. */
export const MOST_WORDS = 24_000

/** The words of a language that hold a sentence together or say little by themselves: all that weigh less than `meaning`. */
export function smallWordsOf({ glue, no, not, unable, common, able, ends, or }: LanguageRules): ReadonlySet<string> {
  return [no, not, unable, common, able, ends, or].reduce((all, some) => all.union(some), glue)
}

const understandings = new Map<LanguageRules, (word: WrittenWord) => KnownWord>()

/** What a language knows of words as they are written. */
export function understandingOf(rules: LanguageRules): (word: WrittenWord) => KnownWord {
  const made = understandings.get(rules) ?? understanding(rules, understandings.size)
  understandings.set(rules, made)
  return made
}

function understanding(rules: LanguageRules, place: number): (word: WrittenWord) => KnownWord {
  const roles = rolesIn(rules)
  let words = 0
  const known = remembered(MOST_WORDS, (form: string): KnownWord => {
    const role = roles.get(form) ?? NO_ROLE
    return { form, stem: stemOf(form, rules), weight: weightOf(form, role, rules), role, number: words++ }
  })
  return (word) => {
    const before = word.known[place]
    if (before !== undefined) return before
    const now = known(word.form)
    word.known[place] = now
    return now
  }
}

function weightOf(form: string, role: Role, rules: LanguageRules): KnownWord['weight'] {
  if (rules.glue.has(form) || role.denies) return 'glue'
  return rules.common.has(form) || role.isAble || role.ends || role.isOr ? 'common' : 'meaning'
}

/** Most words have none: one stands for all of them. */
export const NO_ROLE = roleOf('')

function rolesIn(rules: LanguageRules): Map<string, Role> {
  const { no, not, unable, able, only, or, ends, subjects, present, asThen, was, past } = rules
  const all = [no, not, unable, able, only, or, ends, subjects, present, asThen, was, past]
  const forms = all.flatMap((some) => [...some.keys()])
  return new Map(forms.map((form) => [form, roleOf(form, rules)]))
}

function roleOf(form: string, rules?: LanguageRules): Role {
  const denial = (['unable', 'not', 'no'] as const).find((kind) => rules?.[kind].has(form))
  const is = (some: 'able' | 'only' | 'or' | 'ends' | 'subjects' | 'present' | 'asThen' | 'was') =>
    rules?.[some].has(form) === true
  return {
    denies: denial,
    isAble: is('able'),
    isOnly: is('only'),
    isOr: is('or'),
    ends: is('ends'),
    isSubject: is('subjects'),
    isPresent: is('present'),
    isAsThen: is('asThen'),
    tellsOfThen: is('was'),
    past: rules?.past.get(form) ?? [],
  }
}
