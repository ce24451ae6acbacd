import type { Outcome } from '../engine/content.ts'
import type { Core } from '../events/core.ts'
import type { Trim } from '../events/verify.ts'
import { findAccount } from '../store/accounts.ts'
import { listAnswers } from '../store/answers.ts'
import { findHead, listGoneSessions, listRecorded, type Recorded } from '../store/audit.ts'
import { type Db, onSnapshot } from '../store/database/db.ts'
import { mayOpenSessions } from '../store/deployment/role-accounts.ts'
import { listJudgements } from '../store/judgements.ts'
import { listMarks } from '../store/listing.ts'
import { SealBroken } from '../store/seal.ts'
import type { AccountKey } from '../store/sealing/account-key.ts'
import {
  listSessionsOnRecord,
  listSessionsToVerify,
  type SessionOnRecord,
  type SessionToVerify,
} from '../store/sessions.ts'
import { listUploadRows } from '../store/uploads.ts'
import { reasonOf } from './judgement.ts'
import { type Marks, marksOf } from './marks.ts'
import { SessionSeal } from './sealed.ts'
import { nameOf } from './uploads/bound.ts'

/** A session that differs from what the program or the audit entries say, and in what. */
export type Deviation = { session: string; what: string }

/** What came of looking at the sessions: opened and compared, or by whoever may not open them, only held against the entries. */
export type VerifiedSessions = { sessions: number; opened: boolean; notAsRecorded: Deviation[] }

const PAGE = 200
const ENTRIES = 5_000
/** A session and the entry of its creation are stamped by two clocks, moments apart. */
const ROUND_MS = 60_000
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

/**
 * Checks every session of an account against its seals and its audit entries. Bytes of files are checked when they are
 * read. Of erased sessions whose entries were trimmed only their number is on record.
 */
export async function verifySessions(
  core: Core,
  accountId: string,
  trimmed: Trim | null = null,
): Promise<VerifiedSessions> {
  const afterSeq = trimmed?.upTo ?? 0
  const opened = await mayOpenSessions(core.db)
  const marks = marksOf(core.keyring, accountId)
  const found: Deviation[] = []
  let sessions = 0
  let withoutEntries = 0
  for (let last: string | undefined = BEFORE_ALL; last !== undefined; ) {
    const after: string = last
    // Each page is one snapshot: the service continues meanwhile.
    last = await onSnapshot(core.db, async (tx) => {
      // Its key too, for it may be replaced meanwhile.
      const account = await findAccount(tx, accountId)
      if (!account) return undefined
      const accountKey = core.keyring.openAccountKey(accountId, account.sealed_key)
      const rows = opened
        ? await listSessionsToVerify(tx, accountId, after, PAGE)
        : await listSessionsOnRecord(tx, accountId, after, PAGE)
      const recorded = await listRecorded(
        tx,
        accountId,
        rows.map(({ id }) => id),
        afterSeq,
      )
      for (const row of rows) {
        if (trimmed && isOfBefore(row, recorded.get(row.id), trimmed)) {
          withoutEntries++
          continue
        }
        const { found: ofRecord, isThere } = onRecord(row, recorded.get(row.id))
        const stored =
          isThere && isWhole(row) ? await deviationsOf(tx, { accountId, accountKey, marks }, row, isThere) : []
        const what = [...ofRecord, ...stored]
        found.push(...what.map((one) => ({ session: row.id, what: one })))
      }
      sessions += rows.length
      return rows.at(-1)?.id
    })
  }
  found.push(...(await goneSessions(core, accountId, afterSeq)))
  if (trimmed && withoutEntries !== trimmed.sessions)
    found.push({
      session: `of before ${trimmed.until}`,
      what: `whose entries were trimmed: ${withoutEntries} are there, and ${trimmed.sessions} were created on record`,
    })
  return { sessions, opened, notAsRecorded: found }
}

const isWhole = (row: SessionOnRecord): row is SessionToVerify => 'sealed_key' in row

/** An erased session that was created in what retention removed of the chain. One that is kept would have kept its entries. */
const isOfBefore = (row: SessionOnRecord, recorded: Recorded | undefined, { until }: Trim): boolean =>
  row.is_erased && !recorded?.created && row.created_at.getTime() <= Date.parse(until) + ROUND_MS

async function goneSessions({ db }: Core, accountId: string, afterSeq: number): Promise<Deviation[]> {
  const end = (await findHead(db, accountId))?.seq ?? 0
  const gone: Deviation[] = []
  for (let after = afterSeq; after < end; after += ENTRIES)
    for (const session of await listGoneSessions(db, accountId, after, after + ENTRIES))
      gone.push({ session, what: 'is gone' })
  return gone
}

type Account = { accountId: string; accountKey: AccountKey; marks: Marks }

async function deviationsOf(tx: Db, account: Account, row: SessionToVerify, recorded: Recorded): Promise<string[]> {
  const seal = sealOf(account, row)
  if (!seal) return ['what is stored of it was changed: its key does not open']
  const found = [...ofRow(seal, row)]
  found.push(...(await ofAnswers(tx, account.accountId, seal, row)))
  const files = await listUploadRows(tx, account.accountId, row.id)
  const isKept = new Set(recorded.files.filter((id) => !recorded.removed_files.includes(id)))
  const ready = files.filter(({ ready_at }) => ready_at)
  found.push(...compared('file', ready, isKept, 'was not added on record'))
  found.push(...files.filter((file) => isBroken(() => nameOf(seal, file))).map(({ id }) => `file ${id} was changed`))
  const judgements = await listJudgements(tx, account.accountId, row.id)
  found.push(...compared('judgement', judgements, new Set(recorded.judgements), 'was not made on record'))
  const changed = judgements.filter((judgement) => isBroken(() => reasonOf(seal, judgement)))
  const marks = await listMarks(tx, account.accountId, row.id)
  const expected = marksFor(account, seal, row, judgements.length > 0)
  if (expected && !isSame(marks, expected)) found.push('what lists find it by was changed')
  return [...found, ...changed.map(({ id }) => `judgement ${id} was changed`)]
}

function sealOf({ accountId, accountKey }: Account, { id, sealed_key: sealed }: SessionToVerify): SessionSeal | null {
  const open = () => SessionSeal.open(accountId, accountKey, id, sealed)
  return sealed === null || isBroken(open) ? null : open()
}

/** The marks that follow from how the session ended and whether it was judged; null when its outcome cannot be read. */
function marksFor({ marks }: Account, seal: SessionSeal, row: SessionToVerify, isJudged: boolean): Buffer[] | null {
  if (isBroken(() => seal.text('outcome', row.sealed_outcome))) return null
  const outcome: Outcome | null = JSON.parse(seal.text('outcome', row.sealed_outcome) ?? 'null')
  return [...(outcome?.complaints.map(marks.complaint) ?? []), ...(isJudged ? [marks.judged()] : [])]
}

const isSame = (some: readonly Buffer[], others: readonly Buffer[]): boolean => {
  const [one, other] = [some, others].map((marks) => new Set(marks.map((mark) => mark.toString('hex'))))
  return one?.symmetricDifference(other ?? new Set()).size === 0
}

/** What the entries say about a session, against what stands in its row; and the record when there is more to look at. */
function onRecord(row: SessionOnRecord, recorded: Recorded | undefined): { found: string[]; isThere: Recorded | null } {
  const only = (...found: string[]) => ({ found, isThere: null })
  if (!recorded?.created) return only('was not created on record')
  if (row.is_erased) return recorded.erased ? only() : only('is erased, and no entry says that it was erased')
  if (recorded.erased) return only('was erased on record, and is there again')
  const isEnded = row.status === 'Ended'
  const found = recorded.strange_visits.map(
    (visit) => `was read by visit ${visit}, which was not opened by them on record`,
  )
  if (isEnded && !recorded.ended) found.push('is ended, and no entry says so')
  if (!isEnded && recorded.ended) found.push('ended on record, and is not ended now')
  if (row.version < (recorded.answers ?? 0)) found.push(`has ${row.version} answers, and ${recorded.answers} were read`)
  return { found, isThere: recorded }
}

function* ofRow(seal: SessionSeal, row: SessionToVerify): Generator<string> {
  if (isBroken(() => seal.expectState(row))) yield 'what is stored of it was changed'
  if (row.alarm_level !== (row.status === 'Ended' ? null : row.urgency)) yield 'its alarm was changed'
  for (const [field, sealed] of [
    ['matter', row.sealed_matter],
    ['givenMatter', row.sealed_given_matter],
    ['givenSigns', row.sealed_given_signs],
    ['extendedData', row.sealed_extended_data],
    ['outcome', row.sealed_outcome],
  ] as const)
    if (isBroken(() => seal.text(field, sealed))) yield `its ${field} was changed`
}

async function ofAnswers(tx: Db, accountId: string, seal: SessionSeal, row: SessionToVerify): Promise<string[]> {
  const answers = await listAnswers(tx, accountId, row.id, row.version)
  const missing = answers.length === row.version ? [] : [`has ${answers.length} of ${row.version} answers`]
  const changed = answers.filter(({ seq, sealed }) => isBroken(() => seal.open(`answer ${seq}`, sealed)))
  return [...missing, ...changed.map(({ seq }) => `answer ${seq} was changed`)]
}

/** What is on record but missing, and the other way round. */
const compared = (name: string, there: readonly { id: string }[], onRecord: ReadonlySet<string>, unknown: string) => [
  ...[...onRecord].filter((id) => !there.some((one) => one.id === id)).map((id) => `${name} ${id} is gone`),
  ...there.filter(({ id }) => !onRecord.has(id)).map(({ id }) => `${name} ${id} ${unknown}`),
]

function isBroken(open: () => unknown): boolean {
  try {
    open()
    return false
  } catch (error) {
    if (error instanceof SealBroken) return true
    throw error
  }
}
