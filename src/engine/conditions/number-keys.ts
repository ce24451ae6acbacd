/**
 * Numbers keys in the order in which they first come. Each is a kind, a number and a list of numbers: to make one text
 * of them, for a map, would take longer than all the rest.
 */
export function numberKeys(): (kind: number, about: number, list: readonly number[]) => number {
  const kinds: number[] = []
  const abouts: number[] = []
  const lists: (readonly number[])[] = []
  const hashes: number[] = []
  /** By hash the number of a key, and one more: the next free place has it, where others have the same. */
  let places = new Int32Array(1 << 12)

  function put(key: number): void {
    let place = (hashes[key] ?? 0) & (places.length - 1)
    while (places[place] !== 0) place = (place + 1) & (places.length - 1)
    places[place] = key + 1
  }

  function add(hash: number, kind: number, about: number, list: readonly number[]): number {
    kinds.push(kind)
    abouts.push(about)
    lists.push(list)
    const key = hashes.push(hash) - 1
    if (hashes.length * 2 <= places.length) put(key)
    else {
      places = new Int32Array(places.length * 4)
      for (let one = 0; one <= key; one++) put(one)
    }
    return key
  }

  return (kind, about, list) => {
    const hash = hashOf(kind, about, list)
    for (let place = hash & (places.length - 1); ; place = (place + 1) & (places.length - 1)) {
      const key = (places[place] ?? 0) - 1
      if (key < 0) return add(hash, kind, about, list)
      if (hashes[key] !== hash || kinds[key] !== kind || abouts[key] !== about) continue
      if (isSame(lists[key] ?? [], list)) return key
    }
  }
}

function hashOf(kind: number, about: number, list: readonly number[]): number {
  let hash = Math.imul(kind, 31) + about
  for (let at = 0; at < list.length; at++) hash = (Math.imul(hash, 31) + (list[at] ?? 0)) | 0
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return hash ^ (hash >>> 13)
}

function isSame(list: readonly number[], other: readonly number[]): boolean {
  for (let at = 0; at < list.length; at++) if (list[at] !== other[at]) return false
  return list.length === other.length
}
