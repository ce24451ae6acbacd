import { passGate } from '../../account/gate.ts'
import type { Core } from '../../events/core.ts'
import type { Effect } from '../../events/record.ts'
import { fail } from '../../problems.ts'
import { PreconditionFailed } from '../../store/database/db.ts'
import { hashOf } from '../../store/seal.ts'
import { findUserBySecret, noteTakeoverTry, type SessionDoor } from '../../store/users.ts'
import type { InterviewParts } from '../interview/interview.ts'
import { type Entered, enterAgain, entrable, isSameEntry, issueEntry, type Wish } from './entry.ts'

const MOST_TAKEOVER_TRIES = 5

/** What someone who wants to take over a session from another browser says about the patient. */
type Confirmation = { age?: number | undefined; birthYear?: number | undefined }

type InvitedWish = Wish & { slug?: string | undefined; confirmation: Confirmation }

/** The user of a session made over the interface enters with the secret of its link. */
export async function enterInvited(parts: InterviewParts, linkSecret: string, wish: InvitedWish): Promise<Entered> {
  const door = (await findUserBySecret(parts.core.db, hashOf(linkSecret))) ?? fail('session-not-found')
  if (wish.slug !== undefined && wish.slug !== door.slug) fail('session-not-found')
  if (door.session.started_at !== null) return enterAfterFirst(parts, door, wish)
  if (door.session.status !== 'Ended' && !door.can_enter) fail('session-expired')
  try {
    return await enterFirst(parts, door, wish)
  } catch (error) {
    if (!(error instanceof PreconditionFailed)) throw error
    return enterAfterFirst(parts, door, wish) // another browser, or this very request, was first
  }
}

async function enterFirst(parts: InterviewParts, door: SessionDoor, wish: Wish): Promise<Entered> {
  const { core } = parts
  const { account_id: accountId, session } = door
  const entered = await entrable(parts, door)
  const { effect, opened } = issueEntry(parts, wish, entered, { again: false })
  const enter = (...pass: Effect[]) =>
    core.recorder.record({
      accountId,
      actor: 'user',
      action: 'session.entered',
      subject: session.id,
      ...(session.is_test && { detail: { test: true } }),
      effects: [...pass, effect],
    })
  // A session that has ended may be viewed, whatever the gate says.
  if (session.status === 'Ended') await enter()
  else await passGate(core, accountId, entered.configuration, session.override_demand_management, enter)
  return opened()
}

/** A user who has started may go on, whatever the gate says; anybody else confirms who the patient is. */
async function enterAfterFirst(parts: InterviewParts, door: SessionDoor, wish: InvitedWish): Promise<Entered> {
  if (await isSameEntry(parts.core, door, wish)) return enterAgain(parts, door, wish, 'session.entered')
  await confirmTakeover(parts.core, door, wish.confirmation)
  return enterAgain(parts, door, wish, 'session.taken-over')
}

/** Each attempt is counted before it is judged; without a known age or birth year nobody can take over. */
async function confirmTakeover(core: Core, door: SessionDoor, { age, birthYear }: Confirmation): Promise<void> {
  const { session, account_id: accountId } = door
  if (age === undefined && birthYear === undefined) fail('confirmation-needed')
  if (session.patient_age === null) fail('confirmation-refused')
  if (!(await noteTakeoverTry(core.db, accountId, session.id, MOST_TAKEOVER_TRIES))) fail('confirmation-refused')
  const year = session.created_at.getUTCFullYear() - Math.floor(session.patient_age)
  const isRight =
    age !== undefined
      ? Math.floor(age) === Math.floor(session.patient_age)
      : birthYear === year || birthYear === year - 1
  if (!isRight) fail('confirmation-refused')
}
