/** What is read ended before everything that was asked for had come. */
export class EndedEarly extends Error {}

/** Reads so many bytes at a time from something that comes in parts of any size. */
export class ByteReader {
  readonly #parts: AsyncIterator<Buffer>
  #waiting: Buffer[] = []
  #bytes = 0

  constructor(parts: AsyncIterable<Buffer>) {
    this.#parts = parts[Symbol.asyncIterator]()
  }

  async exactly(size: number): Promise<Buffer> {
    const read = await this.upTo(size)
    if (read.length < size) throw new EndedEarly('ended early')
    return read
  }

  /** Fewer only at the end. */
  async upTo(size: number): Promise<Buffer> {
    while (this.#bytes < size) {
      const { value, done } = await this.#parts.next()
      if (done) break
      this.#waiting.push(value)
      this.#bytes += value.length
    }
    const [only, ...others] = this.#waiting
    const all = only && others.length === 0 ? only : Buffer.concat(this.#waiting)
    const taken = all.subarray(0, size)
    this.#waiting = taken.length < all.length ? [all.subarray(taken.length)] : []
    this.#bytes = all.length - taken.length
    return taken
  }

  /** Lets go of what it reads from. */
  async close(): Promise<void> {
    await this.#parts.return?.()
  }
}
