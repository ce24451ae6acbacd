import { differences } from '../../text/differences.ts'
import { NONE, Numbered, PRIME } from '../numbered.ts'

const ROOM = 64

/** Words of a list that may be one letter apart from another. */
export class Misspelt {
  private readonly words: readonly string[]
  private readonly numbered: Numbered
  private numbers = new Int32Array(ROOM)

  /** Of the words those at these places. */
  constructor(words: readonly string[], places: readonly number[]) {
    this.words = words
    this.numbered = new Numbered(places.reduce((sum, place) => sum + (words[place] as string).length, 0))
    for (const place of places) {
      const { length } = words[place] as string
      const numbers = this.withOneLess(words[place] as string)
      for (let at = 0; at < length; at++)
        if (numbers.indexOf(numbers[at] as number) === at) this.numbered.add(numbers[at] as number, place)
    }
  }

  /** Takes the place of each word that starts with the same letter and is at most one letter apart; some more than once. */
  find(form: string, take: (place: number) => void): void {
    const { words, numbered } = this
    const numbers = this.withOneLess(form)
    for (let at = 0; at < form.length; at++) {
      const number = numbers[at] as number
      for (let slot = numbered.first(number); slot !== NONE; slot = numbered.next(slot, number)) {
        const place = numbered.placeAt(slot)
        const near = words[place] as string
        if (near.charCodeAt(0) === form.charCodeAt(0) && differences(near, form, 1) <= 1) take(place)
      }
    }
  }

  /**
   * A number for the word, and one for the word without each letter except the first: two words one letter apart share one
   * of them. By chance others may too.
   */
  private withOneLess(form: string): Int32Array {
    if (form.length > this.numbers.length) this.numbers = new Int32Array(2 * form.length)
    const { numbers } = this
    let whole = 0
    for (let at = 0; at < form.length; at++) {
      numbers[at] = whole
      whole = (Math.imul(whole, PRIME) + form.charCodeAt(at)) | 0
    }
    let power = 1
    for (let at = form.length - 1; at > 0; at--) {
      const before = numbers[at] as number
      const after = Math.imul(before, PRIME) + form.charCodeAt(at)
      numbers[at] = whole + Math.imul(before - after, power)
      power = Math.imul(power, PRIME)
    }
    numbers[0] = whole
    return numbers
  }
}

/** Whether two forms share so much of their beginning that they are the same word with other endings. */
export function beginsAlike(a: string, b: string): boolean {
  const shorter = Math.min(a.length, b.length)
  if (shorter < 5) return false
  let shared = 0
  while (shared < shorter && a[shared] === b[shared]) shared++
  return shared >= 5 ? shared / shorter >= 0.7 : shared === 4 && shared / shorter >= 0.8
}

/** Whether a word begins like this, give or take one letter that is left out, added, changed or swapped with the next. */
export function beginsRoughly(beginning: string, form: string): boolean {
  let at = 0
  while (at < beginning.length && beginning.charCodeAt(at) === form.charCodeAt(at)) at++
  if (at >= beginning.length - 1) return true
  const goesOn = (here: number, there: number) => form.startsWith(beginning.slice(here), there)
  const isSwapped = beginning[at] === form[at + 1] && beginning[at + 1] === form[at]
  return goesOn(at + 1, at + 1) || goesOn(at + 1, at) || goesOn(at, at + 1) || (isSwapped && goesOn(at + 2, at + 2))
}
