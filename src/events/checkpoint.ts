import { timingSafeEqual } from 'node:crypto'
import { open } from 'node:fs/promises'
import { findHead, listHeads } from '../store/audit.ts'
import { keyedHash } from '../store/seal.ts'
import type { Core } from './core.ts'

/**
 * A signed statement of where an account's audit chain ended at a moment. Its number is also the count of entries. Kept
 * outside the database, it reveals a chain that was cut off or rewritten since.
 */
export type Checkpoint = { accountId: string; seq: number; hash: string; at: string; signature: string }

type Head = { seq: number; hash: Buffer }

function signed(core: Core, accountId: string, { seq, hash }: Head, at: Date): Checkpoint {
  const plain = { accountId, seq, hash: hash.toString('hex'), at: at.toISOString() }
  return { ...plain, signature: signatureOf(core, plain).toString('hex') }
}

function signatureOf(core: Core, { accountId, seq, hash, at }: Omit<Checkpoint, 'signature'>): Buffer {
  return keyedHash(core.keyring.derive('checkpoint', accountId), accountId, String(seq), hash, at)
}

/** Whether this deployment's master key made the checkpoint. */
export function isGenuine(core: Core, checkpoint: Checkpoint): boolean {
  const given = Buffer.from(checkpoint.signature, 'hex')
  const expected = signatureOf(core, checkpoint)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** A checkpoint of the current end of an account's chain. */
export async function takeCheckpoint(core: Core, accountId: string, at: Date): Promise<Checkpoint | null> {
  const head = await findHead(core.db, accountId)
  return head && signed(core, accountId, head, at)
}

/** Writes a checkpoint of each chain that has moved since this node last wrote one. */
export class Checkpoints {
  readonly #core: Core
  readonly #file: string | null
  readonly #tell: (checkpoint: Checkpoint) => void
  readonly #written = new Map<string, number>()

  constructor(core: Core, file: string | null, tell: (checkpoint: Checkpoint) => void) {
    this.#core = core
    this.#file = file
    this.#tell = tell
  }

  async write(at: Date): Promise<Checkpoint[]> {
    const moved = (await listHeads(this.#core.db)).filter((head) => this.#written.get(head.account_id) !== head.seq)
    const checkpoints = moved.map((head) => signed(this.#core, head.account_id, head, at))
    if (this.#file && checkpoints.length > 0) await appendLines(this.#file, linesOf(checkpoints))
    for (const checkpoint of checkpoints) {
      this.#tell(checkpoint)
      this.#written.set(checkpoint.accountId, checkpoint.seq)
    }
    return checkpoints
  }
}

/** A truncated line, after a kill or a full disk, must not swallow the next one. */
async function appendLines(path: string, lines: string): Promise<void> {
  const file = await open(path, 'a+', 0o600)
  try {
    const { size } = await file.stat()
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1))
    await file.appendFile(size > 0 && buffer.toString() !== '\n' ? `\n${lines}` : lines)
    await file.datasync()
  } finally {
    await file.close()
  }
}

export const linesOf = (checkpoints: readonly Checkpoint[]): string =>
  checkpoints.map((checkpoint) => `${JSON.stringify(checkpoint)}\n`).join('')

/** The checkpoints in a text: a checkpoint file, or the service's log, where they are among other lines. */
export function readCheckpoints(text: string): Checkpoint[] {
  return text.split('\n').flatMap((line) => {
    if (!line.includes('"signature"')) return []
    try {
      const value = JSON.parse(line)
      const found: unknown = value?.checkpoint ?? value
      return isCheckpoint(found) ? [found] : []
    } catch {
      return [] // the last line of a node that was killed while writing
    }
  })
}

function isCheckpoint(value: unknown): value is Checkpoint {
  if (value === null || typeof value !== 'object') return false
  const { accountId, seq, hash, at, signature } = value as Partial<Record<keyof Checkpoint, unknown>>
  return [accountId, hash, at, signature].every((part) => typeof part === 'string') && Number.isInteger(seq)
}
