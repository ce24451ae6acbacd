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
