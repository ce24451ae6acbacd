/** From which score on a danger is led with or asked about first, and from which a complaint is proposed. Chosen on examples held out of the training. */
export interface Thresholds {
  readonly lead: number
  readonly ask: number
  /** The same as `ask` for words that also stand in the lists of danger. */
  readonly askListed: number
  readonly complaint: number
}

/** What the bytes of a reader begin with. */
interface Header {
  /** What it was trained on. */
  readonly trainedOn: string
  readonly labels: readonly string[]
  /** By label: what one step of its weights is worth, and what holds before a word is read. */
  readonly steps: readonly number[]
  readonly biases: readonly number[]
  readonly thresholds: Thresholds
  /** How rare a feature is that no example has. */
  readonly unknown: number
  readonly features: number
  readonly weights: number
}

/** A trained reader of one language: what each feature says for and against each label. */
export interface Model extends Header {
  /** The slot of a feature, known or not. */
  find(feature: number): number
  knows(slot: number): boolean
  /** How rare the feature of a slot is: rare ones count more. */
  rarenessOf(slot: number): number
  /** Adds what the feature of a slot says, counting so much, to the scores of the labels. */
  add(slot: number, much: number, scores: Float64Array): void
  /** What the feature of a slot says for a label, counting once. */
  weightOf(slot: number, label: number): number
}

/** By feature how rare it is, and its labels and the steps of their weights in turn. */
export type Rows = ReadonlyMap<number, { readonly rareness: number; readonly weights: readonly number[] }>

const BYTES_OF_NUMBER = 4

/** A slot of the table: the feature, where its weights begin and end, and how rare it is. */
const WIDTH = 4
const ROW = 1
const END = 2
const RARENESS = 3

/** A reader as bytes: its header, the features in order, how rare each is, how many weights each has, and these. */
export function encodeModel(header: Omit<Header, 'features' | 'weights'>, rows: Rows): Uint8Array {
  const features = [...rows.keys()].sort((a, b) => a - b)
  const weights = features.reduce((sum, feature) => sum + (rows.get(feature)?.weights.length ?? 0) / 2, 0)
  const words = new TextEncoder().encode(JSON.stringify({ ...header, features: features.length, weights }))
  const bytes = new Uint8Array(BYTES_OF_NUMBER + words.length + features.length * (BYTES_OF_NUMBER + 2) + weights * 2)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, words.length, true)
  bytes.set(words, BYTES_OF_NUMBER)
  let at = BYTES_OF_NUMBER + words.length
  for (const feature of features) {
    view.setUint32(at, feature, true)
    at += BYTES_OF_NUMBER
  }
  for (const feature of features) bytes[at++] = rows.get(feature)?.rareness ?? 0
  for (const feature of features) bytes[at++] = (rows.get(feature)?.weights.length ?? 0) / 2
  for (const feature of features) for (const number of rows.get(feature)?.weights ?? []) bytes[at++] = number & 0xff
  return bytes
}

/** What the bytes of a reader begin with; undefined when they are not those of one. */
export function headerOf(bytes: Uint8Array): Header | undefined {
  if (bytes.length < BYTES_OF_NUMBER) return undefined
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true)
  try {
    const header: Header = JSON.parse(
      new TextDecoder().decode(bytes.subarray(BYTES_OF_NUMBER, BYTES_OF_NUMBER + length)),
    )
    const size = BYTES_OF_NUMBER + length + header.features * (BYTES_OF_NUMBER + 2) + header.weights * 2
    return size === bytes.length ? header : undefined
  } catch {
    return undefined
  }
}

export function decodeModel(bytes: Uint8Array): Model {
  const header = headerOf(bytes)
  if (!header) throw new Error('These bytes are not those of a trained reader.')
  const { features, steps } = header
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  const keysAt = BYTES_OF_NUMBER + view.getUint32(0, true)
  const rarenessAt = keysAt + features * BYTES_OF_NUMBER
  const countsAt = rarenessAt + features
  // A table with open addressing, at most half full; what belongs to a feature lies side by side.
  const mask = 2 ** Math.ceil(Math.log2(2 * features + 2)) - 1
  const table = new Uint32Array((mask + 1) * WIDTH)
  const slotOf = (feature: number): number => {
    let slot = feature & mask
    while (table[slot * WIDTH] !== feature && table[slot * WIDTH] !== 0) slot = (slot + 1) & mask
    return slot * WIDTH
  }
  let row = countsAt + features
  for (let place = 0; place < features; place++) {
    const feature = view.getUint32(keysAt + place * BYTES_OF_NUMBER, true)
    const slot = slotOf(feature)
    table[slot] = feature
    table[slot + ROW] = row
    row += 2 * (bytes[countsAt + place] ?? 0)
    table[slot + END] = row
    table[slot + RARENESS] = bytes[rarenessAt + place] ?? 0
  }
  const signed = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length)
  return {
    ...header,
    find: slotOf,
    knows: (slot) => table[slot] !== 0,
    rarenessOf: (slot) => (table[slot] === 0 ? header.unknown : (table[slot + RARENESS] as number)),
    add(slot, much, scores) {
      const end = table[slot + END] as number
      for (let at = table[slot + ROW] as number; at < end; at += 2) {
        const label = bytes[at] as number
        scores[label] = (scores[label] as number) + much * (signed[at + 1] as number) * (steps[label] as number)
      }
    },
    weightOf(slot, label) {
      const end = table[slot + END] as number
      for (let at = table[slot + ROW] as number; at < end; at += 2)
        if (bytes[at] === label) return (signed[at + 1] as number) * (steps[label] as number)
      return 0
    },
  }
}
