import type { SessionExport } from './export-types.ts'
import { bytes, type Call, type CallOptions, type Connection, type Door, json, request } from './request.ts'
import type {
  AccessInfo,
  ClosedReason,
  Contact,
  CreatedSession,
  File,
  Judgement,
  Language,
  Link,
  NewSession,
  SessionCount,
  SessionInfo,
  SessionList,
  SessionStatus,
  Statistics,
  Status,
  Summary,
  Urgency,
} from './types.ts'

export type FyrOptions = Connection & {
  /** A key of the configuration, as `fyr key issue` shows it. It belongs on a server, never in a page. */
  apiKey: string
}

/** Moments are ISO 8601 timestamps; `start` is included, `end` is not. */
export type SessionFilter = {
  status?: SessionStatus
  createdStart?: string
  createdEnd?: string
  completedStart?: string
  completedEnd?: string
  /** The reference that the patient reads from the page, such as `3F2A 9C01` */
  shortReference?: string
  /** Levels, such as `['Level1', 'Level2']` */
  urgency?: readonly Urgency[]
  flag?: 'red' | 'warning'
  /** The id of a complaint; of ended sessions */
  complaint?: string
  /** Whether the patient left a number to call */
  contact?: boolean
  /** Whether a clinician judged it */
  judgement?: boolean
  /** What else is shown of each session; with it, or with one of the five filters before, the list is an audited reading */
  include?: readonly ('urgency' | 'complaints' | 'contact' | 'judgement')[]
  /** 1 to 200, default 50 */
  limit?: number
  cursor?: string
}

export type FhirBundle = { resourceType: 'Bundle'; type: string; entry: unknown[] } & Record<string, unknown>

export type ListedSession = SessionList['sessions'][number]

/** The interface for integrating systems: one method for each of its operations. */
export class FyrClient {
  readonly #door: Door

  constructor({ apiKey, ...connection }: FyrOptions) {
    this.#door = { ...connection, root: '/api/v1', credential: { 'x-service-api-key': apiKey } }
  }

  /**
   * Creates a session. Repeated requests create only one: under the given key, or one made for this call. Pass your own
   * when the caller itself may start over, after a crash for instance.
   */
  createSession(
    session: NewSession = {},
    options: CallOptions & { idempotencyKey?: string } = {},
  ): Promise<CreatedSession> {
    const { idempotencyKey = crypto.randomUUID(), ...rest } = options
    const headers = { 'idempotency-key': idempotencyKey }
    return json(this.#door, { method: 'POST', path: '/session', body: session, headers, ...rest })
  }

  getSession(sessionId: string, options?: CallOptions): Promise<SessionInfo> {
    return json(this.#door, read(sessionId, '', options))
  }

  getSessionStatus(sessionId: string, options?: CallOptions): Promise<Status> {
    return json(this.#door, read(sessionId, '/status', options))
  }

  /** A link that one clinician can open for five minutes. The identifier is in all audit entries of the visit. */
  getDecisionSupportLink(sessionId: string, auditUserIdentifier: string, options?: CallOptions): Promise<Link> {
    return json(this.#door, { ...read(sessionId, '/decisionSupportLink', options), query: { auditUserIdentifier } })
  }

  getSessionFiles(sessionId: string, options?: CallOptions): Promise<File[]> {
    return json(this.#door, read(sessionId, '/files', options))
  }

  /** The bytes of a file, as long as its session is kept. */
  getSessionFile(sessionId: string, fileId: string, options?: CallOptions): Promise<Uint8Array> {
    return bytes(this.#door, read(sessionId, `/files/${encodeURIComponent(fileId)}`, options))
  }

  /** The text summary, in the clinic's language unless another is given. */
  getSessionSummary(sessionId: string, language?: Language, options?: CallOptions): Promise<Summary> {
    return json(this.#door, { ...read(sessionId, '/summary', options), query: { language } })
  }

  /** The summary as a PDF document. */
  getSessionPdf(sessionId: string, language?: Language, options?: CallOptions): Promise<Uint8Array> {
    return bytes(this.#door, { ...read(sessionId, '/pdf', options), query: { language } })
  }

  /** The session as a bundle of FHIR resources. */
  getSessionFhir(sessionId: string, language?: Language, options?: CallOptions): Promise<FhirBundle> {
    return json(this.#door, { ...read(sessionId, '/fhir', options), query: { language } })
  }

  /** What clinicians judged, oldest first. */
  getSessionJudgements(sessionId: string, options?: CallOptions): Promise<Judgement[]> {
    return json(this.#door, read(sessionId, '/judgements', options))
  }

  /** How the patient can be reached: what the user left, and the reference that the session was created with. */
  getSessionContact(sessionId: string, options?: CallOptions): Promise<Contact> {
    return json(this.#door, read(sessionId, '/contact', options))
  }

  /** Everything kept of a session, in words and as it is stored, with its access log. Bytes of files: getSessionFile. */
  exportSession(sessionId: string, language?: Language, options?: CallOptions): Promise<SessionExport> {
    return json(this.#door, { ...read(sessionId, '/export', options), query: { language } })
  }

  /**
   * Erases a session, for good. From then on it is unknown: `session-not-found` from a call that was sent again may mean
   * that the first one arrived.
   */
  async eraseSession(sessionId: string, options?: CallOptions): Promise<void> {
    await request(this.#door, { ...read(sessionId, '', options), method: 'DELETE' })
  }

  /** One page of the configuration's sessions, newest first. */
  listSessions(filter: SessionFilter = {}, options?: CallOptions): Promise<SessionList> {
    const given = Object.entries(filter).filter(([, value]) => value !== undefined)
    const query = Object.fromEntries(given.map(([name, value]) => [name, String(value)])) // lists with commas
    return json(this.#door, { method: 'GET', path: '/sessions', query, ...options })
  }

  /** All sessions of the filter, page after page. */
  async *eachSession(filter: Omit<SessionFilter, 'cursor'> = {}, options?: CallOptions): AsyncGenerator<ListedSession> {
    let cursor: string | null = null
    do {
      const page: SessionList = await this.listSessions(cursor === null ? filter : { ...filter, cursor }, options)
      yield* page.sessions
      cursor = page.nextCursor
    } while (cursor !== null)
  }

  /** Figures of many sessions, none of a single one. Whole hours or whole days of the account's calendar. */
  getStatistics(
    range: { start?: string; end?: string; by?: 'hour' | 'day' } = {},
    options?: CallOptions,
  ): Promise<Statistics> {
    return json(this.#door, { method: 'GET', path: '/statistics', query: range, ...options })
  }

  /** Closes for incoming users: until it is opened, or until the moment given. */
  closeAccess(
    closedReason: ClosedReason,
    { closedUntil, ...options }: CallOptions & { closedUntil?: string } = {},
  ): Promise<AccessInfo> {
    const body = { closedReason, closedUntil }
    return json(this.#door, { method: 'POST', path: '/accessControl/close', body, ...options })
  }

  openAccess(options?: CallOptions): Promise<AccessInfo> {
    return json(this.#door, { method: 'POST', path: '/accessControl/open', ...options })
  }

  getAccess(options?: CallOptions): Promise<AccessInfo> {
    return json(this.#door, { method: 'GET', path: '/accessControl', ...options })
  }

  countSessions(range: { start?: string; end?: string } = {}, options?: CallOptions): Promise<SessionCount> {
    return json(this.#door, { method: 'GET', path: '/accessControl/sessionCount', query: range, ...options })
  }
}

const read = (sessionId: string, part: string, options: CallOptions = {}): Call => ({
  method: 'GET',
  path: `/session/${encodeURIComponent(sessionId)}${part}`,
  ...options,
})
