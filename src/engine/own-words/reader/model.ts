import type { Features } from './features.ts'

/** From which score on a danger is led with or asked about first, and from which a complaint is proposed. The first is the same in every language, the others are chosen on examples held out of the training. */
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
  /** Finds features among those that are known, and tells them. All are found before the first is looked at: so the memory is asked for many at once. */
  count(features: Features): void
  /** Adds what the feature of a place says, if it is known, counting so much, to the scores of the labels, which stand from a place of their own on. */
  add(place: number, much: number, scores: Float64Array, from: number): void
  /** What the feature of a place says for a label, counting once; nothing where it is not known. */
  weightOf(place: number, label: number): number
}

/** The place of a feature that is not known. */
const UNKNOWN = -1
const GREATEST = 0xffffffff

/** By feature how rare it is, and its labels, in order, and the steps of their weights in turn. */
export type Rows = ReadonlyMap<number, { readonly rareness: number; readonly weights: readonly number[] }>

const BYTES_OF_NUMBER = 4

/** What is kept of a feature lies side by side, since memory is slower than counting: the feature, how rare it is, how many weights it has, and each label with the steps of its weight. Each begins where a number may begin. */
const RARENESS = BYTES_OF_NUMBER
const COUNT = RARENESS + 1
const PAIRS = COUNT + 1
const bytesOf = (pairs: number): number => (PAIRS + 2 * pairs + BYTES_OF_NUMBER - 1) & -BYTES_OF_NUMBER

/** Features are numbers of so many bits, spread evenly, in order where their sign is one bit more; by their first bits they are parted into groups, about as many as there are features. */
const BITS = 32

/** A reader as bytes: its header, the features in order, how rare each is, how many weights each has, and these. */
export function encodeModel(header: Omit<Header, 'features' | 'weights'>, rows: Rows): Uint8Array {
  const features = [...rows.keys()].sort((a, b) => (a >>> 0) - (b >>> 0))
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
  const { unknown } = header
  const steps = Float64Array.from(header.steps)
  const { rows, groups, shift, end } = rowsOf(header, bytes)
  const keys = new Uint32Array(rows.buffer)
  const signed = new Int8Array(rows.buffer)
  return {
    ...header,
    count({ length, ids, weights, places, much }) {
      // The first of each group is asked for before any is looked at: memory answers many at once.
      for (let at = 0; at < length; at++) {
        const place = groups[(ids[at] as number) >>> shift] as number
        places[at] = place
        much[at] = keys[place >>> 2] as number
      }
      for (let at = 0; at < length; at++) {
        const wanted = (ids[at] as number) >>> 0
        let place = places[at] as number
        let key = much[at] as number
        while (key < wanted) {
          place += bytesOf(rows[place + COUNT] as number)
          key = keys[place >>> 2] as number
        }
        const isKnown = place < end && key === wanted
        places[at] = isKnown ? place : UNKNOWN
        much[at] = (isKnown ? (rows[place + RARENESS] as number) : unknown) * (weights[at] as number)
      }
    },
    add(place, much, scores, from) {
      if (place === UNKNOWN) return
      const to = place + PAIRS + 2 * (rows[place + COUNT] as number)
      for (let at = place + PAIRS; at < to; at += 2) {
        const label = rows[at] as number
        const says = much * (signed[at + 1] as number) * (steps[label] as number)
        scores[from + label] = (scores[from + label] as number) + says
      }
    },
    weightOf(place, label) {
      if (place === UNKNOWN) return 0
      const to = place + PAIRS + 2 * (rows[place + COUNT] as number)
      let at = place + PAIRS
      while (at < to && (rows[at] as number) < label) at += 2
      return at < to && rows[at] === label ? (signed[at + 1] as number) * (steps[label] as number) : 0
    },
  }
}

/** The features in order as they are kept, where each group of them begins, and where they end; behind them stands one that is greater than all. */
function rowsOf({ features, weights }: Header, bytes: Uint8Array) {
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  const keysAt = BYTES_OF_NUMBER + view.getUint32(0, true)
  const rarenessAt = keysAt + features * BYTES_OF_NUMBER
  const countsAt = rarenessAt + features
  const shift = BITS - Math.max(1, Math.ceil(Math.log2(features + 1)))
  const groups = new Uint32Array(2 ** (BITS - shift))
  let size = bytesOf(0)
  for (let row = 0; row < features; row++) size += bytesOf(bytes[countsAt + row] as number)
  const rows = new Uint8Array(size)
  const numbers = new Uint32Array(rows.buffer)
  let pairsAt = bytes.length - 2 * weights
  let group = 0
  let end = 0
  for (let row = 0; row < features; row++) {
    const feature = view.getUint32(keysAt + row * BYTES_OF_NUMBER, true)
    const count = bytes[countsAt + row] as number
    while (group <= feature >>> shift) groups[group++] = end
    numbers[end / BYTES_OF_NUMBER] = feature
    rows[end + RARENESS] = bytes[rarenessAt + row] as number
    rows[end + COUNT] = count
    for (let at = 0; at < 2 * count; at++) rows[end + PAIRS + at] = bytes[pairsAt + at] as number
    pairsAt += 2 * count
    end += bytesOf(count)
  }
  groups.fill(end, group)
  numbers[end / BYTES_OF_NUMBER] = GREATEST
  return { rows, groups, shift, end }
}
