import type { Answer, Value } from '../content.ts'
import type { Content } from '../load.ts'

/** What names that were typed tell, by the slot of the question that they answer: the options of a choice, or that a sign is there. */
export function namedIn(
  { named }: Content,
  values: readonly (Value | undefined)[],
): ReadonlyMap<number, readonly string[]> {
  const typedIn = typedBy(values)
  const told = new Map<number, string[]>()
  for (const { slot, option, names, also } of named.groups) {
    const texts = [...named.from.filter((text) => !also.includes(text)), ...(values[slot] === undefined ? [] : also)]
    if (!texts.some((text) => typedIn(text).some((word) => names.some((name) => word.startsWith(name))))) continue
    told.set(slot, [...(told.get(slot) ?? []), ...(option === undefined ? [] : [option])])
  }
  return told
}

/** The signs that typed names call for, in the order of the content. */
export function calledForBy({ named }: Content, values: readonly (Value | undefined)[]): readonly number[] {
  const typedIn = typedBy(values)
  const isNamed = (names: readonly string[], texts: readonly number[]) =>
    texts.some((text) => typedIn(text).some((word) => names.some((name) => word.startsWith(name))))
  return named.asks.flatMap(({ signs, names, also }) => (isNamed(names, [...named.from, ...also]) ? signs : []))
}

/** The words that were typed into each text, worked out once. */
function typedBy(values: readonly (Value | undefined)[]): (slot: number) => readonly string[] {
  const wordsOf = new Map<number, readonly string[]>()
  return (slot) => {
    const words = wordsOf.get(slot) ?? wordsIn(values[slot])
    wordsOf.set(slot, words)
    return words
  }
}

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

const wordsIn = (value: Value | undefined): string[] =>
  typeof value === 'string'
    ? value
        .toLowerCase()
        .replaceAll('-', '')
        .split(/[^\p{L}]+/u)
    : []
