import { LANGUAGES, type Language } from '../content.ts'
import { LANGUAGE_RULES, type LanguageRules } from './rules.ts'
import { Stems } from './stems.ts'

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

/** A meaning that a word may have in a list of phrases, and how surely. */
export interface Hit {
  readonly unit: number
  readonly sureness: number
}

/** A word as a language knows it, wherever it stands. */
export interface KnownWord {
  /** Folded; empty when it is a mark. */
  readonly form: string
  readonly stem: string
  /** Holds a sentence together or says little by itself. */
  readonly weight: 'glue' | 'common' | 'meaning'
  readonly role: Role
  /** The languages in which it holds a sentence together or says little by itself. */
  readonly smallIn: readonly Language[]
  /** Counted from the first word that was read: where others note what they work out of it. */
  readonly number: number
  /** What each list of phrases of the release makes of it, once the list was asked; those that make nothing of it are a bit each, since most do. */
  readonly hits: (readonly Hit[] | undefined)[]
  hitless: number
}

const NOT_ASKED: readonly undefined[] = new Array(8).fill(undefined)

/** Tells what a language knows of a word, by its form. */
export function knowledgeOf(rules: LanguageRules): (form: string) => KnownWord {
  const roles = rolesIn(rules)
  const stems = new Stems(rules)
  let words = 0
  return (form) => {
    const role = roles.get(form) ?? NO_ROLE
    const weight = weightOf(form, role, rules)
    const smallIn = SMALL_IN.get(form) ?? NOWHERE
    return { form, stem: stems.stemOf(form), weight, role, smallIn, number: words++, hits: [...NOT_ASKED], hitless: 0 }
  }
}

const NOWHERE: readonly Language[] = []

const SMALL_IN: ReadonlyMap<string, readonly Language[]> = smallInLanguages()

function smallInLanguages(): Map<string, Language[]> {
  const small = new Map<string, Language[]>()
  for (const language of LANGUAGES)
    for (const form of smallWordsOf(LANGUAGE_RULES[language])) small.set(form, [...(small.get(form) ?? []), language])
  return small
}

/** The words of a language that hold a sentence together or say little by themselves: all that weigh less than `meaning`. */
function smallWordsOf({ glue, no, not, unable, common, able, ends, or }: LanguageRules): ReadonlySet<string> {
  return [no, not, unable, common, able, ends, or].reduce((all, some) => all.union(some), glue)
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
