import { LEVELS, type Level } from '../engine/content.ts'
import type { Core } from '../events/core.ts'
import { ADD_JUDGEMENT, type JudgementRow, listJudgements } from '../store/judgements.ts'
import { SealBroken } from '../store/seal.ts'
import type { VisitDoor } from '../store/visits.ts'
import { marksOf } from './marks.ts'
import type { Session } from './open.ts'
import type { SessionSeal } from './sealed.ts'
import { note } from './visit.ts'

/** What a clinician would have said instead; the page makes the id, so that a retry is one judgement. */
export type NewJudgement = { id: string; level: Level; reason: string }

export type Judgement = {
  judgementId: string
  judgedTimestamp: string
  auditUserIdentifier: string | null
  urgency: Level
  /** The session's urgency at that moment; null when none was set. */
  sessionUrgency: Level | null
  reason: string
}

/** Stores that a clinician judges the urgency differently, and why. */
export async function judge(core: Core, visit: VisitDoor, session: Session, given: NewJudgement): Promise<void> {
  const { accountId, seal, row } = session
  const id = given.id.toLowerCase()
  const known = await listJudgements(core.db, accountId, row.id)
  if (known.some((judgement) => judgement.id === id)) return
  const facts = {
    id,
    at: row.read_at,
    audit_user_identifier: visit.audit_user_identifier,
    level: LEVELS.indexOf(given.level) + 1,
    session_level: row.urgency,
  }
  const sealedReason = seal.seal(reasonField(facts), given.reason).toString('hex')
  const mark = marksOf(core.keyring, accountId).judged().toString('hex')
  const judgement = { ...facts, session_id: row.id, sealed_reason: sealedReason, mark }
  const effects = [{ statement: ADD_JUDGEMENT, row: judgement }]
  await note(core, visit, 'judgement.made', { judgement: id }, effects)
}

/** What clinicians judged about a session, oldest first. */
export async function judgementsOf(core: Core, { accountId, row, seal }: Session): Promise<Judgement[]> {
  const rows = await listJudgements(core.db, accountId, row.id)
  return rows.map((judgement) => judgementOf(seal, judgement))
}

export const judgementOf = (seal: SessionSeal, judgement: JudgementRow): Judgement => ({
  judgementId: judgement.id,
  judgedTimestamp: judgement.at.toISOString(),
  auditUserIdentifier: judgement.audit_user_identifier,
  urgency: levelOf(judgement.level),
  sessionUrgency: judgement.session_level === null ? null : levelOf(judgement.session_level),
  reason: reasonOf(seal, judgement),
})

const levelOf = (number: number): Level => LEVELS[number - 1] ?? noLevel()

function noLevel(): never {
  throw new SealBroken('A judgement is of no level.')
}

/** What a reason is bound to: who judged what and when, and the session's level then. */
const reasonField = ({ id, at, audit_user_identifier, level, session_level }: Omit<JudgementRow, 'sealed_reason'>) =>
  `judgement ${id} ${JSON.stringify([at, audit_user_identifier, level, session_level])}` as const

/** Why a clinician judged differently. It opens only if everything else stored about the judgement is unchanged. */
export function reasonOf(seal: SessionSeal, judgement: JudgementRow): string {
  if (!judgement.sealed_reason) throw new SealBroken('A judgement has no reason.')
  return seal.open(reasonField(judgement), judgement.sealed_reason).toString('utf8')
}
