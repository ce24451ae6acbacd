import type { Caller } from '../account/callers.ts'
import { type Flag, flagAt } from '../engine/flags.ts'
import type { Core } from '../events/core.ts'
import { listJudgementsOf } from '../store/judgements.ts'
import { SealBroken } from '../store/seal.ts'
import type { SessionRow } from '../store/sessions.ts'
import { type Contact, contactOf, patientReferenceOf } from './contact.ts'
import { storedOutcome } from './end.ts'
import { type Judgement, judgementOf } from './judgement.ts'
import { openSession, type Session } from './open.ts'

/** What a list can show of its sessions beside ids, statuses and moments. */
export const INCLUDES = ['urgency', 'complaints', 'contact', 'judgement'] as const
export type Include = (typeof INCLUDES)[number]

/** Only what was asked for. The level is by number, null while none is set. */
export type Shown = {
  urgency?: number | null
  flag?: Flag | null
  /** Ids of the content; null until the session has ended. */
  complaints?: readonly string[] | null
  contact?: { [part in keyof Contact]: Contact[part] | null } & { reference: string | null }
  /** The newest one. */
  judgement?: Judgement | null
}

/** What of the sessions is looked at: what is shown, and by what they were chosen. */
export type Looked = { include: readonly Include[]; filters: readonly string[] }

/**
 * Reads the sessions of a list for a key: one audit entry that names them all, durable before anything is returned. It
 * tells by what they were chosen, not the values, which would be health data beside the ids. A session that was erased
 * meanwhile is left out; of one that was changed outside the program nothing more is shown, so that it does not hide the
 * others.
 */
export async function readListed(
  core: Core,
  caller: Caller,
  ids: readonly string[],
  { include, filters }: Looked,
): Promise<ReadonlyMap<string, Shown>> {
  const { accountId, configurationId, keyId, slug } = caller
  const rows = await Promise.all(ids.map((id) => core.findSession({ accountId, configurationId, id })))
  const found = rows.filter((row): row is SessionRow => row !== null)
  const sessions = found.flatMap((row) => openedIfWhole(caller, row))
  const newest = include.includes('judgement') ? await newestJudgements(core, accountId, sessions) : new Map()
  const shown = new Map<string, Shown>(found.map(({ id }) => [id, {}]))
  for (const session of sessions) shown.set(session.row.id, shownOf(session, include, newest))
  await core.recorder.record({
    accountId,
    actor: `key:${keyId}`,
    action: 'sessions.read',
    subject: configurationId,
    detail: { configuration: slug, include, filters, sessions: [...shown.keys()] },
  })
  return shown
}

function openedIfWhole(caller: Caller, row: SessionRow): Session[] {
  try {
    return [openSession(caller, row)]
  } catch (error) {
    if (error instanceof SealBroken) return []
    throw error
  }
}

type Newest = ReadonlyMap<string, Judgement>

const PARTS: { readonly [Part in Include]: (session: Session, newest: Newest) => Shown } = {
  urgency: ({ row }) => ({ urgency: row.urgency, flag: flagAt((row.urgency ?? 0) - 1) }),
  complaints: (session) => ({
    complaints: session.row.status === 'Ended' ? storedOutcome(session).complaints : null,
  }),
  contact: (session) => {
    const { phone, when } = contactOf(session) ?? { phone: null, when: null }
    return { contact: { phone, when, reference: patientReferenceOf(session) } }
  },
  judgement: ({ row }, newest) => ({ judgement: newest.get(row.id) ?? null }),
}

const shownOf = (session: Session, include: readonly Include[], newest: Newest): Shown =>
  Object.assign({}, ...include.map((part) => PARTS[part](session, newest)))

async function newestJudgements({ db }: Core, accountId: string, sessions: readonly Session[]): Promise<Newest> {
  const seals = new Map(sessions.map(({ row, seal }) => [row.id, seal]))
  const newest = new Map<string, Judgement>()
  for (const row of await listJudgementsOf(db, accountId, [...seals.keys()])) {
    const seal = seals.get(row.session_id)
    if (seal) newest.set(row.session_id, judgementOf(seal, row))
  }
  return newest
}
