import { fstatSync, write } from 'node:fs'
import pino, { type DestinationStream, type Logger } from 'pino'
import type { Settings } from './settings.ts'

/** How much may be buffered when the reader of the log has stopped. */
const MOST_WAITING = 1_048_576

/** A pipe takes this much in one piece (PIPE_BUF), so that lines of several processes never mix. */
const WHOLE_BYTES = 4_096

/** Where log lines go, and how many were dropped. */
export type LogSink = DestinationStream & { dropped: () => number }

type Put = (text: string, done: (error?: Error | null) => void) => void

/**
 * Standard output without blocking: lines that come during a write go with the next one. When its reader stops reading
 * or goes away, or its disk is full, lines beyond a bounded backlog are dropped and counted.
 */
export function standardOutput(): LogSink {
  const put = newPut()
  let waiting: string[] = []
  let [length, dropped, isWriting] = [0, 0, false]
  const writeNext = () => {
    if (isWriting || waiting.length === 0) return
    const count = countThatFits(waiting)
    const text = waiting.slice(0, count).join('')
    waiting = waiting.slice(count)
    length -= text.length
    isWriting = true
    put(text, (error) => {
      isWriting = false
      if (error) dropped += count
      writeNext()
    })
  }
  return {
    write: (line) => {
      if (length + line.length > MOST_WAITING) {
        dropped++
        return
      }
      waiting.push(line)
      length += line.length
      writeNext()
    },
    dropped: () => dropped,
  }
}

/** How many lines go into one write: at least one. */
function countThatFits(lines: readonly string[]): number {
  let bytes = 0
  const most = lines.findIndex((line) => {
    bytes += Buffer.byteLength(line)
    return bytes > WHOLE_BYTES
  })
  return most < 0 ? lines.length : Math.max(1, most)
}

/** A pipe is written to without blocking: from a thread, as files are, a write that nobody reads would never return, and the process never end. */
function newPut(): Put {
  const { stdout } = process
  const kind = fstatSync(1)
  if (!kind.isFIFO() && !kind.isSocket() && !stdout.isTTY) return (text, done) => write(1, text, done)
  stdout.on('error', () => {}) // the failed write is told itself
  return (text, done) => stdout.write(text, done)
}

/** Structured logs. Lines are built from named, harmless parts; redaction is the second safeguard, not the first. */
export function newLogger(
  settings: Pick<Settings, 'LOG_LEVEL'>,
  destination: DestinationStream = standardOutput(),
  base: { process: number } | null = null,
): Logger {
  return pino(
    {
      level: settings.LOG_LEVEL,
      base,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: [
          'req',
          'res',
          'headers',
          '*.headers',
          'err.message',
          'err.stack',
          'err.config',
          'body',
          '*.body',
          'url',
          'token',
          'key',
          'secret',
        ],
        remove: true,
      },
    },
    destination,
  )
}
