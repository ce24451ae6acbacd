import { DatabaseSync } from 'node:sqlite'

export type FileLock = { release: () => unknown }

const SQLITE_BUSY = 5

/**
 * Takes the lock of a file, or returns null when another process holds it. The operating system releases it when its
 * holder ends, however that happens: a PID file would outlive its process, and PIDs repeat in containers. Node itself
 * has no such locks; the SQLite inside it takes them, alike on Linux and macOS. Nothing is written to the file, and it
 * stays: a lock on a file that others delete would exclude nobody.
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
