import { type CallOptions, type Connection, type Door, json } from './request.ts'
import type { EmergencyCheck, EnteredSession, PublicConfiguration, SessionView } from './triage-types.ts'
import type { Language } from './types.ts'
import { FyrUser, type GivenAnswer } from './user.ts'

/** What the patient's age or year of birth is, for a session that was entered elsewhere before. */
export type Confirmation = { age?: number; birthYear?: number }

/** Of one entering: 32 random bytes in base64url. With the same one an entering whose answer was lost can be repeated. */
export type EntryId = { id?: string | undefined }

/**
 * The triage API before there is a session: looking, entering, and the short emergency check. For a triage app of your
 * own; it works without a key, and never uses a cookie.
 */
export class FyrTriage {
  readonly #door: Door

  constructor(connection: Connection) {
    this.#door = { ...connection, root: '/api/triage/v1', credential: {} }
  }

  getConfiguration(slug: string, options?: CallOptions): Promise<PublicConfiguration> {
    return json(this.#door, { method: 'GET', path: pathOf(slug, ''), ...options })
  }

  /** Enters with the `url` of a session that was created over the interface, or with the secret in it. */
  enterInvited(
    url: string,
    { age, birthYear, id, ...options }: Confirmation & EntryId & CallOptions = {},
  ): Promise<FyrUser> {
    const secret = url.slice(url.indexOf('#') + 1)
    return this.#enter('/enter', { secret, age, birthYear, id }, options)
  }

  /** Creates a session under a configuration of type OPEN, and enters it. */
  enterOpen(
    slug: string,
    { language, id, ...options }: { language?: Language } & EntryId & CallOptions = {},
  ): Promise<FyrUser> {
    return this.#enter(pathOf(slug, '/sessions'), { language, id }, options)
  }

  /** Goes on with the `secret` of a user who entered before. */
  async goOn(secret: string, options?: CallOptions): Promise<FyrUser> {
    const door = this.#doorWith(secret)
    return new FyrUser(door, secret, await json<SessionView>(door, { method: 'GET', path: '/session', ...options }))
  }

  /** Works when the clinic is closed, and stores nothing: send all answers so far with every request. */
  emergencyCheck(
    slug: string,
    {
      language,
      answers = [],
      ...options
    }: { language?: Language; answers?: readonly GivenAnswer[] } & CallOptions = {},
  ): Promise<EmergencyCheck> {
    const body = { language, answers }
    return json(this.#door, { method: 'POST', path: pathOf(slug, '/emergency-check'), body, ...options })
  }

  /** The id leads into the same session again when the reply is lost and the request repeated. */
  async #enter(
    path: string,
    { id = newEntryId(), ...wish }: EntryId & Record<string, unknown>,
    options: CallOptions,
  ): Promise<FyrUser> {
    const body = { ...wish, id, credential: 'bearer' }
    const entered = await json<EnteredSession>(this.#door, { method: 'POST', path, body, ...options })
    const secret = entered.secret ?? ''
    return new FyrUser(this.#doorWith(secret), secret, entered.session)
  }

  #doorWith(secret: string): Door {
    return { ...this.#door, credential: { authorization: `Bearer ${secret}` } }
  }
}

const pathOf = (slug: string, part: string): string => `/configurations/${encodeURIComponent(slug)}${part}`

/** An id for one entering, to keep beside it. */
export function newEntryId(): string {
  const random = crypto.getRandomValues(new Uint8Array(32))
  return btoa(String.fromCharCode(...random)).replace(/[+/=]/g, (sign) => ({ '+': '-', '/': '_' })[sign] ?? '')
}
