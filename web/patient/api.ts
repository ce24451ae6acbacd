import type { Static } from 'typebox'
import type { Language, Value } from '../../src/engine/content.ts'
import type * as schemas from '../../src/http/triage/schemas.ts'

export type { Language, Value }
export type SessionView = Static<typeof schemas.SessionView>
/** An answer as it is sent, to one question of the screen. */
export type Given = { question: string; value: Value }
export type QuestionView = Static<typeof schemas.QuestionView>
export type AnsweredScreen = Static<typeof schemas.AnsweredScreen>
export type OutcomeView = Static<typeof schemas.OutcomeView>
export type PublicConfiguration = Static<typeof schemas.PublicConfiguration>
export type FileView = Static<typeof schemas.FileView>
export type Proposals = Static<typeof schemas.Proposals>
export type EmergencyCheck = Static<typeof schemas.EmergencyCheck>
export type Entered = Static<typeof schemas.EnteredSession>
export type Gate = PublicConfiguration['gate']
export type Card = NonNullable<SessionView['alarm']>
export type LedgerEntry = SessionView['ledger'][number]

const LONGEST_WAIT_MS = 20_000

/** The service refused. */
export class Refused extends Error {
  readonly status: number
  readonly code: string
  /** The session as it is now, when the refusal carries it. */
  readonly current: SessionView | null
  readonly gate: Gate | null
  readonly received: number | null
  readonly retryAfterMs: number | null

  constructor(status: number, body: Record<string, unknown>, retryAfter: string | null) {
    super(`refused with ${status}`)
    this.status = status
    this.code = String(body.type ?? '').replace(/^.*\/problems\//, '')
    this.current = (body.current as SessionView | undefined) ?? null
    this.gate = (body.gate as Gate | undefined) ?? null
    this.received = typeof body.received === 'number' ? body.received : null
    this.retryAfterMs = retryAfter && /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1_000 : null
  }
}

/** No answer: the connection is down, or nobody is there. */
export class Unreachable extends Error {}

/** How this page identifies itself: by a cookie or, in frames without cookies, by the secret it got on entering. */
export type Credential = { bearer: string | null; sessionId: string | null }

export type Call = <T>(method: string, path: string, body?: unknown) => Promise<T>

/** One attempt at one request. Retrying is up to the caller. */
export function callerWith(credential: Credential): Call {
  return async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const reply = await fetchOnce(`/api/triage/v1${path}`, {
      method,
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...credentialHeaders(credential),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return (await read(reply)) as T
  }
}

export function credentialHeaders({ bearer, sessionId }: Credential): Record<string, string> {
  return { ...(bearer && { authorization: `Bearer ${bearer}` }), ...(sessionId && { 'x-session-id': sessionId }) }
}

async function fetchOnce(path: string, init: RequestInit): Promise<Response> {
  const patience = new AbortController()
  const timer = setTimeout(() => patience.abort(), LONGEST_WAIT_MS)
  try {
    return await fetch(path, { credentials: 'same-origin', ...init, signal: patience.signal })
  } catch {
    throw new Unreachable()
  } finally {
    clearTimeout(timer)
  }
}

async function read(reply: Response): Promise<unknown> {
  if (reply.status === 204) return null
  let body: unknown
  try {
    body = await reply.json()
  } catch {
    // A proxy's own page, or a connection that broke half-way: no answer of ours.
    throw new Unreachable()
  }
  if (reply.ok) return body
  const members = typeof body === 'object' && body !== null ? { ...body } : {}
  throw new Refused(reply.status, members, reply.headers.get('retry-after'))
}

/** Whether the same request may succeed a moment later. */
export const isPassing = (error: unknown): boolean =>
  error instanceof Unreachable ||
  (error instanceof Refused && (error.status >= 500 || error.status === 429 || error.status === 408))
