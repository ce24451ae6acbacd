import { fstatSync, write } from 'node:fs'
import pino, { type DestinationStream, type Logger } from 'pino'
import type { Settings } from './settings.ts'

/** How much may be buffered when the reader of the log has stopped. */
const MOST_WAITING = 1_048_576

/** Where log lines go, and how many were dropped. */
export type LogSink = DestinationStream & { dropped: () => number }

type Put = (text: string, done: (error?: Error | null) => void) => void

/**
 * Standard output without blocking: lines that come during a write go with the next one. When its reader stops reading
 * or goes away, or its disk is full, lines beyond a bounded backlog are dropped and counted.
 */
export function standardOutput(): LogSink {
  const put = newPut()
  let [text, lines, dropped, isWriting] = ['', 0, 0, false]
  const writeNext = () => {
    if (isWriting || lines === 0) return
    const count = lines
    isWriting = true
    put(text, (error) => {
      isWriting = false
      if (error) dropped += count
      writeNext()
    })
    text = ''
    lines = 0
  }
  return {
    write: (line) => {
      if (text.length + line.length > MOST_WAITING) {
        dropped++
        return
      }
      text += line
      lines++
      writeNext()
    },
    dropped: () => dropped,
  }
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
): Logger {
  return pino(
    {
      level: settings.LOG_LEVEL,
      base: null,
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
