const API = '/api/decision-support/v1'
const PATIENCE_MS = 20_000

/** The service refused; `code` is the last part of the problem's type. */
export class Refused extends Error {
  readonly code: string
  readonly status: number
  readonly retrySeconds: number

  constructor(code: string, status: number, retrySeconds: number) {
    super(code)
    this.code = code
    this.status = status
    this.retrySeconds = retrySeconds
  }
}

/** The service could not be reached. */
export class Away extends Error {}

export async function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const reply = await fetch(`${API}${path}`, {
    cache: 'no-store',
    credentials: 'same-origin',
    redirect: 'error',
    signal: AbortSignal.timeout(PATIENCE_MS),
    ...init,
  }).catch(() => {
    throw new Away()
  })
  if (reply.ok) return reply
  const problem: { type?: string } = await reply.json().catch(() => ({}))
  const code = problem.type?.replace(/^.*\/problems\//, '') ?? 'internal'
  throw new Refused(code, reply.status, Number(reply.headers.get('retry-after')) || 0)
}

/** A visit as the page holds it: by its cookie or, where cookies do not work, by its secret, in memory only. */
export class Connection {
  readonly visitId: string
  readonly embedded: boolean
  readonly #secret: string | null

  constructor(visitId: string, secret: string | null, embedded: boolean) {
    this.visitId = visitId
    this.embedded = embedded
    this.#secret = secret
  }

  #headers(): Record<string, string> {
    return this.#secret === null ? { 'x-visit-id': this.visitId } : { authorization: `Bearer ${this.#secret}` }
  }

  get(path: string): Promise<Response> {
    return ask(path, { headers: this.#headers() })
  }

  post(path: string, body: object, keepalive = false): Promise<Response> {
    const headers = { ...this.#headers(), 'content-type': 'application/json' }
    return ask(path, { method: 'POST', headers, body: JSON.stringify(body), keepalive })
  }

  async read<T>(path: string): Promise<T> {
    return (await this.get(path)).json()
  }
}

/** An id made here, so that sending something twice counts once. Works without https too. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
