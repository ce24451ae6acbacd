import type { Readable } from 'node:stream'
import { Problem } from '../../problems.ts'
import type { Room } from '../../session/uploads/room.ts'

const SEGMENT_BYTES = 1024 * 1024
const LONGEST_SILENCE_MS = 10_000
/** Fewer bytes than this at the end of a lost connection tell nothing of a file, and are not worth a row. */
const WORTH_KEEPING_BYTES = 16

/**
 * The bytes of a body as they arrive, never more than one segment in memory, for which there must be room before the
 * first is read. A silent or lost connection yields what it brought, then ends with a problem. Each segment is valid
 * until the next is asked for.
 */
export async function* segmentsOf(
  body: Readable,
  { room, who, length }: { room: Room; who: string; length: number | null },
): AsyncGenerator<Buffer> {
  const size = Math.min(SEGMENT_BYTES, length ?? SEGMENT_BYTES)
  const giveBack = room.reserve(who, size)
  try {
    const segment = Buffer.allocUnsafeSlow(size)
    const chunks: AsyncIterator<Buffer> = body.iterator({ destroyOnReturn: false })
    let filled = 0
    for (;;) {
      const chunk = await nextOf(chunks)
      if (chunk === 'lost' || chunk === 'end') {
        if (filled >= (chunk === 'lost' ? WORTH_KEEPING_BYTES : 1)) yield segment.subarray(0, filled)
        if (chunk === 'lost') throw new Problem('request-timeout', { headers: { connection: 'close' } })
        return
      }
      for (let at = 0; at < chunk.length; ) {
        const copied = chunk.copy(segment, filled, at)
        at += copied
        filled += copied
        if (filled < size) continue
        yield segment
        filled = 0
      }
    }
  } finally {
    giveBack()
  }
}

/** The timeout runs only while we wait for the sender, not while the sender waits for us. */
function nextOf(chunks: AsyncIterator<Buffer>): Promise<Buffer | 'end' | 'lost'> {
  return new Promise((done) => {
    const silence = setTimeout(() => done('lost'), LONGEST_SILENCE_MS)
    chunks.next().then(
      ({ value, done: isEnd }) => {
        clearTimeout(silence)
        done(isEnd ? 'end' : value)
      },
      () => {
        clearTimeout(silence)
        done('lost')
      },
    )
  })
}
