// A receiver of Fyr's completion webhook: verifies, answers at once, and handles each event once.
//
//   npm install
//   WEBHOOK_SECRET=whsec_… node receiver.mjs
//
// WEBHOOK_SECRET may hold two secrets, separated by a space, while one takes over from the other. With TLS_CERT and
// TLS_KEY (PEM files) it speaks https itself; without them put it behind something that does.
import { readFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { Webhook } from 'standardwebhooks'

const LARGEST_BODY_BYTES = 64 * 1024
const secrets = (process.env.WEBHOOK_SECRET ?? '').split(' ').filter(Boolean)
if (secrets.length === 0) {
  console.error('Set WEBHOOK_SECRET to the secret that `fyr webhook set` showed.')
  process.exit(1)
}
const verifiers = secrets.map((secret) => new Webhook(secret))
const handled = new Set() // in real life: a table with a unique key

/** The event, or null when nothing proves that it is from Fyr. The bytes are verified as they arrived, then parsed. */
function verified(body, headers) {
  for (const verifier of verifiers) {
    try {
      const event = verifier.verify(body, headers)
      return event.id === headers['webhook-id'] ? event : null
    } catch {
      // perhaps the other secret
    }
  }
  return null
}

function receive(request, response) {
  if (request.method !== 'POST') return response.writeHead(405, { allow: 'POST' }).end()
  const chunks = []
  let size = 0
  request.on('data', (chunk) => {
    size += chunk.length
    if (size > LARGEST_BODY_BYTES) return request.destroy()
    chunks.push(chunk)
  })
  request.on('end', () => {
    const event = verified(Buffer.concat(chunks), request.headers)
    if (!event) return response.writeHead(400).end('not from Fyr')
    response.writeHead(204).end() // within 15 seconds, or Fyr sends it again
    if (handled.has(event.id)) return // deliveries come at least once
    handled.add(event.id)
    handle(event)
  })
}

/** Your part. The event holds no health data: read the session over the interface, with your API key. */
function handle(event) {
  if (event.type !== 'session.completed') return console.log(JSON.stringify({ received: event.type }))
  console.log(JSON.stringify({ completed: event.sessionId, extendedData: event.extendedData }))
}

const { TLS_CERT, TLS_KEY, PORT = '9000' } = process.env
const server =
  TLS_CERT && TLS_KEY
    ? createHttpsServer({ cert: readFileSync(TLS_CERT), key: readFileSync(TLS_KEY) }, receive)
    : createHttpServer(receive)
server.listen(Number(PORT), () => console.log(JSON.stringify({ listening: server.address().port })))
