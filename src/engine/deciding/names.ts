import type { CompiledRelease } from '../content.ts'

/** Names, of which the beginnings of all words have to be there: by the first of them, the others of each name. */
export type Names = ReadonlyMap<string, readonly (readonly string[])[]>

/** What typed names of medicines tell, ready to be looked for. */
export interface LoadedNames {
  /** A word that begins with any of the names, and the beginnings of all. */
  readonly anyName: RegExp
  readonly beginnings: ReadonlySet<string>
  /** What is dropped, rubbed in or sprayed, and so counts for nothing of what a tablet would tell. */
  readonly local: { readonly name: RegExp; readonly beside: RegExp; readonly between: ReadonlySet<string> } | undefined
  /** Every text in which names are looked for, and those in which all are. */
  readonly texts: readonly number[]
  readonly from: readonly number[]
  /** Names count in these texts, and in those of `also` once the question itself was answered. */
  readonly groups: readonly {
    readonly slot: number
    readonly option?: string
    readonly names: Names
    readonly texts: readonly number[]
    readonly also: readonly number[]
  }[]
  /** The signs of the emergency check that names, or ticked options, call for. */
  readonly asks: readonly {
    readonly signs: readonly number[]
    readonly names: Names
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
  const beginnings = all.flatMap(beginningsOf).flat()
  return {
    anyName: wordOf(beginnings),
    beginnings: new Set(beginnings),
    local: local && {
      name: new RegExp(`^(?:${anyOf(local.names)})`, 'u'),
      beside: new RegExp(anyOf(local.beside), 'u'),
      between: new Set(local.between),
    },
    texts: [...new Set([...from, ...all.flatMap(({ also = [] }) => also)])].map(slot),
    from: from.map(slot),
    groups: groups.map(({ question, also = [], ...group }) => ({
      slot: slot(question),
      ...group,
      names: namesOf(group),
      texts: from.filter((text) => !also.includes(text)).map(slot),
      also: also.map(slot),
    })),
    asks: asks.map(({ also = [], ticked = {}, ...ask }) => ({
      signs: ask.signs.map(slot),
      names: namesOf(ask),
      texts: [...from, ...also].map(slot),
      ticked: Object.entries(ticked).map(([question, options]) => ({ slot: slot(question), options })),
    })),
    ticking: new Set(asks.flatMap(({ ticked = {} }) => Object.keys(ticked).map(slot))),
    tickedFor: asks.flatMap(({ signs, ticked }) => (ticked ? signs.map(slot) : [])),
  }
}

const beginningsOf = ({ names }: { readonly names: readonly string[] }): string[][] =>
  names.map((name) => name.split('+'))

const namesOf = (named: { readonly names: readonly string[] }): Names =>
  new Map(
    Map.groupBy(beginningsOf(named), ([first = '']) => first)
      .entries()
      .map(([first, names]) => [first, names.map(([, ...others]) => others)]),
  )

/** Matches every word that begins with one of these names. */
const wordOf = (names: readonly string[]): RegExp => new RegExp(String.raw`(?<!\p{L})(?:${anyOf(names)})\p{L}*`, 'gu')

const anyOf = (words: readonly string[]): string => words.map((word) => RegExp.escape(word)).join('|') || '(?!)'
