import { differences } from '../../text/differences.ts'

/** The word, and the word without each letter except the first: two words one letter apart share one of these. */
export function* withOneLess(form: string): Generator<string> {
  yield form
  for (let at = 1; at < form.length; at++) yield form.slice(0, at) + form.slice(at + 1)
}

/** Whether two forms share so much of their beginning that they are the same word with other endings. */
export function beginsAlike(a: string, b: string): boolean {
  const shorter = Math.min(a.length, b.length)
  if (shorter < 5) return false
  let shared = 0
  while (shared < shorter && a[shared] === b[shared]) shared++
  return shared >= 5 ? shared / shorter >= 0.7 : shared === 4 && shared / shorter >= 0.8
}

/** Whether a word begins like this, give or take one letter. */
export function beginsRoughly(beginning: string, form: string): boolean {
  return [-1, 0, 1].some((more) => differences(beginning, form.slice(0, beginning.length + more), 1) <= 1)
}
