/**
 * What was worked out from a key is kept for the next time: most words of a text stand in many others. What people write
 * is without end, so as many keys as given are kept, and as many of those before them; what is asked for again stays.
 */
export function remembered<Key, Worked>(most: number, work: (key: Key) => Worked): (key: Key) => Worked {
  let newer = new Map<Key, Worked>()
  let older = new Map<Key, Worked>()
  return (key) => {
    const found = newer.get(key)
    if (found !== undefined || newer.has(key)) return found as Worked
    const worked = older.has(key) ? (older.get(key) as Worked) : work(key)
    if (newer.size >= most) {
      older = newer
      newer = new Map()
    }
    newer.set(key, worked)
    return worked
  }
}
