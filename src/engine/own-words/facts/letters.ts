/** Small letters without accents, as many as there were, so that what is found here stands at the same place in the text. */
export function plainLetters(text: string): string {
  const plain = text.toLowerCase().replace(/[\u0080-\uffff]/g, (unit) => PLAIN[unit] ?? unit)
  return plain.length === text.length ? plain : text
}

const PLAIN: Readonly<Record<string, string>> = {
  å: 'a',
  ä: 'a',
  æ: 'a',
  á: 'a',
  à: 'a',
  ö: 'o',
  ø: 'o',
  ó: 'o',
  ò: 'o',
  é: 'e',
  è: 'e',
  ü: 'u',
  '’': "'",
  '´': "'",
  '\u00a0': ' ',
}

/** Any of many phrases, the longest first, by their first letters: most places in a text are then left at once. */
export const anyPhrase = (phrases: readonly string[]): string =>
  [...Map.groupBy(phrases, (phrase) => phrase.slice(0, 2))]
    .map(([start, all]) => `${start}(?:${anyOf(all.map((one) => one.slice(2).replaceAll(' ', '_')).join(' '))})`)
    .join('|')

/** Any of these words, the longest first; words are given apart by spaces, an underscore standing for a space. */
export const anyOf = (words: string): string =>
  words
    .split(' ')
    .sort((a, b) => b.length - a.length)
    .map((word) => word.replaceAll('_', ' +'))
    .join('|')
