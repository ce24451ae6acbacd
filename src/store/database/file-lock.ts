import { DatabaseSync } from 'node:sqlite'

export type FileLock = { release: () => unknown }

const SQLITE_BUSY = 5

/**
 * Takes the lock of a file, or null when another has it. It is the operating system's own and ends with its holder, however that
 * ends: a mark with a process number would outlive it, and numbers repeat in containers. Node itself has no such locks; the SQLite
 * inside it takes them, alike on Linux and macOS. Nothing is written to the file, and it stays: a lock on a file that others
 * delete would hold nobody off.
 */
export function tryLock(file: string): FileLock | null {
  const handle = new DatabaseSync(file, { timeout: 0 })
  try {
    handle.exec('pragma journal_mode = memory')
    handle.exec('begin exclusive')
    return { release: () => handle.isOpen && handle.close() }
  } catch (error) {
    handle.close()
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) return null
    throw error
  }
}
