import { type Appended, type Appending, answerWriter } from '../store/answers.ts'
import type { Database } from '../store/database/db.ts'
import { Keyring } from '../store/seal.ts'
import { type SessionKey, type SessionRow, sessionFinder } from '../store/sessions.ts'
import { type Proof, proofFinder, type SessionDoor } from '../store/users.ts'
import { Recorder } from './record.ts'

/** What every use case needs: where things are kept, what seals them, and who writes down what happened. */
export type Core = {
  db: Database
  keyring: Keyring
  recorder: Recorder
  /** Finds a session, sealed as it is stored, together with whatever others ask for in the same moment. */
  findSession: (key: SessionKey) => Promise<SessionRow | null>
  /** Finds the session of a user by what they prove themselves with. */
  userByProof: (proof: Proof) => Promise<SessionDoor | null>
  /** Stores an answer together with whatever others answer in the same moment. */
  appendAnswer: (appending: Appending) => Promise<Appended | null>
}

export function coreOf(db: Database, masterKey: Buffer): Core {
  const keyring = new Keyring(masterKey)
  return {
    db,
    keyring,
    recorder: new Recorder(db, keyring),
    findSession: sessionFinder(db),
    userByProof: proofFinder(db),
    appendAnswer: answerWriter(db),
  }
}
