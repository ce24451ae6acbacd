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
  /** Finds features among those that are known. All are found before the first is looked at: so the memory is asked for many at once. */
  count(features: Features): Counted
  /** Adds what the feature of a place says, if it is known, counting so much, to the scores of the labels, which stand from a place of their own on. */
  add(place: number, much: number, scores: Float64Array, from: number): void
  /** What the feature of a place says for a label, counting once; nothing where it is not known. */
  weightOf(place: number, label: number): number
}

/** Features among those that are known: the place of each, and how much it counts, rare ones more. */
export interface Counted {
  readonly places: Int32Array
  readonly much: Float64Array
}

/** The place of a feature that is not known. */
const UNKNOWN = -1

/** By feature how rare it is, and its labels, in order, and the steps of their weights in turn. */
export type Rows = ReadonlyMap<number, { readonly rareness: number; readonly weights: readonly number[] }>

const BYTES_OF_NUMBER = 4

/** What is kept of a feature lies side by side: the feature itself, and where its weights begin together with how rare it is. Memory is slower than counting. */
const WIDTH = 2
const RARENESS_BITS = 8
const RARENESS_MASK = 0xff

/** Features are numbers of so many bits, spread evenly, in order where their sign is one bit more; by their first bits they are parted into groups of about so many. */
const BITS = 32
const GROUP_BITS = 2

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
  const { features, unknown } = header
  const steps = Float64Array.from(header.steps)
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  const keysAt = BYTES_OF_NUMBER + view.getUint32(0, true)
  const rarenessAt = keysAt + features * BYTES_OF_NUMBER
  const countsAt = rarenessAt + features
  // The labels of all features with the steps of their weights in turn; those of one end where those of the next begin.
  const labels = bytes.subarray(countsAt + features)
  const weights = new Int8Array(labels.buffer, labels.byteOffset, labels.length)
  const shift = BITS - Math.max(1, Math.ceil(Math.log2(features + 1)) - GROUP_BITS)
  const groups = new Uint32Array(2 ** (BITS - shift))
  const table = new Uint32Array((features + 1) * WIDTH)
  let group = 0
  let row = 0
  for (let place = 0; place < features; place++) {
    const feature = view.getUint32(keysAt + place * BYTES_OF_NUMBER, true)
    while (group <= feature >>> shift) groups[group++] = place * WIDTH
    table[place * WIDTH] = feature
    table[place * WIDTH + 1] = (row << RARENESS_BITS) | (bytes[rarenessAt + place] as number)
    row += bytes[countsAt + place] as number
  }
  const end = features * WIDTH
  groups.fill(end, group)
  table[end + 1] = row << RARENESS_BITS
  const rowAt = (place: number) => 2 * ((table[place + 1] as number) >>> RARENESS_BITS)
  const find = (feature: number): number => {
    const wanted = feature >>> 0
    let place = groups[wanted >>> shift] as number
    while (place < end && (table[place] as number) < wanted) place += WIDTH
    return place < end && table[place] === wanted ? place : UNKNOWN
  }
  return {
    ...header,
    count({ length, ids, weights: counting }) {
      const places = new Int32Array(length)
      const much = new Float64Array(length)
      for (let at = 0; at < length; at++) {
        const place = find(ids[at] as number)
        const rareness = place === UNKNOWN ? unknown : (table[place + 1] as number) & RARENESS_MASK
        places[at] = place
        much[at] = rareness * (counting[at] as number)
      }
      return { places, much }
    },
    add(place, much, scores, from) {
      if (place === UNKNOWN) return
      const to = rowAt(place + WIDTH)
      for (let at = rowAt(place); at < to; at += 2) {
        const label = labels[at] as number
        const says = much * (weights[at + 1] as number) * (steps[label] as number)
        scores[from + label] = (scores[from + label] as number) + says
      }
    },
    weightOf(place, label) {
      if (place === UNKNOWN) return 0
      const to = rowAt(place + WIDTH)
      let at = rowAt(place)
      while (at < to && (labels[at] as number) < label) at += 2
      return at < to && labels[at] === label ? (weights[at + 1] as number) * (steps[label] as number) : 0
    },
  }
}
