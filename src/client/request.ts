import { FyrProblem, FyrUnreachable, problemOf } from './problem.ts'

export type FyrOptions = {
  /** Where Fyr answers, such as https://triage.example.org */
  baseUrl: string
  /** A key of the configuration, as `fyr key issue` shows it. */
  apiKey: string
  /** How long one attempt may take. Default 30. */
  timeoutSeconds?: number
  /** How often a request is sent at most, the first time included. Default 4. */
  maxAttempts?: number
  /** A longer Retry-After is not waited for: the refusal is thrown instead. Default 30. */
  maxWaitSeconds?: number
}

export type CallOptions = { signal?: AbortSignal }

export type Call = CallOptions & {
  method: 'GET' | 'POST'
  path: string
  query?: Record<string, string | undefined>
  body?: unknown
  headers?: Record<string, string>
}

const FIRST_WAIT_MS = 250
const RETRIED = new Set([429, 502, 503, 504])

/**
 * Sends a request and retries it: everything sent here is safe to repeat (reads, opening and closing, and creating
 * under its Idempotency-Key). A Retry-After is honoured, or the refusal thrown if it is too long.
 */
export async function request(options: FyrOptions, call: Call): Promise<Response> {
  const { maxAttempts = 4, maxWaitSeconds = 30 } = options
  for (let attempt = 1; ; attempt++) {
    const outcome = await once(options, call)
    if (outcome instanceof Response && outcome.ok) return outcome
    const failure = outcome instanceof Response ? await problemOf(outcome) : outcome
    const waitMs = outcome instanceof Response ? retryAfterMs(outcome) : null
    const isWorthIt = !(outcome instanceof Response) || RETRIED.has(outcome.status) || isInFlight(failure)
    if (!isWorthIt || attempt >= maxAttempts || (waitMs ?? 0) > maxWaitSeconds * 1_000) throw failure
    await pause(waitMs ?? FIRST_WAIT_MS * 2 ** (attempt - 1) * (0.5 + Math.random()), call.signal)
  }
}

async function once(options: FyrOptions, call: Call): Promise<Response | FyrUnreachable> {
  call.signal?.throwIfAborted()
  const deadline = AbortSignal.timeout((options.timeoutSeconds ?? 30) * 1_000)
  try {
    return await fetch(addressOf(options.baseUrl, call), {
      method: call.method,
      headers: { 'x-service-api-key': options.apiKey, 'content-type': 'application/json', ...call.headers },
      ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
      redirect: 'error', // the key must not go to any other address
      signal: call.signal ? AbortSignal.any([deadline, call.signal]) : deadline,
    })
  } catch (error) {
    call.signal?.throwIfAborted()
    return new FyrUnreachable('Fyr could not be reached, or did not answer in time.', { cause: error })
  }
}

function addressOf(baseUrl: string, { path, query = {} }: Call): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
  const search = new URLSearchParams(given).toString()
  return `${baseUrl.replace(/(?<!\/)\/+$/, '')}/api/v1${path}${search && `?${search}`}`
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
