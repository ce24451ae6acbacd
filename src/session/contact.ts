import { LEVELS, type Level } from '../engine/content.ts'
import { assess } from '../engine/deciding/assess.ts'
import { findingsFrom } from '../engine/deciding/findings.ts'
import { isPhoneNumber } from '../engine/phone.ts'
import { fail, invalid, Problem } from '../problems.ts'
import { PUT_CONTACT } from '../store/contact.ts'
import { PreconditionFailed } from '../store/database/db.ts'
import { StaleSession } from './interview/answer.ts'
import type { Interview, InterviewParts } from './interview/interview.ts'
import type { User } from './interview/user.ts'
import type { Session } from './open.ts'

/** How the patient, or who answers for them, can be reached. */
export type Contact = { phone: string; when: string | null }

const LONGEST_WHEN = 200

/** The levels at which the clinic contacts the patient, so that it must be able to. */
const CLINIC_ACTS: readonly (Level | null)[] = ['Level4', 'Level5', 'Level6', 'Level7']
/** The last question of an interview, asked on the screen that sends it. */
const LAST_WORDS = 'anything_else'

export function contactOf({ row, seal }: Session): Contact | null {
  const text = seal.text('contact', row.sealed_contact)
  return text === null ? null : JSON.parse(text)
}

/** The integrating system's reference for the patient; it means nothing to us. */
export const patientReferenceOf = ({ row, seal }: Session): string | null =>
  seal.text('reference', row.sealed_reference)

/** Whether the clinic can reach the patient. Only then may a text promise that it does. */
export const isReachable = ({ row }: Pick<Session, 'row'>): boolean =>
  row.sealed_contact !== null || row.sealed_reference !== null

/**
 * Whether contact is asked for at this point of the interview, and has been given: on the last screen, so that it never
 * comes before a card.
 */
export function contactWish(session: Session, interview: Interview) {
  const { contact = 'none' } = session.configuration
  if (contact === 'none' || session.row.status === 'Ended' || !isLastScreen(interview)) return null
  return { asked: contact === 'required' ? bindingAt(interview) : contact, given: contactOf(session) }
}

const isLastScreen = ({ step }: Interview): boolean =>
  step.kind === 'done' || (step.questions.every(({ id }) => id === LAST_WORDS) && step.progress.left <= 1)

/** Contact is required only where the clinic acts: it holds up nobody in an emergency, and nobody who needs only self-care. */
function bindingAt({ content, answers }: Interview): 'optional' | 'required' {
  const level = LEVELS[assess(findingsFrom(content, answers)).rank] ?? null
  return CLINIC_ACTS.includes(level) ? 'required' : 'optional'
}

export function refuseWithoutContact(session: Session, interview: Interview): void {
  const wish = contactWish(session, interview)
  if (wish?.asked === 'required' && wish.given === null) fail('contact-required')
}

/** Stores how the user can be reached; null removes it. */
export async function giveContact(
  { core, cache }: Pick<InterviewParts, 'core' | 'cache'>,
  user: User,
  given: { phone: string | null; when?: string | null },
): Promise<User> {
  const { session } = user
  const { accountId, row, configuration, seal } = session
  if (row.status === 'Ended') throw new StaleSession(new Problem('session-finished'))
  if (!row.is_active) fail('session-expired')
  if ((configuration.contact ?? 'none') === 'none') fail('contact-not-asked')
  const contact = checked(given)
  const sealed = contact && seal.seal('contact', JSON.stringify(contact))
  const effects = [
    { statement: PUT_CONTACT, row: { id: row.id, sealed_contact: sealed ? sealed.toString('hex') : null } },
  ]
  try {
    const action = contact ? 'session.contact.given' : 'session.contact.removed'
    await core.recorder.record({ accountId, actor: 'user', action, subject: row.id, effects })
  } catch (error) {
    if (error instanceof PreconditionFailed) throw new StaleSession(new Problem('session-finished'))
    throw error
  }
  const after = { ...user, session: { ...session, row: { ...row, sealed_contact: sealed } } }
  cache.keepUser(after)
  return after
}

function checked({ phone, when }: { phone: string | null; when?: string | null }): Contact | null {
  const number = phone?.trim() ?? ''
  if (number === '') return null
  if (!isPhoneNumber(number)) return invalid('/phone', 'must be a telephone number such as +358 40 123 4567')
  const words = when?.trim() ?? ''
  if ([...words].length > LONGEST_WHEN) invalid('/when', `may have ${LONGEST_WHEN} characters`)
  return { phone: number, when: words || null }
}
