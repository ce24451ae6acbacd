const PRIME = 0x01000193

/**
 * A number for the word, and one for the word without each letter except the first: two words one letter apart share one
 * of them. By chance others may too.
 */
function withOneLess(form: string): Int32Array {
  const numbers = new Int32Array(form.length)
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

/** Tells which of these words may be one letter apart from another: those that share a number with it. */
export function mayBeMisspelt<Known extends { readonly form: string }>(
  words: readonly Known[],
): (form: string, take: (word: Known) => void) => void {
  const numbersOf = words.map(({ form }) => withOneLess(form))
  const size = 2 ** Math.ceil(Math.log2(2 * numbersOf.reduce((sum, { length }) => sum + length, 1)))
  // Each number in the first place from its own on that is free, and in the same place the word that it is of, counted from 1.
  const numbers = new Int32Array(size)
  const owners = new Int32Array(size)
  const placeOf = (number: number) => (number ^ (number >>> 15)) & (size - 1)
  const after = (place: number) => (place + 1) & (size - 1)
  for (let owner = 1; owner <= words.length; owner++) {
    for (const number of numbersOf[owner - 1] ?? []) {
      let place = placeOf(number)
      while (owners[place] !== 0 && !(numbers[place] === number && owners[place] === owner)) place = after(place)
      numbers[place] = number
      owners[place] = owner
    }
  }
  return (form, take) => {
    const wanted = withOneLess(form)
    for (let at = 0; at < wanted.length; at++) {
      const number = wanted[at] as number
      for (let place = placeOf(number); owners[place] !== 0; place = after(place))
        if (numbers[place] === number) take(words[(owners[place] as number) - 1] as Known)
    }
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
