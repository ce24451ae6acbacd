import { type Dispatcher, request } from 'undici'
import { NoConnection } from './connector.ts'
import { retryAfterSeconds } from './schedule.ts'

const TOTAL_TIMEOUT_MS = 15_000
const MOST_READ_BYTES = 64 * 1024
const KEPT_BYTES = 1_024

/**
 * The result of one attempt. Every failure before the connection is the same error, without a duration: the delivery
 * log must not reveal what else is on a network.
 */
export type Sent =
  | { kind: 'answered'; status: number; retryAfterSeconds: number | null; answer: Buffer; durationMs: number }
  | {
      kind: 'unanswered'
      error: 'no-connection' | 'timeout' | 'connection-lost' | 'interrupted'
      durationMs: number | null
    }

export type Outgoing = { url: URL; headers: Record<string, string>; body: Buffer }

/** Posts one event. Redirects are not followed; the status alone decides, whatever the body does. */
export async function send(agent: Dispatcher, { url, headers, body }: Outgoing, stop: AbortSignal): Promise<Sent> {
  const startedAt = performance.now()
  const deadline = AbortSignal.timeout(TOTAL_TIMEOUT_MS)
  const signal = AbortSignal.any([deadline, stop])
  const elapsed = () => Math.round(performance.now() - startedAt)
  try {
    const response = await request(url, {
      dispatcher: agent,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'Fyr-Webhook/1', ...headers },
      body,
      signal,
      headersTimeout: TOTAL_TIMEOUT_MS,
      bodyTimeout: TOTAL_TIMEOUT_MS,
    })
    return {
      kind: 'answered',
      status: response.statusCode,
      retryAfterSeconds: retryAfterSeconds(
        single(response.headers['retry-after']),
        single(response.headers.date),
        new Date(),
      ),
      answer: await firstBytes(response.body),
      durationMs: elapsed(),
    }
  } catch (error) {
    if (error instanceof NoConnection) return { kind: 'unanswered', error: 'no-connection', durationMs: null }
    if (stop.aborted) return { kind: 'unanswered', error: 'interrupted', durationMs: elapsed() }
    if (deadline.aborted) return { kind: 'unanswered', error: 'timeout', durationMs: elapsed() }
    return { kind: 'unanswered', error: 'connection-lost', durationMs: elapsed() }
  }
}

const single = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header[0] : header

/** The start of the body. An endless, slow or truncated body changes nothing: the receiver has answered. */
async function firstBytes(body: Dispatcher.ResponseData['body']): Promise<Buffer> {
  const chunks: Buffer[] = []
  let read = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      read += chunk.length
      if (read >= MOST_READ_BYTES) break
    }
  } catch {
    // the status decides
  }
  return Buffer.concat(chunks).subarray(0, KEPT_BYTES)
}
