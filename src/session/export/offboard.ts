import { appendFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cliniciansOf } from '../../account/clinicians.ts'
import { webhooksOf } from '../../account/webhook-endpoints.ts'
import { type Checkpoint, takeCheckpoint } from '../../events/checkpoint.ts'
import type { Core } from '../../events/core.ts'
import { Problem } from '../../problems.ts'
import { type AccountRow, DEPLOYMENT } from '../../store/accounts.ts'
import { type AuditEntry, databaseTime, findHead, findLastOf, listAuditEntries } from '../../store/audit.ts'
import { listConfigurations } from '../../store/configurations.ts'
import { findActiveSince, listKeptSessions } from '../../store/export/kept.ts'
import { listKeys } from '../../store/keys.ts'
import type { Objects } from '../../store/objects.ts'
import { SealBroken } from '../../store/seal.ts'
import type { InterviewParts } from '../interview/interview.ts'
import { languageOf } from '../open.ts'
import { readByOperator } from '../read.ts'
import { removeAccount } from '../upkeep/remove-account.ts'
import { exportOf } from './export.ts'
import { writeSession } from './folder.ts'
import { readManifest, writeManifest } from './manifest.ts'

const EXPORTED = 'account.exported'
const PAGE = 200
const ENTRIES = 2_000
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'
/** What may be recorded from the beginning of an export to the erasure, beside the reading for the export: taking the account out of service. */
const HARMLESS = [EXPORTED, 'account.changed', 'account.removed']
/** What the service goes on doing by itself: noting that hours open and close, erasing what is due, trimming the chain. */
const BY_ITSELF = [
  ['fyr', 'access.'],
  ['retention', 'session.erased'],
  ['retention', 'audit.'],
] as const
const MINE = { mode: 0o600 }

/** What an export of an account holds; its hash is on record in the account's chain. */
export type AccountExport = {
  account: { id: string; name: string }
  sessions: number
  files: number
  auditEntries: number
  /** Sessions that could not be opened; what they hold is not in it. */
  unreadable: string[]
  sha256: string
}

/** Writes everything an account has into an empty folder: its sessions, what it has set up, and its audit trail. */
export async function exportAccount(
  parts: InterviewParts,
  objects: Objects | null,
  account: AccountRow,
  folder: string,
): Promise<AccountExport> {
  const { core } = parts
  const { id, name } = account
  const head = await findHead(core.db, id)
  if (!head) throw new Error('The account has no audit chain.')
  const begun = { sinceEntry: head.seq, since: databaseTime(head).toISOString() }
  await writeFile(join(folder, 'account.json'), `${JSON.stringify(await setUpOf(core, account), null, 2)}\n`, MINE)
  const { sessions, files, unreadable } = await writeSessions(parts, objects, id, folder)
  const auditEntries = await writeAudit(core, id, join(folder, 'audit.jsonl'))
  const { sha256 } = await writeManifest(folder)
  const detail = { ...begun, sessions, files, auditEntries, unreadable: unreadable.length, sha256 }
  await core.recorder.record({ accountId: id, actor: core.operator, action: EXPORTED, subject: id, detail })
  return { account: { id, name }, sessions, files, auditEntries, unreadable, sha256 }
}

/** What the account has set up. Keys, secrets and tokens are not in it: they are worth nothing elsewhere. */
async function setUpOf(core: Core, { id, sealed_key: _sealed, ...account }: AccountRow) {
  const configurations = await listConfigurations(core.db, id)
  const keys = await listKeys(core.db, id)
  return {
    account: { id, ...account },
    configurations: await Promise.all(
      configurations.map(async (row) => ({
        id: row.id,
        slug: row.slug,
        enabled: row.enabled,
        document: row.document,
        createdAt: row.created_at,
        webhooks: await webhooksOf(core, row),
        keys: keys.filter((key) => key.configuration_id === row.id),
      })),
    ),
    clinicians: (await cliniciansOf(core, id)).map(({ publicKey: _key, ...clinician }) => clinician),
  }
}

async function writeSessions(parts: InterviewParts, objects: Objects | null, accountId: string, folder: string) {
  const { core } = parts
  const unreadable: string[] = []
  let [sessions, files] = [0, 0]
  for (let page = await kept(BEFORE_ALL); page.length > 0; page = await kept(page.at(-1) ?? BEFORE_ALL))
    for (const id of page) {
      const written = await writeOne(id).catch((error) => {
        if (error instanceof SealBroken || error instanceof Problem) return null // changed outside the program, or erased just now
        throw error
      })
      if (written === null) unreadable.push(id)
      else sessions++
      files += written?.files ?? 0
    }
  return { sessions, files, unreadable }

  function kept(after: string): Promise<string[]> {
    return listKeptSessions(core.db, accountId, after, PAGE)
  }

  async function writeOne(id: string): Promise<{ files: number }> {
    const session = await readByOperator(core, accountId, id, 'session.exported')
    const exported = await exportOf(parts, session, languageOf(session.row.language, session.configuration))
    const place = join(folder, 'sessions', id)
    await mkdir(place, { recursive: true, mode: 0o700 })
    return writeSession(core, objects, session, exported, place)
  }
}

/** The audit trail, one entry a line with its hash, as far as it goes now; how many they are: retention may have removed the first. */
async function writeAudit({ db }: Core, accountId: string, file: string): Promise<number> {
  let [last, count] = [0, 0]
  for (;;) {
    const page = await listAuditEntries(db, accountId, { afterSeq: last, limit: ENTRIES })
    const lines = page.map(({ hash, ...entry }) => `${JSON.stringify({ ...entry, hash: hash.toString('hex') })}\n`)
    await appendFile(file, lines.join(''), MINE)
    last = page.at(-1)?.seq ?? last
    count += page.length
    if (page.length < ENTRIES) return count
  }
}

/** Why an account must not be erased with this export; null when it may. */
export async function erasureFault(
  core: Core,
  { id, active: isInService }: AccountRow,
  folder: string,
): Promise<string | null> {
  if (isInService) return 'It is in service. Take it out first: fyr account change --no-active'
  const exported = await lastExport(core, id)
  if (!exported) return 'It was not exported yet: fyr account offboard … --export-to FOLDER'
  if ((await readManifest(folder)) !== exported.detail.sha256)
    return `${folder} is not the last export of this account, or something in it was changed.`
  if (exported.detail.unreadable !== 0)
    return 'Some sessions could not be read into the export. `fyr audit verify` names them; `fyr account remove` erases without an export.'
  const other = await firstOther(core, id, Number(exported.detail.sinceEntry))
  if (other) return `Something happened since the export began (${other.action}, entry ${other.seq}): export it again.`
  const active = await findActiveSince(core.db, id, new Date(String(exported.detail.since)))
  return active && `Somebody was active in session ${active} since the export began: export it again.`
}

/** The first entry after a number that is not part of an export. */
async function firstOther({ db }: Core, accountId: string, after: number): Promise<AuditEntry | null> {
  const isOther = ({ action, actor }: AuditEntry) =>
    !HARMLESS.includes(action) &&
    !(action === 'session.exported' && actor.startsWith('operator')) &&
    !BY_ITSELF.some(([doer, what]) => doer === actor && action.startsWith(what))
  for (let last = after; ; ) {
    const page = await listAuditEntries(db, accountId, { afterSeq: last, limit: ENTRIES })
    const other = page.find(isOther)
    if (other || page.length < ENTRIES) return other ?? null
    last = page.at(-1)?.seq ?? last
  }
}

const lastExport = ({ db }: Core, accountId: string): Promise<AuditEntry | null> => findLastOf(db, accountId, EXPORTED)

/** What proves that an account was handed over and erased: counts, the export's hash, and where the chains end. */
export type Proof = {
  account: { id: string; name: string }
  erasedTimestamp: string
  by: string
  sessions: number
  export: { sha256: string; sessions: unknown; files: unknown; auditEntries: unknown }
  /** Signed ends of the account's chain, whose last entry is its removal, and of the deployment's. */
  checkpoints: Checkpoint[]
}

/**
 * Erases an account that was exported, and writes the proof beside the export. The removal is the last entry of the
 * account's chain, which stays. Both chains know the export's hash.
 */
export async function eraseAccount(
  core: Core,
  objects: Objects | null,
  { id, name }: AccountRow,
  folder: string,
): Promise<Proof> {
  const detail: Record<string, unknown> = (await lastExport(core, id))?.detail ?? {}
  const sha256 = String(detail.sha256)
  const { sessions } = await removeAccount(core, objects, id, { exportSha256: sha256 })
  const now = new Date()
  const checkpoints = await Promise.all([id, DEPLOYMENT].map((chain) => takeCheckpoint(core, chain, now)))
  const proof: Proof = {
    account: { id, name },
    erasedTimestamp: now.toISOString(),
    by: core.operator,
    sessions,
    export: { sha256, sessions: detail.sessions, files: detail.files, auditEntries: detail.auditEntries },
    checkpoints: checkpoints.filter((one) => one !== null),
  }
  await writeFile(join(folder, 'proof.json'), `${JSON.stringify(proof, null, 2)}\n`, MINE)
  const lines = proof.checkpoints.map((one) => `${JSON.stringify(one)}\n`).join('')
  await writeFile(join(folder, 'checkpoints.jsonl'), lines, MINE)
  return proof
}
