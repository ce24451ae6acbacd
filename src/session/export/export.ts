import { deliveriesOfSession } from '../../account/webhook-deliveries.ts'
import type { Language } from '../../engine/content.ts'
import { fail } from '../../problems.ts'
import { findAccount } from '../../store/accounts.ts'
import { findKeptMoments, listKeptUploads, listKeptVisits, listSignIns } from '../../store/export/kept.ts'
import { contactOf, patientReferenceOf } from '../contact.ts'
import { type Handoff, handoffOf } from '../handoff/handoff.ts'
import { sheetOf } from '../handoff/sheet.ts'
import { summaryOf } from '../handoff/summary.ts'
import type { InterviewParts } from '../interview/interview.ts'
import { judgementsOf } from '../judgement.ts'
import type { Session } from '../open.ts'
import { chronologyOf } from '../picture/chronology.ts'
import { matterOf } from '../sealed.ts'
import { nameOf } from '../uploads/bound.ts'
import { answererOf } from '../who.ts'
import { accessLogOf } from './access-log.ts'

export const EXPORT_FORMAT = 'fyr-session-export-1'

export type SessionExport = Awaited<ReturnType<typeof exportOf>>

/**
 * Everything kept of one session, in words and as it is stored, with its access log; secrets that open it are not told.
 * The bytes of files are beside it: they are read one by one. The caller has already written the audit entry, which is
 * the last line of the log.
 */
export async function exportOf(parts: InterviewParts, session: Session, language: Language) {
  const { core } = parts
  const { accountId, row } = session
  const handoff = await handoffOf(parts, session, language)
  const [judgements, files, deliveries, signIns, visits, moments, account] = await Promise.all([
    judgementsOf(core, session),
    filesOf(parts, session),
    toldOf(parts, session),
    listSignIns(core.db, accountId, row.id),
    listKeptVisits(core.db, accountId, row.id),
    findKeptMoments(core.db, accountId, row.id),
    findAccount(core.db, accountId),
  ])
  if (!moments || !account) return fail('session-not-found')
  return {
    format: EXPORT_FORMAT,
    exportedTimestamp: row.read_at.toISOString(),
    language,
    session: {
      sessionId: row.id,
      account: account.name,
      configuration: session.slug,
      sessionStatus: row.status,
      sessionCreatedTimestamp: row.created_at.toISOString(),
      userStartedTimestamp: momentOf(row.started_at),
      sessionCompletedTimestamp: momentOf(row.completed_at),
      lastActiveTimestamp: moments.last_active_at.toISOString(),
      abandonedTimestamp: momentOf(moments.abandoned_at),
      canBeEnteredUntil: row.enter_until.toISOString(),
      canBeContinuedUntil: row.active_until.toISOString(),
      keptDays: session.configuration.retentionDays,
      languageCode: row.language,
      sessionFlow: row.flow,
      issueType: row.issue_type,
      contentRelease: row.content_version,
      overrideDemandManagement: row.override_demand_management,
      returnUrl: row.return_url,
      isTest: row.is_test,
    },
    patient: {
      age: row.patient_age,
      sex: row.patient_sex,
      answeredBy: answererOf(row),
      reference: patientReferenceOf(session),
      contact: contactOf(session),
    },
    toldAtCreation: toldAtCreation(session),
    descriptionOfMatter: matterOf(session),
    summary: summaryOf(handoff),
    urgency: urgencyOf(handoff),
    outcome: row.status === 'Ended' ? handoff.outcome : null,
    answers: answersOf(handoff),
    judgements,
    files,
    deliveries,
    signIns: signIns.map((one) => ({
      kind: one.kind,
      enteredTimestamp: one.created_at.toISOString(),
      expiresTimestamp: one.expires_at.toISOString(),
      signedOutTimestamp: momentOf(one.signed_out_at),
    })),
    visits: visits.map((visit) => ({
      auditUserIdentifier: visit.audit_user_identifier,
      openedTimestamp: visit.opened_at.toISOString(),
      aliveUntilTimestamp: visit.alive_until.toISOString(),
    })),
    accessLog: await accessLogOf(core, accountId, row, language),
  }
}

const momentOf = (moment: Date | null): string | null => moment?.toISOString() ?? null

/** What the integrating system said when it made the session. */
function toldAtCreation({ row, seal }: Session) {
  const json = (text: string | null): unknown => (text === null ? null : JSON.parse(text))
  return {
    ...row.given,
    text: seal.text('givenMatter', row.sealed_given_matter),
    signs: json(seal.text('givenSigns', row.sealed_given_signs)),
    extendedData: json(seal.text('extendedData', row.sealed_extended_data)),
  }
}

/** The urgency and why, in words. */
function urgencyOf(handoff: Handoff) {
  const { urgency, remark, card, reasons, alsoTrue, redFlags, unconfirmed, considerations } = sheetOf(handoff)
  return {
    level: urgency.level,
    title: urgency.title,
    time: urgency.time,
    isFinal: urgency.isFinal,
    remark,
    emergencyCard: card,
    reasons,
    alsoTrue,
    redFlags: redFlags.map(({ state, heading, labels }) => ({ state, heading, labels })),
    unconfirmed,
    considerations,
  }
}

/** Everything that was said, in its order, changes and withdrawals too: in words, and as it is stored. */
function answersOf({ speech, interview }: Handoff) {
  const told = chronologyOf(speech, interview.history, interview.step)
  return interview.history.flatMap(({ question, value, heard = null }, at) => {
    const words = told[at]
    return words ? [{ ...words, question, value, heard }] : []
  })
}

async function filesOf({ core }: InterviewParts, { accountId, row, seal }: Session) {
  return (await listKeptUploads(core.db, accountId, row.id)).map((upload) => ({
    fileId: upload.id,
    name: nameOf(seal, upload),
    mimeType: upload.mime_type,
    size: upload.stored_size ?? upload.size,
    remarks: upload.flags,
    addedTimestamp: upload.created_at.toISOString(),
    removedTimestamp: momentOf(upload.removed_at),
    /** Whether its bytes can be read: not of one that was removed or never arrived whole. */
    isKept: upload.ready_at !== null && upload.removed_at === null,
  }))
}

async function toldOf({ core }: InterviewParts, { accountId, row: { id } }: Session) {
  return (await deliveriesOfSession(core, accountId, id)).map(({ row, attempts }) => ({
    deliveryId: row.id,
    endpoint: row.endpoint,
    type: row.type,
    state: row.state,
    queuedTimestamp: row.created_at.toISOString(),
    attempts: attempts.map(({ at, status, error, answer }) => ({ timestamp: at.toISOString(), status, error, answer })),
  }))
}
