/** Letters left out, added, changed or swapped between two words; stops counting above `most`. */
export function differences(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1
  // What is the same at both ends needs no counting.
  let from = 0
  let [endOfA, endOfB] = [a.length, b.length]
  while (from < endOfA && from < endOfB && a.charCodeAt(from) === b.charCodeAt(from)) from++
  while (endOfA > from && endOfB > from && a.charCodeAt(endOfA - 1) === b.charCodeAt(endOfB - 1)) {
    endOfA--
    endOfB--
  }
  if (from === endOfA || from === endOfB) return Math.min(endOfA + endOfB - 2 * from, most + 1)
  // Both ends differ: one difference is one letter changed or two swapped.
  if (most === 1) return isOneChange(a, b, from, endOfA, endOfB) ? 1 : 2
  return counted(a, b, from, endOfA, endOfB, most)
}

function isOneChange(a: string, b: string, from: number, endOfA: number, endOfB: number): boolean {
  if (endOfA !== endOfB || endOfA > from + 2) return false
  return endOfA === from + 1 || (a[from] === b[from + 1] && a[from + 1] === b[from])
}

function counted(a: string, b: string, from: number, endOfA: number, endOfB: number, most: number): number {
  const width = endOfB - from
  let before: number[] = []
  let last = Array.from({ length: width + 1 }, (_, at) => at)
  for (let i = 1; i <= endOfA - from; i++) {
    const letter = a.charCodeAt(from + i - 1)
    const row = [i]
    let fewest = i
    for (let j = 1; j <= width; j++) {
      const other = b.charCodeAt(from + j - 1)
      let least = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (letter === other ? 0 : 1))
      const swapped = i > 1 && j > 1 && letter === b.charCodeAt(from + j - 2) && a.charCodeAt(from + i - 2) === other
      if (swapped) least = Math.min(least, (before[j - 2] ?? 0) + 1)
      row.push(least)
      fewest = Math.min(fewest, least)
    }
    if (fewest > most) return most + 1
    before = last
    last = row
  }
  return Math.min(last[width] ?? 0, most + 1)
}
