/** A name of several words: where the beginnings of them all stand. */
type Several = { readonly list: number; readonly places: readonly number[] }

/**
 * Lists of names, found from the beginnings that were typed: there are thousands of names and most texts tell of none, so
 * the lists are never gone through. A name is the places of the beginnings of its words.
 */
export class NameLists {
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
