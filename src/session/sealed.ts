import { newKey, seal, unseal } from '../store/seal.ts'
import type { SessionRow } from '../store/sessions.ts'

/** The fields of a session that are sealed, each bound to its place; an answer also to its number, as their order has a meaning. */
export type SealedField =
  | 'matter'
  | 'givenMatter'
  | 'extendedData'
  | 'outcome'
  | 'contact'
  | 'reference'
  | `answer ${number}`
  | 'upload'
  | 'judgement'

/** One session's own key: made with it, wrapped by its account's key, deleted to erase it. */
export class SessionSeal {
  readonly #place: readonly [account: string, session: string]
  readonly #key: Buffer

  private constructor(accountId: string, sessionId: string, key: Buffer) {
    this.#place = [accountId, sessionId]
    this.#key = key
  }

  static fresh(accountId: string, accountKey: Buffer, sessionId: string): { seal: SessionSeal; sealedKey: Buffer } {
    const key = newKey()
    const sealedKey = seal(accountKey, [accountId, sessionId, 'session key'], key)
    return { seal: new SessionSeal(accountId, sessionId, key), sealedKey }
  }

  static open(accountId: string, accountKey: Buffer, sessionId: string, sealedKey: Buffer): SessionSeal {
    return new SessionSeal(accountId, sessionId, unseal(accountKey, [accountId, sessionId, 'session key'], sealedKey))
  }

  seal(field: SealedField, plain: string | Buffer): Buffer {
    return seal(this.#key, [...this.#place, field], plain)
  }

  open(field: SealedField, sealed: Buffer): Buffer {
    return unseal(this.#key, [...this.#place, field], sealed)
  }

  text(field: SealedField, sealed: Buffer | null): string | null {
    return sealed === null ? null : this.open(field, sealed).toString('utf8')
  }
}

/** What it is about: in the user's own words, and until they have come to that as create was told. */
export const matterOf = ({ row, seal }: { row: SessionRow; seal: SessionSeal }): string | null =>
  row.sealed_matter ? seal.text('matter', row.sealed_matter) || null : seal.text('givenMatter', row.sealed_given_matter)
