import type { CompiledRelease, NamedAsk, NamedGroup } from '../content.ts'
import { NONE } from '../own-words/numbered.ts'
import { SpelledWords } from '../own-words/spelled.ts'

/** A name of several words: where the beginnings of them all stand. */
type Several = { readonly list: number; readonly places: readonly number[] }

/**
 * Lists of names, found from the beginnings that were typed: there are thousands of names and most texts tell of none, so
 * the lists are never gone through. A name is the places of the beginnings of its words.
 */
class NameLists {
  readonly #numbers = new Map<string, number>()
  readonly #single = new Map<number, number[]>()
  /** By the place of their first word. */
  readonly #several = new Map<number, Several[]>()

  /** The number of a list; equal ones have the same. */
  add(names: readonly (readonly number[])[]): number {
    const key = JSON.stringify(names)
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    const list = this.#numbers.size
    this.#numbers.set(key, list)
    for (const places of names) {
      const [first, ...others] = places
      if (first === undefined) continue
      if (others.length === 0) this.#single.getOrInsertComputed(first, () => []).push(list)
      else this.#several.getOrInsertComputed(first, () => []).push({ list, places })
    }
    return list
  }

  /** The lists of which a name stands in a text whose words begin with these. */
  namedBy(begun: readonly number[]): ReadonlySet<number> {
    const named = new Set<number>()
    for (const place of begun) {
      for (const list of this.#single.get(place) ?? []) named.add(list)
      for (const { list, places } of this.#several.get(place) ?? [])
        if (places.every((one) => begun.includes(one))) named.add(list)
    }
    return named
  }
}

/** What typed names of medicines tell, ready to be looked for. */
export interface LoadedNames {
  /** With what the words of any name begin, each once. */
  readonly beginnings: SpelledWords
  readonly lists: NameLists
  /** How many letters the beginnings have. */
  readonly shortest: number
  readonly longest: number
  /** What is dropped, rubbed in or sprayed, and so counts for nothing of what a tablet would tell. */
  readonly local:
    | {
        readonly places: ReadonlySet<number>
        readonly name: RegExp
        readonly beside: RegExp
        readonly between: ReadonlySet<string>
      }
    | undefined
  /** Every text in which names are looked for, and those in which all are. */
  readonly texts: readonly number[]
  readonly from: readonly number[]
  /** Names count in these texts, and in those of `also` once the question itself was answered. */
  readonly groups: readonly {
    readonly slot: number
    readonly option?: string
    /** The number of its list of names. */
    readonly list: number
    readonly texts: readonly number[]
    readonly also: readonly number[]
  }[]
  /** The signs of the emergency check that names, or ticked options, call for. */
  readonly asks: readonly {
    readonly signs: readonly number[]
    readonly list: number
    /** Another list, of which a name has to be there as well. */
    readonly with: number | undefined
    readonly texts: readonly number[]
    readonly ticked: readonly { readonly slot: number; readonly options: readonly string[] }[]
  }[]
  /** The questions whose ticked options call for signs, and these signs. */
  readonly ticking: ReadonlySet<number>
  readonly tickedFor: readonly number[]
}

export function loadNames({ named }: CompiledRelease, slot: (id: string) => number): LoadedNames {
  const { from = [], groups = [], asks = [], local } = named ?? {}
  const all = [...groups, ...asks]
  const written = [
    ...all.flatMap(({ names }) => names),
    ...asks.flatMap((ask) => ask.with ?? []),
    ...(local?.names ?? []),
  ]
  const beginnings = new SpelledWords([...new Set(written.flatMap(wordsOf))])
  const letters = beginnings.words.map((word) => word.length)
  const lists = new NameLists()
  const listOf = (names: readonly string[]): number =>
    lists.add(names.map((name) => wordsOf(name).map((word) => beginnings.find(word))))
  return {
    beginnings,
    lists,
    shortest: Math.min(...letters),
    longest: Math.max(...letters),
    local: local && {
      places: new Set(local.names.map((name) => beginnings.find(name))),
      name: new RegExp(`^(?:${anyOf(local.names)})`, 'u'),
      beside: new RegExp(anyOf(local.beside), 'u'),
      between: new Set(local.between),
    },
    texts: [...new Set([...from, ...all.flatMap(({ also = [] }) => also)])].map(slot),
    from: from.map(slot),
    groups: groups.map(({ question, option, names, also = [] }: NamedGroup) => ({
      slot: slot(question),
      ...(option !== undefined && { option }),
      list: listOf(names),
      texts: from.filter((text) => !also.includes(text)).map(slot),
      also: also.map(slot),
    })),
    asks: asks.map(({ signs, names, with: beside, also = [], ticked = {} }: NamedAsk) => ({
      signs: signs.map(slot),
      list: listOf(names),
      with: beside && listOf(beside),
      texts: [...from, ...also].map(slot),
      ticked: Object.entries(ticked).map(([question, options]) => ({ slot: slot(question), options })),
    })),
    ticking: new Set(asks.flatMap(({ ticked = {} }) => Object.keys(ticked).map(slot))),
    tickedFor: asks.flatMap(({ signs, ticked }) => (ticked ? signs.map(slot) : [])),
  }
}

/** The beginnings of names with which the words of a text begin, each once. */
export function begunIn(text: string, { beginnings, shortest, longest }: LoadedNames): readonly number[] {
  const begun: number[] = []
  beginnings.take(text)
  for (let from = 0; from < text.length; ) {
    let to = from
    while (isLetter(text, to)) {
      to++
      const place = to - from < shortest || to - from > longest ? NONE : beginnings.between(from, to)
      if (place !== NONE && !begun.includes(place)) begun.push(place)
    }
    from = to + 1
  }
  beginnings.take('') // what a patient wrote is not kept here
  return begun
}

const LETTER = /\p{L}/u
const [A, Z] = [0x61, 0x7a]
const ASCII = 0x80

/** Whether a small letter stands at this place. */
function isLetter(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code < ASCII ? code >= A && code <= Z : code >= ASCII && LETTER.test(text.charAt(at))
}

const wordsOf = (name: string): string[] => name.split('+')
const anyOf = (words: readonly string[]): string => words.map((word) => RegExp.escape(word)).join('|') || '(?!)'
