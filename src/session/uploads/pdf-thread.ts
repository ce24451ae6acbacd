import { parentPort, Worker, workerData } from 'node:worker_threads'
import { lookThroughPdf, type Verdict } from './pdf.ts'

const THREAD = 'pdf'
const LONGEST_MS = 10_000
/** The heap of JavaScript only; the file, and what is unpacked of it, have limits of their own. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16, stackSizeMb: 1 }

/**
 * Scans a PDF in a thread of its own, so that only its sender waits for it. The thread is made for this file and ends
 * with it; one that takes too long or too much memory is terminated, and the file is too complex.
 */
export function lookThroughInThread(bytes: Buffer, longestMs = LONGEST_MS): Promise<Verdict> {
  return new Promise((done, failed) => {
    const thread = new Worker(new URL(import.meta.url), {
      name: THREAD,
      workerData: { thread: THREAD, bytes },
      resourceLimits: RESOURCE_LIMITS,
      execArgv: [],
      env: {},
    })
    const overTime = setTimeout(() => finish({ kind: 'too-complex' }), longestMs)
    function finish(verdict: Verdict): void {
      clearTimeout(overTime)
      done(verdict)
      void thread.terminate()
    }
    thread.once('message', finish)
    thread.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') return finish({ kind: 'too-complex' })
      clearTimeout(overTime)
      failed(error)
    })
    thread.once('exit', () => finish({ kind: 'too-complex' })) // after a verdict this changes nothing
  })
}

// This file is also the thread's entry: a second file would have another name once it is built.
if (workerData?.thread === THREAD) parentPort?.postMessage(lookThroughPdf(Buffer.from(workerData.bytes)))
