import { FyrProblem, FyrUnreachable, problemOf } from './problem.ts'

/** Where Fyr answers, and how patiently it is asked. */
export type Connection = {
  /** Such as https://triage.example.org */
  baseUrl: string
  /** How long one attempt may take. Default 30. */
  timeoutSeconds?: number
  /** How often a request is sent at most, the first time included. Default 4. */
  maxAttempts?: number
  /** A longer Retry-After is not waited for: the refusal is thrown instead. Default 30. */
  maxWaitSeconds?: number
}

export type CallOptions = { signal?: AbortSignal }

/** One of Fyr's interfaces, with the headers that let us in. */
export type Door = Connection & { root: '/api/v1' | '/api/triage/v1'; credential: Record<string, string> }

export type Call = CallOptions & {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  query?: Record<string, string | undefined>
  /** Sent as JSON; a Blob as its bytes. */
  body?: unknown
  headers?: Record<string, string>
}

const FIRST_WAIT_MS = 250
const RETRIED = new Set([429, 502, 503, 504])

/**
 * Sends a request and retries it: everything sent here is safe to repeat (reads, opening and closing, what carries an
 * id or a version, and bytes of a file from an offset). A Retry-After is honoured, or the refusal thrown if it is too
 * long.
 */
export async function request(door: Door, call: Call): Promise<Response> {
  const { maxAttempts = 4, maxWaitSeconds = 30 } = door
  for (let attempt = 1; ; attempt++) {
    const outcome = await once(door, call)
    if (outcome instanceof Response && outcome.ok) return outcome
    const failure = outcome instanceof Response ? await problemOf(outcome) : outcome
    const waitMs = outcome instanceof Response ? retryAfterMs(outcome) : null
    const isWorthIt = !(outcome instanceof Response) || RETRIED.has(outcome.status) || isInFlight(failure)
    if (!isWorthIt || attempt >= maxAttempts || (waitMs ?? 0) > maxWaitSeconds * 1_000) throw failure
    await pause(waitMs ?? FIRST_WAIT_MS * 2 ** (attempt - 1) * (0.5 + Math.random()), call.signal)
  }
}

export async function json<T>(door: Door, call: Call): Promise<T> {
  return (await request(door, call)).json() as Promise<T>
}

export async function bytes(door: Door, call: Call): Promise<Uint8Array> {
  return new Uint8Array(await (await request(door, call)).arrayBuffer())
}

async function once(door: Door, call: Call): Promise<Response | FyrUnreachable> {
  call.signal?.throwIfAborted()
  const deadline = AbortSignal.timeout((door.timeoutSeconds ?? 30) * 1_000)
  const isBytes = call.body instanceof Blob
  try {
    const reply = await fetch(addressOf(door, call), {
      method: call.method,
      headers: {
        'content-type': isBytes ? 'application/octet-stream' : 'application/json',
        ...door.credential,
        ...call.headers,
      },
      ...(call.body !== undefined && { body: isBytes ? (call.body as Blob) : JSON.stringify(call.body) }),
      credentials: 'omit', // a cookie in the browser is somebody else's
      redirect: 'error', // the credential must not go to any other address
      signal: call.signal ? AbortSignal.any([deadline, call.signal]) : deadline,
    })
    // Read to the end here: a reply that is cut off is none, and is asked for again.
    const body = await reply.arrayBuffer()
    const { status, statusText, headers } = reply
    return new Response(body.byteLength > 0 ? body : null, { status, statusText, headers })
  } catch (error) {
    call.signal?.throwIfAborted()
    return new FyrUnreachable('Fyr could not be reached, or did not answer in time.', { cause: error })
  }
}

function addressOf({ baseUrl, root }: Door, { path, query = {} }: Call): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
  const search = new URLSearchParams(given).toString()
  return `${baseUrl.replace(/(?<!\/)\/+$/, '')}${root}${path}${search && `?${search}`}`
}

/** The first request with the same Idempotency-Key is still running: a retry gets its answer. */
const isInFlight = (failure: unknown): boolean =>
  failure instanceof FyrProblem && failure.code === 'idempotency-in-flight'

function retryAfterMs(reply: Response): number | null {
  const text = reply.headers.get('retry-after')
  if (text === null) return null
  const until = Date.parse(text)
  if (/^\d+$/.test(text)) return Number(text) * 1_000
  return Number.isNaN(until) ? null : Math.max(0, until - Date.now())
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((done, failed) => {
    const stop = () => {
      clearTimeout(timer)
      failed(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      done()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
