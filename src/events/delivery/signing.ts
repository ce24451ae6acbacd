import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'
const SECRET_BYTES = 32

/** A new signing secret, in the form that every Standard Webhooks library takes. */
export const newSecret = (): string => `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`

export const secretBytes = (secret: string): Buffer => Buffer.from(secret.slice(PREFIX.length), 'base64')

/** One signature per live secret, so that a secret can change without losing a delivery. */
export function signatureOf(id: string, atSeconds: number, body: Buffer, secrets: readonly Buffer[]): string {
  return secrets
    .map((secret) => `v1,${createHmac('sha256', secret).update(`${id}.${atSeconds}.`).update(body).digest('base64')}`)
    .join(' ')
}

/** The headers of one attempt: the same id every time, its own moment and signatures. */
export function signedHeaders(id: string, at: Date, body: Buffer, secrets: readonly Buffer[]): Record<string, string> {
  const atSeconds = Math.floor(at.getTime() / 1_000)
  return {
    'webhook-id': id,
    'webhook-timestamp': String(atSeconds),
    'webhook-signature': signatureOf(id, atSeconds, body, secrets),
  }
}
