import { timingSafeEqual } from 'node:crypto'
import { keyedHash, markOf, newKey, SealBroken, seal, sealInSteps, unseal } from '../store/seal.ts'
import { type AccountKey, sessionKeyPlace } from '../store/sealing/account-key.ts'
import type { SessionRow } from '../store/sessions.ts'

/**
 * The sealed fields of a session, each bound to its place. Where a session has several of a kind, each is also bound to
 * its number or id, so that none can stand in for another.
 */
export type SealedField =
  | 'matter'
  | 'givenMatter'
  | 'givenSigns'
  | 'extendedData'
  | 'outcome'
  | 'contact'
  | 'reference'
  | `answer ${number}`
  | `upload-part ${string}`
  | `upload-name ${string}`
  | `upload-bytes ${string}`
  | `judgement ${string}`

/** The state of a session that its state seal covers: everything in its row except its language, its lifetime, and how the patient is reached, which may change at any time. */
export type SessionState = Omit<
  SessionRow,
  | 'id'
  | 'enter_until'
  | 'active_until'
  | 'is_active'
  | 'language'
  | 'sealed_key'
  | 'sealed_contact'
  | 'state_seal'
  | 'read_at'
>

/** The state of a new session unless something else is given. Its moments are sealed from the first answer on. */
export const NEW_STATE = {
  status: 'Created',
  version: 0,
  created_at: new Date(0),
  started_at: null,
  completed_at: null,
  flow: 'Standard',
  patient_age: null,
  patient_sex: null,
  user_is_patient: null,
  issue_type: 'None',
  urgency: null,
  override_demand_management: false,
  return_url: null,
  given: {},
  sealed_matter: null,
  sealed_given_matter: null,
  sealed_given_signs: null,
  sealed_extended_data: null,
  sealed_reference: null,
  sealed_outcome: null,
  is_test: false,
} as const satisfies Partial<SessionState>

/** One session's own key: made with it, wrapped by its account's key, deleted to erase it. */
export class SessionSeal {
  readonly #place: readonly [account: string, session: string]
  readonly #key: Buffer
  #stateKey: Buffer | null = null

  private constructor(accountId: string, sessionId: string, key: Buffer) {
    this.#place = [accountId, sessionId]
    this.#key = key
  }

  static fresh(accountId: string, accountKey: AccountKey, sessionId: string): { seal: SessionSeal; sealedKey: Buffer } {
    const key = newKey()
    const sealedKey = accountKey.seal(sessionKeyPlace(accountId, sessionId), key)
    return { seal: new SessionSeal(accountId, sessionId, key), sealedKey }
  }

  static open(accountId: string, accountKey: AccountKey, sessionId: string, sealedKey: Buffer): SessionSeal {
    return new SessionSeal(accountId, sessionId, accountKey.unseal(sessionKeyPlace(accountId, sessionId), sealedKey))
  }

  seal(field: SealedField, plain: string | Buffer): Buffer {
    return seal(this.#key, [...this.#place, field], plain)
  }

  sealInSteps(field: SealedField, plain: Buffer): Promise<Buffer> {
    return sealInSteps(this.#key, [...this.#place, field], plain)
  }

  open(field: SealedField, sealed: Buffer): Buffer {
    return unseal(this.#key, [...this.#place, field], sealed)
  }

  text(field: SealedField, sealed: Buffer | null): string | null {
    return sealed === null ? null : this.open(field, sealed).toString('utf8')
  }

  /** The state seal, stored with every change of the row: a keyed hash over all of its state. */
  stateSeal(state: SessionState): Buffer {
    this.#stateKey ??= keyedHash(this.#key, 'session state', ...this.#place)
    return keyedHash(this.#stateKey, stateText(state))
  }

  /** Refuses a row that was changed outside the program, such as another level or fewer answers. */
  expectState(row: SessionRow): void {
    const expected = this.stateSeal(row)
    if (row.state_seal?.length !== expected.length || !timingSafeEqual(row.state_seal, expected))
      throw new SealBroken('The state of a session is not as it was left.')
  }
}

/** The version is the number of answers. The moments before the first answer are known by the time it is given. */
function stateText(state: SessionState): string {
  const { given, version } = state
  return JSON.stringify([
    state.configuration_id,
    state.status,
    version,
    version === 0 ? null : [state.created_at.getTime(), state.started_at?.getTime()],
    state.completed_at?.getTime(),
    state.flow,
    [state.patient_age, state.patient_sex, state.user_is_patient],
    state.issue_type,
    state.urgency,
    state.override_demand_management,
    state.return_url,
    state.content_version,
    Object.keys(given)
      .sort()
      .map((name) => [name, given[name]]),
    state.secret_hash.toString('latin1'),
    [
      state.sealed_matter,
      state.sealed_given_matter,
      state.sealed_given_signs,
      state.sealed_extended_data,
      state.sealed_reference,
      state.sealed_outcome,
    ].map(markOf),
    // Left out where there is nothing to say, so that the seals of older sessions still hold.
    ...(state.is_test ? ['test'] : []),
  ])
}

/** The matter: in the user's own words and, until they have answered it, as given at creation. */
export const matterOf = ({ row, seal }: { row: SessionRow; seal: SessionSeal }): string | null =>
  row.sealed_matter ? seal.text('matter', row.sealed_matter) || null : seal.text('givenMatter', row.sealed_given_matter)
