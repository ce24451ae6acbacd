// Your side of the webhook: verifies what arrives, and reads the session that has ended. Node 20 or newer.
//
//   FYR_KEY=fyr_… WEBHOOK_SECRET=whsec_… node receiver.mjs
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { FyrClient, verifyWebhook } from 'fyr-client'

const { FYR_URL = 'http://localhost:8080', FYR_KEY = '', WEBHOOK_SECRET = '', PORT = '9000' } = process.env
const fyr = new FyrClient({ baseUrl: FYR_URL, apiKey: FYR_KEY })
const LONGEST_BODY = 65_536 // Fyr says how long its requests are
const handled = new Set() // in real life: a table with a unique key

const server = createServer(async (request, response) => {
  let event
  if (Number(request.headers['content-length'] ?? Infinity) > LONGEST_BODY) return response.writeHead(413).end()
  try {
    event = await verifyWebhook(await buffer(request), request.headers, WEBHOOK_SECRET)
  } catch (error) {
    console.error(`refused: ${error.message}`)
    return response.writeHead(400).end()
  }
  response.writeHead(204).end() // within 15 seconds, or Fyr sends it again
  if (handled.has(event.id)) return // an event can come more than once
  handled.add(event.id)
  console.log(`verified: ${event.type}`)
  if (event.type === 'session.completed') await read(event.sessionId).catch((error) => console.error(error.message))
})
server.listen(Number(PORT), () => console.log(`listening: ${server.address().port}`))

/** The event holds no health data: the rest is read with the key. */
async function read(sessionId) {
  const { sessionStatus } = await fyr.getSessionStatus(sessionId)
  const { urgency, descriptionOfMatter } = await fyr.getSession(sessionId)
  const files = await fyr.getSessionFiles(sessionId)
  const { data } = await fyr.getSessionSummary(sessionId, 'en')
  console.log(JSON.stringify({ sessionId, sessionStatus, urgency, descriptionOfMatter }))
  for (const { mimeType, downloadUrl } of files) {
    const bytes = await (await fetch(downloadUrl)).arrayBuffer()
    console.log(JSON.stringify({ mimeType, bytes: bytes.byteLength }))
  }
  console.log(data)
}
