/** The word, and the word without each of its letters but the first: two words one letter apart share one of them. */
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

/** Whether a word begins like this, but for one letter. */
export function beginsRoughly(beginning: string, form: string): boolean {
  return [-1, 0, 1].some((more) => differences(beginning, form.slice(0, beginning.length + more), 1) <= 1)
}

/** Letters left out, added, changed or swapped between two words; stops counting above `most`. */
export function differences(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let least = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1))
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (swapped) least = Math.min(least, (before[j - 2] ?? 0) + 1)
      row.push(least)
    }
    if (Math.min(...row) > most) return most + 1
    before = last
    last = row
  }
  return last[b.length] ?? most + 1
}
