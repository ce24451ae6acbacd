import type { WebhookEvent } from './events.ts'

/** The request is not from Fyr, was changed on the way, or is too old. Answer 400 and do nothing else. */
export class WebhookRefused extends Error {
  override readonly name = 'WebhookRefused'
}

type GivenHeaders = { get(name: string): string | null } | Record<string, string | string[] | undefined>
type Bytes = Uint8Array<ArrayBuffer>
type Options = {
  /** How far its timestamp may be from now. Default 300. */
  toleranceSeconds?: number
  now?: Date
}

/**
 * The event, if it is genuine; otherwise throws WebhookRefused. Pass the body as the bytes that arrived: parsed and
 * serialised again it is another text, and the signature no longer matches. During a rotation pass both secrets.
 */
export async function verifyWebhook(
  body: Uint8Array,
  headers: GivenHeaders,
  secrets: string | readonly string[],
  { toleranceSeconds = 300, now = new Date() }: Options = {},
): Promise<WebhookEvent> {
  if (!(body instanceof Uint8Array))
    throw new TypeError('verifyWebhook takes the raw bytes of the body, as they arrived.')
  const id = header(headers, 'webhook-id')
  const timestamp = header(headers, 'webhook-timestamp')
  const signatures = header(headers, 'webhook-signature')
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookRefused('The timestamp is not one.')
  if (Math.abs(Math.floor(now.getTime() / 1_000) - Number(timestamp)) > toleranceSeconds)
    throw new WebhookRefused('The timestamp is too far from now.')
  const known = (typeof secrets === 'string' ? [secrets] : secrets).map(bytesOf)
  const signed = await Promise.all(known.map((secret) => isSignedWith(secret, `${id}.${timestamp}.`, body, signatures)))
  if (!signed.includes(true)) throw new WebhookRefused('No signature fits.')
  const event: WebhookEvent = JSON.parse(new TextDecoder().decode(body))
  if (event.id !== id) throw new WebhookRefused('The id of the event is another than the one signed.')
  return event
}

async function isSignedWith(secret: Bytes, prefix: string, body: Uint8Array, signatures: string): Promise<boolean> {
  const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const start = new TextEncoder().encode(prefix)
  const signed = new Uint8Array(start.length + body.length)
  signed.set(start)
  signed.set(body, start.length)
  const expected = new Uint8Array(await crypto.subtle.sign('HMAC', key, signed))
  return signatures.split(' ').some((signature) => {
    const [version, encoded = ''] = signature.split(',')
    return version === 'v1' && isSame(fromBase64(encoded), expected)
  })
}

/** Compares every byte whatever the others are: how long it takes tells nothing of where they differ. */
function isSame(given: Bytes | null, expected: Bytes): boolean {
  if (given?.length !== expected.length) return false
  return expected.reduce((difference, byte, at) => difference | (byte ^ (given[at] ?? 0)), 0) === 0
}

function bytesOf(secret: string): Bytes {
  const bytes = fromBase64(secret.replace(/^whsec_/, ''))
  if (!bytes || bytes.length < 24) throw new TypeError('A webhook secret begins with whsec_ and has 24 bytes or more.')
  return bytes
}

function fromBase64(text: string): Bytes | null {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  } catch {
    return null
  }
}

function header(headers: GivenHeaders, name: string): string {
  const found =
    typeof headers.get === 'function'
      ? headers.get(name)
      : Object.entries(headers).find(([given]) => given.toLowerCase() === name)?.[1]
  if (typeof found !== 'string' || found === '') throw new WebhookRefused(`The header ${name} is missing.`)
  return found
}
