import { once } from 'node:events'
import type { Duplex } from 'node:stream'
import pg from 'pg'

/** The part of the driver's connection that COPY needs; the driver itself offers no COPY. */
type Wire = pg.Connection & {
  stream: Duplex
  query: (text: string) => void
  sendCopyFromChunk: (bytes: Buffer) => void
  endCopyFrom: () => void
  sendCopyFail: (why: string) => void
}

/** A row that the driver hands over is a view of its own buffer, valid only until it returns. */
type CopyMessage = { chunk: Buffer }

/** A COPY statement on its way through the driver's queue. */
abstract class Copying implements pg.Submittable {
  readonly #text: string
  protected wire: Wire | null = null
  /** Settles when the statement is over, with the number of rows. */
  readonly done: Promise<number>
  #settle: { done: (rows: number) => void; failed: (error: unknown) => void }
  #rows = 0

  constructor(text: string) {
    this.#text = text
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    this.done = promise
    this.done.catch(() => {}) // whoever waits for it is told; nobody may be waiting yet
    this.#settle = { done: resolve, failed: reject }
  }

  submit(connection: pg.Connection): void {
    this.wire = connection as Wire
    this.wire.query(this.#text)
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.#rows = Number(/^COPY (\d+)/.exec(text)?.[1] ?? 0)
  }

  handleReadyForQuery(): void {
    this.#settle.done(this.#rows)
    this.over()
  }

  handleError(error: unknown): void {
    this.#settle.failed(error)
    this.over()
  }

  protected abstract over(): void
}

class CopyingOut extends Copying {
  readonly #pieceBytes: number
  #piece: Buffer
  #filled = 0
  #full: Buffer[] = []
  #isOver = false
  #wake = (): void => {}

  constructor(text: string, pieceBytes: number) {
    super(text)
    this.#pieceBytes = pieceBytes
    this.#piece = Buffer.allocUnsafeSlow(pieceBytes)
  }

  handleCopyData({ chunk }: CopyMessage): void {
    for (let at = 0; at < chunk.length; ) {
      const copied = chunk.copy(this.#piece, this.#filled, at)
      at += copied
      this.#filled += copied
      if (this.#filled === this.#pieceBytes) this.#put()
    }
    if (this.#full.length === 0) return
    this.wire?.stream.pause() // no more than one read of the socket is ever waiting
    this.#wake()
  }

  #put(): void {
    this.#full.push(this.#piece.subarray(0, this.#filled))
    this.#piece = Buffer.allocUnsafeSlow(this.#pieceBytes)
    this.#filled = 0
  }

  protected over(): void {
    if (this.#filled > 0) this.#put()
    this.#isOver = true
    this.wire?.stream.resume() // whatever is asked on this connection next must be heard
    this.#wake()
  }

  async *pieces(): AsyncGenerator<Buffer> {
    for (;;) {
      const piece = this.#full.shift()
      if (piece) yield piece
      else if (this.#isOver) return
      else {
        const { promise, resolve } = Promise.withResolvers<void>()
        this.#wake = resolve
        this.wire?.stream.resume()
        await promise
      }
    }
  }
}

class CopyingIn extends Copying {
  readonly #begun = Promise.withResolvers<void>()

  handleCopyInResponse(): void {
    this.#begun.resolve()
  }

  protected over(): void {
    this.#begun.resolve()
  }

  async take(pieces: AsyncIterable<Buffer>): Promise<number> {
    await this.#begun.promise
    try {
      for await (const piece of pieces) {
        this.wire?.sendCopyFromChunk(piece)
        // The database may refuse a row and end the statement while it still has to be fed.
        if (this.wire?.stream.writableNeedDrain) await Promise.race([once(this.wire.stream, 'drain'), this.done])
      }
      this.wire?.endCopyFrom()
    } catch (error) {
      this.wire?.sendCopyFail('given up')
      await this.done.catch(() => {})
      throw error
    }
    return this.done
  }
}

/** Runs a COPY … TO STDOUT and hands over what comes, in pieces of at most this size; returns the number of rows. */
export async function copyOut(
  client: pg.Client,
  text: string,
  pieceBytes: number,
  take: (piece: Buffer) => Promise<void>,
): Promise<number> {
  const copying = new CopyingOut(text, pieceBytes)
  client.query(copying)
  for await (const piece of copying.pieces()) await take(piece)
  return copying.done
}

/** Runs a COPY … FROM STDIN with these pieces; returns the number of rows. */
export function copyIn(client: pg.Client, text: string, pieces: AsyncIterable<Buffer>): Promise<number> {
  const copying = new CopyingIn(text)
  client.query(copying)
  return copying.take(pieces)
}

/** Quotes a name for a statement that cannot take it as a value. */
export const quoted = (name: string): string => pg.escapeIdentifier(name)
