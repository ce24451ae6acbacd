import { type AuditEntry, findHead, listAuditEntries } from '../store/audit.ts'
import { findTrimmed, type Trimmed } from '../store/audit-trims.ts'
import { TRIMMED } from './carried.ts'
import { entryHash, genesis } from './chain.ts'
import { type Checkpoint, isGenuine } from './checkpoint.ts'
import type { Core } from './core.ts'

/** What retention removed of a chain: up to which entry, of which moment, when, and how many sessions were created there. */
export type Trim = { upTo: number; until: string; at: string; sessions: number }

/** The result of checking a chain: how far it was checked, or the first number that is wrong and why. */
export type Verdict =
  | { ok: true; entries: number; checkpoints: number; lastCheckpointSeq: number | null; trimmed: Trim | null }
  | { ok: false; firstBadSeq: number; fault: string }

type Link = { seq: number; hash: Buffer }

/** Small enough that computing the hashes of a page holds up nobody. */
const PAGE = 500

export class Broken extends Error {
  readonly seq: number
  constructor(seq: number, fault: string) {
    super(fault)
    this.seq = seq
  }
}

/**
 * Recomputes an account's chain from its start, or from where retention trimmed it, and compares each link, its end, and
 * every given checkpoint since. Without a checkpoint, a chain that was cut off together with its end looks intact.
 */
export async function verifyChain(core: Core, accountId: string, checkpoints: readonly Checkpoint[]): Promise<Verdict> {
  try {
    const known = checkpointsBySeq(core, accountId, checkpoints)
    const trimmed = await findTrimmed(core.db, accountId)
    const start = startOf(core, accountId, trimmed)
    const { last, trim } = await walk(core, accountId, start, known)
    const entries = last.seq
    const seqs = [...known.keys()].filter((seq) => seq > start.seq).sort((a, b) => a - b)
    const cutOff = seqs.find((seq) => seq > entries)
    if (cutOff !== undefined)
      throw new Broken(entries + 1, `entries ${entries + 1} to ${cutOff} are missing: a checkpoint has seen ${cutOff}`)
    const lastCheckpointSeq = seqs.at(-1) ?? null
    return { ok: true, entries, checkpoints: seqs.length, lastCheckpointSeq, trimmed: trimOf(trimmed, trim) }
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

/**
 * The entries of a chain after a link of it, oldest first, each once its hash was computed anew; throws at the first one
 * that is wrong.
 */
export async function* linksAfter(core: Core, accountId: string, from: Link): AsyncGenerator<AuditEntry> {
  const key = core.keyring.derive('audit', accountId)
  for (let last = from; ; ) {
    const page = await listAuditEntries(core.db, accountId, { afterSeq: last.seq, limit: PAGE })
    for (const entry of page) {
      if (entry.seq !== last.seq + 1) throw new Broken(last.seq + 1, 'the entry is missing')
      if (!entryHash(key, last.hash, entry).equals(entry.hash))
        throw new Broken(entry.seq, 'the entry was changed, inserted, moved or not written with this master key')
      last = entry
      yield entry
    }
    if (page.length === 0) return
  }
}

/** The beginning of a chain: where it was trimmed, or before its first entry. */
export const startOf = (core: Core, accountId: string, trimmed: Trimmed | null): Link =>
  trimmed ?? { seq: 0, hash: genesis(core.keyring.derive('audit', accountId), accountId) }

/** Checks every link and returns the last, and the entry with which the chain was trimmed last. */
async function walk(
  core: Core,
  accountId: string,
  start: Link,
  known: ReadonlyMap<number, string>,
): Promise<{ last: Link; trim: AuditEntry | null }> {
  const before = await findHead(core.db, accountId)
  if (!before) throw new Broken(1, 'the chain is gone')
  let last = start
  let lastGood = 0
  let trim: AuditEntry | null = null
  compareWithHead(last, before)
  for await (const entry of linksAfter(core, accountId, start)) {
    last = entry
    if (entry.action === TRIMMED) trim = entry
    compareWithHead(last, before)
    const checkpoint = known.get(last.seq)
    if (checkpoint !== undefined && checkpoint !== last.hash.toString('hex'))
      throw new Broken(
        last.seq,
        `entries between ${lastGood + 1} and ${last.seq} were written anew: a checkpoint saw others`,
      )
    if (checkpoint !== undefined) lastGood = last.seq
  }
  if (last.seq < before.seq) throw new Broken(last.seq + 1, `entries ${last.seq + 1} to ${before.seq} are missing`)
  const after = await findHead(core.db, accountId)
  if (!after || after.seq < last.seq) throw new Broken((after?.seq ?? 0) + 1, 'the end of the chain was set back')
  return { last, trim }
}

function compareWithHead(link: Link, head: Link): void {
  if (link.seq === head.seq && !link.hash.equals(head.hash))
    throw new Broken(link.seq, 'the stored end of the chain is not this entry')
}

/** What the chain itself says about where it begins: only an entry of it can say that retention removed what was before. */
function trimOf(trimmed: Trimmed | null, trim: AuditEntry | null): Trim | null {
  if (!trimmed) return null
  const { upTo, hash, until, sessions } = trim?.detail ?? {}
  if (!trim || upTo !== trimmed.seq || hash !== trimmed.hash.toString('hex'))
    throw new Broken(1, `entries 1 to ${trimmed.seq} are missing, and no entry says that retention removed them`)
  return { upTo: trimmed.seq, until: String(until), at: trim.at.toISOString(), sessions: Number(sessions) }
}
