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
  return counted(a.slice(from, endOfA), b.slice(from, endOfB), most)
}

function counted(a: string, b: string, most: number): number {
  if (a.length === 0 || b.length === 0) return Math.min(a.length + b.length, most + 1)
  // Both ends differ: one difference is one letter changed or two swapped.
  if (most === 1) {
    const isSwap = a.length === 2 && b.length === 2 && a[0] === b[1] && a[1] === b[0]
    return (a.length === 1 && b.length === 1) || isSwap ? 1 : 2
  }
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    let fewest = i
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let least = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1))
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (swapped) least = Math.min(least, (before[j - 2] ?? 0) + 1)
      row.push(least)
      fewest = Math.min(fewest, least)
    }
    if (fewest > most) return most + 1
    before = last
    last = row
  }
  return Math.min(last[b.length] ?? 0, most + 1)
}
