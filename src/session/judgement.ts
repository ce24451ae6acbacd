import { LEVELS, type Level } from '../engine/content.ts'
import type { Core } from '../events/core.ts'
import { ADD_JUDGEMENT, listJudgements } from '../store/judgements.ts'
import type { VisitDoor } from '../store/visits.ts'
import type { Session } from './open.ts'
import { note } from './visit.ts'

/** What a clinician would have said instead; the id is made by the page, so that sending twice is one judgement. */
export type NewJudgement = { id: string; level: Level; reason: string }

export type Judgement = {
  judgementId: string
  judgedTimestamp: string
  auditUserIdentifier: string | null
  urgency: Level
  /** The urgency the session had in that moment; null when none was set. */
  sessionUrgency: Level | null
  reason: string
}

/** Keeps that a clinician judges the urgency differently, and why. */
export async function judge(core: Core, visit: VisitDoor, session: Session, given: NewJudgement): Promise<void> {
  const { accountId, seal, row } = session
  const known = await listJudgements(core.db, accountId, row.id)
  if (known.some(({ id }) => id === given.id)) return
  const judgement = {
    session_id: row.id,
    id: given.id,
    audit_user_identifier: visit.audit_user_identifier,
    level: LEVELS.indexOf(given.level) + 1,
    sealed_reason: seal.seal('judgement', given.reason).toString('hex'),
  }
  const effects = [{ statement: ADD_JUDGEMENT, row: judgement }]
  await note(core, visit, 'judgement.made', { judgement: given.id }, effects)
}

/** What clinicians judged about a session, oldest first. */
export async function judgementsOf(core: Core, { accountId, row, seal }: Session): Promise<Judgement[]> {
  const rows = await listJudgements(core.db, accountId, row.id)
  return rows.flatMap(({ id, at, audit_user_identifier: auditUserIdentifier, level, session_level, sealed_reason }) => {
    const urgency = LEVELS[level - 1]
    if (!urgency) return []
    return {
      judgementId: id,
      judgedTimestamp: at.toISOString(),
      auditUserIdentifier,
      urgency,
      sessionUrgency: session_level === null ? null : (LEVELS[session_level - 1] ?? null),
      reason: seal.text('judgement', sealed_reason) ?? '',
    }
  })
}
