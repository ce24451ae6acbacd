const PRIME = 0x01000193
/** The place of a word that is none of those known. */
export const NONE = -1

/**
 * Tells the place of the longest of these words that another begins with, or with `isEnd` that it ends with, and that is
 * at least so long; `NONE` where there is none. Every beginning of the other has a number that follows from that of the
 * one before it, so nothing is cut out of it.
 */
export function edgesOf(
  words: readonly string[],
  isEnd: boolean,
): (form: string, least: number, most: number) => number {
  const size = 2 ** Math.ceil(Math.log2(2 * words.length + 1))
  // The number of each word in the first place from its own on that is free, and beside it the word, counted from 1.
  const table = new Int32Array(2 * size)
  const placeOf = (number: number) => ((number ^ (number >>> 15)) & (size - 1)) * 2
  const after = (place: number) => (place + 2) & (2 * size - 1)
  const unitOf = (form: string, at: number) => form.charCodeAt(isEnd ? form.length - 1 - at : at)
  let longest = 0
  for (let word = 0; word < words.length; word++) {
    const form = words[word] as string
    let number = 0
    for (let at = 0; at < form.length; at++) number = Math.imul(number ^ unitOf(form, at), PRIME)
    let place = placeOf(number)
    while (table[place + 1] !== 0) place = after(place)
    table[place] = number
    table[place + 1] = word + 1
    longest = Math.max(longest, form.length)
  }
  const isEdge = (word: string, form: string) => (isEnd ? form.endsWith(word) : form.startsWith(word))
  return (form, least, most) => {
    let found = NONE
    let number = 0
    for (let at = 0; at < Math.min(form.length, longest, most); at++) {
      number = Math.imul(number ^ unitOf(form, at), PRIME)
      if (at + 1 < least) continue
      for (let place = placeOf(number); table[place + 1] !== 0; place = after(place)) {
        const word = (table[place + 1] as number) - 1
        if (table[place] === number && (words[word] as string).length === at + 1 && isEdge(words[word] as string, form))
          found = word
      }
    }
    return found
  }
}
