import { randomFillSync } from 'node:crypto'
import { existsSync, rmSync, statfsSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const MIB = 1024 * 1024
/** PostgreSQL stops altogether when it has no room for its next WAL segment, so we stop writing well before. */
const LOW_BYTES = 64 * MIB
const ENOUGH_BYTES = 96 * MIB
/** What a stopped database needs to start again and be read: two WAL segments. */
const RESERVE_BYTES = 32 * MIB

/** The disk under a data folder: whether there is room to write, and a reserve for when there is none. */
export class Disk {
  readonly #folder: string
  readonly #reserve: string
  #isLow = false
  #isMaking = false

  constructor(folder: string) {
    this.#folder = folder
    this.#reserve = join(folder, 'reserve')
  }

  /** Low once it falls below the mark, until there is clearly more room again. */
  isLow(): boolean {
    const free = this.#freeBytes()
    this.#isLow = free < (this.#isLow ? ENOUGH_BYTES : LOW_BYTES)
    return this.#isLow
  }

  /** Whether a service that ran out of room would write again: for whoever looks from outside. */
  hasEnough(): boolean {
    return this.#freeBytes() >= ENOUGH_BYTES
  }

  #freeBytes(): number {
    try {
      const { bavail, bsize } = statfsSync(this.#folder)
      return bavail * bsize
    } catch {
      return Number.POSITIVE_INFINITY // an unknown size stops nobody; the database says when it is full
    }
  }

  /** Sets the reserve aside, once there is plenty. */
  async keepReserve(): Promise<void> {
    if (this.#isMaking || existsSync(this.#reserve) || this.#freeBytes() < ENOUGH_BYTES + RESERVE_BYTES) return
    this.#isMaking = true
    const beside = `${this.#reserve}.new`
    try {
      // Random bytes: some file systems store nothing for zeros.
      await writeFile(beside, randomFillSync(Buffer.alloc(RESERVE_BYTES)), { mode: 0o600, flush: true })
      await rename(beside, this.#reserve)
    } catch {
      await rm(beside, { force: true })
    } finally {
      this.#isMaking = false
    }
  }

  /** Frees the reserve for a database that could not start on a full disk. False when there was none. */
  giveReserve(): boolean {
    if (!existsSync(this.#reserve)) return false
    rmSync(this.#reserve, { force: true })
    return true
  }
}
