import { type Appended, type Appending, answerWriter } from '../store/answers.ts'
import type { Database } from '../store/database/db.ts'
import { Keyring } from '../store/seal.ts'
import { type SessionKey, type SessionRow, sessionReader } from '../store/sessions.ts'
import { cookieFinder, secretFinder, type UserFinder } from '../store/users.ts'
import { Recorder } from './record.ts'

/** What every use case needs: where things are kept, what seals them, and who writes down what happened. */
export type Core = {
  db: Database
  keyring: Keyring
  recorder: Recorder
  /** Finds a session together with whatever others ask for in the same moment. */
  readSession: (key: SessionKey) => Promise<SessionRow | null>
  /** Find the session of a user by the hash of their cookie or of the session's secret. */
  userByCookie: UserFinder
  userBySecret: UserFinder
  /** Stores an answer together with whatever others answer in the same moment. */
  appendAnswer: (appending: Appending) => Promise<Appended | null>
}

export function coreOf(db: Database, masterKey: Buffer): Core {
  const keyring = new Keyring(masterKey)
  return {
    db,
    keyring,
    recorder: new Recorder(db, keyring),
    readSession: sessionReader(db),
    userByCookie: cookieFinder(db),
    userBySecret: secretFinder(db),
    appendAnswer: answerWriter(db),
  }
}
