import { Turns } from './turns.ts'

type Decoder = typeof import('sharp').default

let loading: Promise<Decoder> | null = null

/** Reads and writes pictures. Loaded with the first one: it would be a tenth of every start. */
export function decoder(): Promise<Decoder> {
  loading ??= import('sharp').then(({ default: sharp }) => {
    sharp.cache(false)
    sharp.concurrency(1)
    return sharp
  })
  return loading
}

/** Small copies of kept pictures are made beside the checks of new ones, so that clinicians do not wait for strangers; a few at once all the same. */
const copies = new Turns({ atOnce: 2, waiting: 100, waitingOfOne: 100, longestWaitMs: 10_000 })
let copy = 0

export const fewAtOnce = <T>(work: () => Promise<T>): Promise<T> => copies.take(String(copy++), work)
