import type { Command } from 'commander'
import pc from 'picocolors'
import { FileFaults } from '../account/file/read-file.ts'
import { ContentError } from '../engine/compile/release.ts'
import { Problem } from '../problems.ts'
import { BadSettings, withoutSecrets } from '../settings.ts'
import { UnfitServer } from '../store/connections/servers.ts'
import {
  DatabaseAway,
  NotPermitted,
  StatementTimeout,
  StorageFull,
  StoreUnavailable,
  translated,
} from '../store/database/db.ts'
import { MigrationFault } from '../store/database/migrate.ts'

/** Exit codes beside 0. */
export const REFUSED = 1
export const WRONG_USAGE = 2

/** A refusal by the command line itself, shown as it is. */
export class Refusal extends Error {}

/** Prints a result: JSON for programs, else the words or table made for people. */
export function show(command: Command, value: unknown, words: () => string): void {
  const asJson = command.optsWithGlobals().json === true
  process.stdout.write(`${asJson ? JSON.stringify(value, null, 2) : words()}\n`)
}

/** A remark for people that must not mix with the result. */
export function remark(text: string): void {
  process.stderr.write(`${pc.dim(text)}\n`)
}

export type Column<Row> = readonly [title: string, cell: (row: Row) => string]

/** Aligned columns under their titles; an empty table is a sentence. */
export function table<Row>(rows: readonly Row[], columns: readonly Column<Row>[], whenEmpty: string): string {
  if (rows.length === 0) return whenEmpty
  const cells = rows.map((row) => columns.map(([, cell]) => printable(cell(row))))
  const widths = columns.map(([title], at) => Math.max(title.length, ...cells.map((line) => line[at]?.length ?? 0)))
  const line = (parts: readonly string[]) =>
    parts
      .map((part, at) => part.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd()
  return [pc.dim(line(columns.map(([title]) => title))), ...cells.map(line)].join('\n')
}

/** Label and value lines, aligned. */
export function fields(pairs: readonly (readonly [label: string, value: string])[]): string {
  const width = Math.max(...pairs.map(([label]) => label.length))
  return pairs.map(([label, value]) => `${pc.dim(label.padEnd(width))}  ${printable(value)}`).join('\n')
}

/** Text written by others may hold terminal control characters; they are shown, not obeyed. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
}

export const momentText = (moment: Date | null): string =>
  moment
    ? moment
        .toISOString()
        .replace('T', ' ')
        .replace(/\.\d+Z$/, 'Z')
    : '–'

export const yesNo = (claim: boolean): string => (claim ? 'yes' : 'no')

/** Reports an error on stderr and returns the exit code. */
export function tellFault(error: unknown, asJson: boolean): number {
  const { message: told, errors } = faultOf(error)
  const message = withoutSecrets(told, process.env)
  if (asJson) process.stderr.write(`${JSON.stringify({ error: message, ...(errors && { errors }) }, null, 2)}\n`)
  else {
    const details = errors?.map(({ pointer, message: text }) => `  ${pointer} ${text}`) ?? []
    process.stderr.write(`${[pc.red(message), ...details].join('\n')}\n`)
  }
  return REFUSED
}

/** The name that the database was asked under; the password is none of it. */
function roleInUse(): string {
  const { DATABASE_URL: url = '', PGUSER: user = '' } = process.env
  return URL.canParse(url) && new URL(url).username ? decodeURIComponent(new URL(url).username) : user
}

type Told = { message: string; errors?: readonly { pointer: string; message: string }[] }

function faultOf(error: unknown): Told {
  if (error instanceof Problem) {
    return error.extra.errors
      ? { message: 'What was given is not valid:', errors: error.extra.errors }
      : { message: error.message }
  }
  if (error instanceof ContentError) {
    const errors = error.problems.map(({ file, line, message }) => ({ pointer: `${file}:${line}:`, message }))
    return {
      message: `The content has ${errors.length === 1 ? 'a problem' : `${errors.length} problems`} and was not published:`,
      errors,
    }
  }
  if (error instanceof FileFaults) {
    const errors = error.faults.map(({ line, path, message }) => ({
      pointer: path ? `line ${line}: ${path}:` : `line ${line}:`,
      message,
    }))
    return { message: 'The file cannot be applied, and nothing was changed:', errors }
  }
  const isForeseen =
    error instanceof Refusal ||
    error instanceof BadSettings ||
    error instanceof StoreUnavailable ||
    error instanceof MigrationFault ||
    error instanceof UnfitServer
  if (isForeseen) return { message: error.message }
  if (error instanceof NotPermitted || translated(error) instanceof NotPermitted)
    return {
      message: `The database role ${roleInUse()} may not do this (${error instanceof Error ? error.message : ''}). Nothing was changed. Connect as a role that may: docs/operations.md, Database roles.`,
    }
  if (error instanceof StorageFull)
    return {
      message: 'There is no room left on the disk of the database. Nothing was changed; make room, then try again.',
    }
  if (error instanceof DatabaseAway) return { message: 'The database cannot be reached.' }
  if (error instanceof StatementTimeout)
    return { message: 'The database is busy with something else. Try again in a moment.' }
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (/^(ECONN|ENOTFOUND|EHOST|ETIMEDOUT|28|3D)/.test(code) && error instanceof Error) {
    return { message: `The database cannot be reached: ${error.message || code}` }
  }
  return { message: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}
