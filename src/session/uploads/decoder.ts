import { Turns } from './turns.ts'

type Decoder = typeof import('sharp').default

let loading: Promise<Decoder> | null = null

/** Decodes and encodes pictures. Loaded on first use: it would be a tenth of every start. */
export function decoder(): Promise<Decoder> {
  loading ??= import('sharp').then(({ default: sharp }) => {
    sharp.cache(false)
    sharp.concurrency(1)
    return sharp
  })
  return loading
}

/** Thumbnails have a queue of their own beside the checks of new files, so that clinicians do not wait for strangers. */
const copies = new Turns({ atOnce: 2, waiting: 100, waitingOfOne: 100, longestWaitMs: 10_000 })
let copy = 0

export const fewAtOnce = <T>(work: () => Promise<T>): Promise<T> => copies.take(String(copy++), work)
