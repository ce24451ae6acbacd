import { type AuditEntry, findHead, listAuditEntries } from '../store/audit.ts'
import { entryHash, genesis } from './chain.ts'
import { type Checkpoint, isGenuine } from './checkpoint.ts'
import type { Core } from './core.ts'

/** The result of checking a chain: how far it was checked, or the first number that is wrong and why. */
export type Verdict =
  | { ok: true; entries: number; checkpoints: number; lastCheckpointSeq: number | null }
  | { ok: false; firstBadSeq: number; fault: string }

const PAGE = 2_000

class Broken extends Error {
  readonly seq: number
  constructor(seq: number, fault: string) {
    super(fault)
    this.seq = seq
  }
}

/**
 * Recomputes an account's chain from its start and compares each link, its end, and every given checkpoint. Without a
 * checkpoint, a chain that was cut off together with its end looks intact.
 */
export async function verifyChain(core: Core, accountId: string, checkpoints: readonly Checkpoint[]): Promise<Verdict> {
  try {
    const known = checkpointsBySeq(core, accountId, checkpoints)
    const entries = await walk(core, accountId, known)
    const seqs = [...known.keys()].sort((a, b) => a - b)
    const cutOff = seqs.find((seq) => seq > entries)
    if (cutOff !== undefined)
      throw new Broken(entries + 1, `entries ${entries + 1} to ${cutOff} are missing: a checkpoint has seen ${cutOff}`)
    return { ok: true, entries, checkpoints: seqs.length, lastCheckpointSeq: seqs.at(-1) ?? null }
  } catch (error) {
    if (error instanceof Broken) return { ok: false, firstBadSeq: error.seq, fault: error.message }
    throw error
  }
}

function checkpointsBySeq(core: Core, accountId: string, checkpoints: readonly Checkpoint[]): Map<number, string> {
  const known = new Map<number, string>()
  for (const checkpoint of checkpoints.filter((one) => one.accountId === accountId)) {
    const { seq, hash, at } = checkpoint
    if (!isGenuine(core, checkpoint))
      throw new Broken(seq, `the checkpoint of ${at} was not signed with this master key`)
    if ((known.get(seq) ?? hash) !== hash) throw new Broken(seq, `two checkpoints disagree about entry ${seq}`)
    known.set(seq, hash)
  }
  return known
}

/** Checks every link and returns how many there are. */
async function walk(core: Core, accountId: string, known: ReadonlyMap<number, string>): Promise<number> {
  const key = core.keyring.derive('audit', accountId)
  const before = await findHead(core.db, accountId)
  if (!before) throw new Broken(1, 'the chain is gone')
  let last: { seq: number; hash: Buffer } = { seq: 0, hash: genesis(key, accountId) }
  let lastGood = 0
  for (;;) {
    compareWithHead(last, before)
    const page = await listAuditEntries(core.db, accountId, { afterSeq: last.seq, limit: PAGE })
    if (page.length === 0) break
    for (const entry of page) {
      last = next(key, last, entry)
      compareWithHead(last, before)
      const checkpoint = known.get(last.seq)
      if (checkpoint !== undefined && checkpoint !== last.hash.toString('hex'))
        throw new Broken(
          last.seq,
          `entries between ${lastGood + 1} and ${last.seq} were written anew: a checkpoint saw others`,
        )
      if (checkpoint !== undefined) lastGood = last.seq
    }
  }
  if (last.seq < before.seq) throw new Broken(last.seq + 1, `entries ${last.seq + 1} to ${before.seq} are missing`)
  const after = await findHead(core.db, accountId)
  if (!after || after.seq < last.seq) throw new Broken((after?.seq ?? 0) + 1, 'the end of the chain was set back')
  return last.seq
}

function compareWithHead(link: { seq: number; hash: Buffer }, head: { seq: number; hash: Buffer }): void {
  if (link.seq === head.seq && !link.hash.equals(head.hash))
    throw new Broken(link.seq, 'the stored end of the chain is not this entry')
}

function next(key: Buffer, { seq, hash }: { seq: number; hash: Buffer }, entry: AuditEntry) {
  if (entry.seq !== seq + 1) throw new Broken(seq + 1, 'the entry is missing')
  if (!entryHash(key, hash, entry).equals(entry.hash))
    throw new Broken(entry.seq, 'the entry was changed, inserted, moved or not written with this master key')
  return { seq: entry.seq, hash: entry.hash }
}
