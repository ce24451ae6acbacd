import type { Answer, Value } from '../content.ts'
import type { Content } from '../load.ts'
import { begunIn, type LoadedNames } from './names.ts'

/** The lists of which a name was typed, by the slot of the text: most people type none. */
type Typed = ReadonlyMap<number, ReadonlySet<number>>

/** Looks for names in what was typed. */
export function typedIn({ named }: Content, values: readonly (Value | undefined)[]): Typed {
  const { texts, local, lists } = named
  const typed = new Map<number, ReadonlySet<number>>()
  for (const text of texts) {
    const value = values[text]
    if (typeof value !== 'string') continue
    const lower = value.toLowerCase().replaceAll('-', '')
    const found = begunIn(lower, named)
    // Word by word only where one of them is named: a long text is gone through at every step.
    const isLocal = local && found.some((place) => local.places.has(place))
    const begun = isLocal ? begunIn(swallowed(lower, local), named) : found
    const told = lists.namedBy(begun)
    if (told.size > 0) typed.set(text, told)
  }
  return typed
}

/** How far from its name the form of a medicine may stand, in words. */
const AFTER = 4
const BEFORE = 2

/** The text without the names of what is dropped, rubbed in or sprayed: cortisone for the eye is none for the body. */
function swallowed(text: string, local: NonNullable<LoadedNames['local']>): string {
  return text
    .split(/[,;:\n]|\.\s/u)
    .map((piece) => {
      const words = piece.match(/[\p{L}\d./%]+/gu) ?? []
      const ends = words.map((word) => local.between.has(word.replace(/^\d+/u, '')))
      const isBeside = (name: number, near: number): boolean =>
        local.beside.test(words[near] as string) &&
        !ends.slice(Math.min(name, near), Math.max(name, near) + 1).includes(true)
      const isLocal = (name: number): boolean =>
        words.some((_, near) => near >= name - BEFORE && near <= name + AFTER && isBeside(name, near))
      return words.filter((word, at) => !local.name.test(word) || !isLocal(at)).join(' ')
    })
    .join('\n')
}

function isTyped(typed: Typed, list: number, beside: number | undefined, texts: readonly number[]): boolean {
  for (const [text, lists] of typed)
    if (lists.has(list) && (beside === undefined || lists.has(beside)) && texts.includes(text)) return true
  return false
}

/** What names that were typed tell, by the slot of the question that they answer: the options of a choice, or that a sign is there. */
export function toldByNames(
  { named }: Content,
  values: readonly (Value | undefined)[],
  typed: Typed,
): ReadonlyMap<number, readonly string[]> {
  const told = new Map<number, string[]>()
  if (typed.size === 0) return told
  for (const { slot, option, list, texts, also } of named.groups) {
    const isIn = (some: readonly number[]) => isTyped(typed, list, undefined, some)
    if (!isIn(texts) && !(values[slot] !== undefined && isIn(also))) continue
    told.set(slot, [...(told.get(slot) ?? []), ...(option === undefined ? [] : [option])])
  }
  return told
}

/** The signs that typed names call for, in the order of the content. */
export function calledForByNames({ named }: Content, typed: Typed): readonly number[] {
  if (typed.size === 0) return []
  return named.asks.flatMap(({ signs, list, with: beside, texts }) =>
    isTyped(typed, list, beside, texts) ? signs : [],
  )
}

/** The signs that ticked options call for, in the order of the content. */
export function calledForByTicks({ named }: Content, values: readonly (Value | undefined)[]): readonly number[] {
  if (!named.ticking.values().some((slot) => values[slot] !== undefined)) return []
  return named.asks.flatMap(({ signs, ticked }) =>
    ticked.some(({ slot, options }) => options.some((option) => isChosen(values[slot], option))) ? signs : [],
  )
}

const isChosen = (value: Value | undefined, option: string): boolean => Array.isArray(value) && value.includes(option)

/** What was chosen with what names tell, as far as that is offered. */
export function withNamed(
  said: Value | undefined,
  named: readonly string[],
  offered: readonly string[],
): Value | undefined {
  const told = named.filter((option) => offered.includes(option))
  if (told.length === 0) return said
  const chosen = Array.isArray(said) ? said.filter((option) => option !== 'none') : []
  return [...new Set([...chosen, ...told])]
}

/** The typed texts whose names alone tell an option, or that a sign is there, and not an answer to the question itself. */
export function typedFor(
  { named, questions }: Pick<Content, 'named' | 'questions'>,
  values: readonly (Value | undefined)[],
  slot: number,
  told: readonly string[] | undefined,
  option: string | undefined,
): Answer[] {
  const said = values[slot]
  const isNamed = option === undefined ? told?.length === 0 : told?.includes(option) === true
  const isSaid = option === undefined ? said === true : Array.isArray(said) && said.includes(option)
  if (!isNamed || isSaid) return []
  const also = named.groups.flatMap((group) => (group.slot === slot ? group.also : []))
  return [...new Set([...named.from, ...also])].flatMap((text) => {
    const id = questions[text]?.question.id
    const value = values[text]
    return id !== undefined && typeof value === 'string' ? [{ question: id, value }] : []
  })
}
