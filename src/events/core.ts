import { type Appended, type Appending, answerWriter } from '../store/answers.ts'
import type { Database } from '../store/database/db.ts'
import type { Keyring } from '../store/sealing/keyring.ts'
import { type SessionKey, type SessionRow, sessionFinder } from '../store/sessions.ts'
import { type Proof, proofFinder, type SessionDoor } from '../store/users.ts'
import { Recorder } from './record.ts'

/** What every use case needs: the store, the keys, and the recorder of events. */
export type Core = {
  db: Database
  keyring: Keyring
  recorder: Recorder
  /** Who gives the operator's commands, as audit entries name them. */
  operator: string
  /** Finds a session, still sealed; concurrent lookups share a statement. */
  findSession: (key: SessionKey) => Promise<SessionRow | null>
  /** Finds a user's session by their proof. */
  userByProof: (proof: Proof) => Promise<SessionDoor | null>
  /** Stores an answer, together with others of the same moment. */
  appendAnswer: (appending: Appending) => Promise<Appended | null>
}

/** Commands that do not say who gives them are the operator's. */
const SOME_OPERATOR = 'operator'

export function coreOf(db: Database, keyring: Keyring, operator = SOME_OPERATOR): Core {
  return {
    db,
    keyring,
    recorder: new Recorder(db, keyring),
    operator,
    findSession: sessionFinder(db),
    userByProof: proofFinder(db),
    appendAnswer: answerWriter(db),
  }
}
