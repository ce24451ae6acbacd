import { appendFileSync, renameSync, statSync } from 'node:fs'

const LARGEST_BYTES = 512 * 1024
const LAST_LINES = 5

/** Makes PostgreSQL log about itself and never about statements: their errors may carry values in the first line. */
export const QUIET_LOG = [
  'log_min_messages=log',
  'log_min_error_statement=panic',
  'log_error_verbosity=terse',
  'log_statement=none',
  'log_checkpoints=off',
  'log_line_prefix=%m [%p] ',
]

/** Lines to leave out: continuations, and anything about a statement. */
const OF_A_STATEMENT = /^\t|\b(STATEMENT|QUERY|CONTEXT|DETAIL|HINT|ERROR|WARNING|NOTICE): {2}/

/**
 * Keeps the log of the embedded PostgreSQL in a file of bounded size: the older half is in `….old`. Statements and
 * values never get in.
 */
export class PostgresLog {
  readonly #file: string
  #rest = ''
  #last: string[] = []

  constructor(file: string) {
    this.#file = file
  }

  /** The last lines, for when it ends. */
  get last(): string {
    return this.#last.join('\n')
  }

  add(chunk: Buffer | string): void {
    const lines = `${this.#rest}${chunk}`.split('\n')
    this.#rest = lines.pop() ?? ''
    const kept = lines.filter((line) => line.trim() !== '' && !OF_A_STATEMENT.test(line))
    if (kept.length === 0) return
    this.#last = [...this.#last, ...kept].slice(-LAST_LINES)
    this.#write(`${kept.join('\n')}\n`)
  }

  /** A full disk must not end the service because the log cannot be written. */
  #write(text: string): void {
    try {
      const size = statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0
      if (size + text.length > LARGEST_BYTES) renameSync(this.#file, `${this.#file}.old`)
      appendFileSync(this.#file, text, { mode: 0o600 })
    } catch {
      // nothing can be done about it, and the last lines are still reported
    }
  }
}
