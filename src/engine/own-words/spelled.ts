import { NONE, Numbered, PRIME } from './numbered.ts'

const ROOM = 64

/**
 * Words of a list, found in others: each by the number that its letters make. Those of what stands between two places of
 * another word follow from those of its beginnings, so that nothing is cut out of it to be looked up.
 */
export class SpelledWords {
  readonly words: readonly string[]
  private readonly numbered: Numbered
  private form = ''
  /** Of the beginnings of the word that was taken up, by their length. */
  private beginnings = new Int32Array(ROOM)
  private powers = powersOf(ROOM)

  /** Each word once. */
  constructor(words: readonly string[]) {
    this.words = words
    this.numbered = new Numbered(words.length)
    for (const [place, word] of words.entries()) {
      this.take(word)
      this.numbered.add(this.beginnings[word.length] as number, place)
    }
  }

  /** Takes up the word that others are looked for in. */
  take(form: string): void {
    this.form = form
    if (form.length >= this.beginnings.length) {
      this.beginnings = new Int32Array(2 * form.length)
      this.powers = powersOf(2 * form.length)
    }
    const { beginnings } = this
    for (let at = 0; at < form.length; at++)
      beginnings[at + 1] = Math.imul(beginnings[at] as number, PRIME) + form.charCodeAt(at)
  }

  /** Which word of the list stands between two places of the one that was taken up. */
  between(from: number, to: number): number {
    const before = Math.imul(this.beginnings[from] as number, this.powers[to - from] as number)
    const number = ((this.beginnings[to] as number) - before) | 0
    const { numbered, words, form } = this
    for (let slot = numbered.first(number); slot !== NONE; slot = numbered.next(slot, number)) {
      const place = numbered.placeAt(slot)
      const word = words[place] as string
      if (word.length === to - from && form.startsWith(word, from)) return place
    }
    return NONE
  }

  find(form: string): number {
    this.take(form)
    return this.between(0, form.length)
  }

  /** Which word of the list so many letters are. */
  findLetters(letters: Uint16Array, length: number): number {
    let number = 0
    for (let at = 0; at < length; at++) number = (Math.imul(number, PRIME) + (letters[at] as number)) | 0
    const { numbered, words } = this
    for (let slot = numbered.first(number); slot !== NONE; slot = numbered.next(slot, number)) {
      const place = numbered.placeAt(slot)
      if (isSpelled(words[place] as string, letters, length)) return place
    }
    return NONE
  }
}

function isSpelled(word: string, letters: Uint16Array, length: number): boolean {
  if (word.length !== length) return false
  for (let at = 0; at < length; at++) if (word.charCodeAt(at) !== letters[at]) return false
  return true
}

function powersOf(many: number): Int32Array {
  const powers = new Int32Array(many).fill(1)
  for (let at = 1; at < many; at++) powers[at] = Math.imul(powers[at - 1] as number, PRIME)
  return powers
}
