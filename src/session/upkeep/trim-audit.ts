import { carriedFrom, isOfTrimming, standingOf, TRIMMED } from '../../events/carried.ts'
import type { Core } from '../../events/core.ts'
import { together } from '../../events/together.ts'
import { Broken, linksAfter, startOf } from '../../events/verify.ts'
import { DEPLOYMENT, findAccount } from '../../store/accounts.ts'
import { type AuditEntry, listHeads } from '../../store/audit.ts'
import {
  findTrimMoment,
  findTrimmed,
  findTrimmedSessions,
  listKeptOf,
  removeTrimmed,
  TRIM_CHAIN,
  TRIM_TURN,
} from '../../store/audit-trims.ts'

const ACTOR = 'retention'
/** Few enough to keep each statement short. */
const AT_ONCE = 1_000
/** As many entries of a chain as one run looks at; the next one goes on from there. */
const MOST_IN_A_RUN = 50_000

/** What a run removed, and the chains that are not whole: of those nothing is removed, for it would be the evidence. */
export type TrimmedChains = { entries: number; notWhole: { accountId: string; seq: number; fault: string }[] }

/**
 * Removes the beginning of each account's audit chain once it is past its retention, as far as no session is kept that
 * it tells of. The deployment's own chain stays: it says which accounts and releases there are, and nothing of patients.
 * Any node may do it and only one does; null when another is doing it.
 */
export function trimAudit(core: Core, retentionDays: number): Promise<TrimmedChains | null> {
  return core.db.exclusively(TRIM_TURN, async () => {
    const before = await findTrimMoment(core.db, retentionDays)
    const trimmed: TrimmedChains = { entries: 0, notWhole: [] }
    for (const { account_id: accountId } of await listHeads(core.db)) {
      if (accountId === DEPLOYMENT) continue
      try {
        await trimChain(core, accountId, before, retentionDays)
      } catch (error) {
        if (!(error instanceof Broken)) throw error
        trimmed.notWhole.push({ accountId, seq: error.seq, fault: error.message })
      }
      trimmed.entries += await removeAll(core, accountId)
    }
    return trimmed
  })
}

/** Says in the chain that it begins later from now on, with what the entries before still have to say, all in one transaction. */
async function trimChain(core: Core, accountId: string, before: Date, retentionDays: number): Promise<void> {
  const { entries, after } = await trimmable(core, accountId, before)
  const last = entries.at(-1)
  if (!last || entries.every(isOfTrimming)) return
  const standing = (await findAccount(core.db, accountId)) ? standingOf(entries) : []
  const sessions = (await findTrimmedSessions(core.db, accountId)) + entries.filter(isCreation).length
  const by = { accountId, actor: ACTOR }
  const hash = last.hash.toString('hex')
  await together(core, [accountId], async ({ recorder }) => {
    await Promise.all(standing.map((entry) => recorder.record({ ...by, ...carriedFrom(entry) })))
    await recorder.record({
      ...by,
      action: TRIMMED,
      subject: accountId,
      detail: { upTo: last.seq, hash, until: last.at.toISOString(), sessions, retentionDays },
      effects: [{ statement: TRIM_CHAIN, row: { before: after, seq: last.seq, hash } }],
    })
  })
}

/** The entries that may go, each checked, and where they begin. */
async function trimmable(
  core: Core,
  accountId: string,
  before: Date,
): Promise<{ entries: AuditEntry[]; after: number }> {
  const start = startOf(core, accountId, await findTrimmed(core.db, accountId))
  const entries: AuditEntry[] = []
  let page: AuditEntry[] = []
  for await (const entry of linksAfter(core, accountId, start)) {
    if (entry.at >= before || entries.length >= MOST_IN_A_RUN) break
    page.push(entry)
    if (page.length < AT_ONCE) continue
    const gone = await untilKept(core, accountId, page)
    entries.push(...gone)
    if (gone.length < page.length) return { entries, after: start.seq }
    page = []
  }
  entries.push(...(await untilKept(core, accountId, page)))
  return { entries, after: start.seq }
}

/** The entries before the first about a session that is kept. A session's first entry is its creation. */
async function untilKept({ db }: Core, accountId: string, page: readonly AuditEntry[]): Promise<readonly AuditEntry[]> {
  const created = page.filter(isCreation).map(({ subject }) => subject)
  const kept = await listKeptOf(db, accountId, created)
  const first = page.findIndex((entry) => isCreation(entry) && kept.has(entry.subject))
  return first < 0 ? page : page.slice(0, first)
}

const isCreation = ({ action }: AuditEntry): boolean => action === 'session.created'

async function removeAll({ db }: Core, accountId: string): Promise<number> {
  for (let total = 0; ; ) {
    const removed = await removeTrimmed(db, accountId, AT_ONCE)
    total += removed
    if (removed < AT_ONCE) return total
  }
}
