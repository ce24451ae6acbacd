const PRIME = 0x01000193

/**
 * A number for the word, and one for the word without each letter except the first: two words one letter apart share one
 * of them. By chance others may too.
 */
export function withOneLess(form: string): number[] {
  const numbers: number[] = []
  let whole = 0
  for (let at = 0; at < form.length; at++) {
    numbers.push(whole)
    whole = (Math.imul(whole, PRIME) + form.charCodeAt(at)) | 0
  }
  let power = 1
  for (let at = form.length - 1; at > 0; at--) {
    const before = numbers[at] as number
    const after = Math.imul(before, PRIME) + form.charCodeAt(at)
    numbers[at] = (whole + Math.imul(before - after, power)) | 0
    power = Math.imul(power, PRIME)
  }
  numbers[0] = whole
  return numbers
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
