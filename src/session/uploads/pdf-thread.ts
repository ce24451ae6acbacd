import { parentPort, Worker, workerData } from 'node:worker_threads'
import { lookThroughPdf, type Verdict } from './pdf.ts'

const THREAD = 'pdf'
const LONGEST_MS = 10_000
/** The heap of JavaScript only; the file, and what is unpacked of it, have limits of their own. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16, stackSizeMb: 1 }

/** What was found in a PDF, and its bytes again: they go to the thread and come back, and are not copied on the way. */
export type Scanned = { verdict: Verdict; bytes: Buffer }

/**
 * Scans a PDF in a thread of its own, so that only its sender waits for it. The thread is made for this file and ends
 * with it; one that takes too long or too much memory is terminated, and the file is too complex.
 */
export function lookThroughInThread(bytes: Buffer, longestMs = LONGEST_MS): Promise<Scanned> {
  return new Promise((done, failed) => {
    const own = alone(bytes)
    const thread = new Worker(new URL(import.meta.url), {
      name: THREAD,
      workerData: { thread: THREAD, bytes: own },
      transferList: [own.buffer as ArrayBuffer],
      resourceLimits: RESOURCE_LIMITS,
      execArgv: [],
      env: {},
    })
    const overTime = setTimeout(giveUp, longestMs)
    function finish(scanned: Scanned): void {
      clearTimeout(overTime)
      done(scanned)
      void thread.terminate()
    }
    function giveUp(): void {
      finish({ verdict: { kind: 'too-complex' }, bytes: Buffer.alloc(0) })
    }
    thread.once('message', ({ verdict, bytes }: { verdict: Verdict; bytes: Uint8Array<ArrayBuffer> }) =>
      finish({ verdict, bytes: Buffer.from(bytes.buffer) }),
    )
    thread.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') return giveUp()
      clearTimeout(overTime)
      failed(error)
    })
    thread.once('exit', giveUp) // after a verdict this changes nothing
  })
}

/** A small buffer lies with others in one piece of memory, which cannot be given away. */
function alone(bytes: Buffer): Buffer {
  if (bytes.byteLength === bytes.buffer.byteLength) return bytes
  const own = Buffer.alloc(bytes.length)
  bytes.copy(own)
  return own
}

// This file is also the thread's entry: a second file would have another name once it is built.
if (workerData?.thread === THREAD) {
  const { buffer } = workerData.bytes as Uint8Array<ArrayBuffer>
  parentPort?.postMessage({ verdict: lookThroughPdf(Buffer.from(buffer)), bytes: workerData.bytes }, [buffer])
}
