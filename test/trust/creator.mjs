// Creates sessions one after another and keeps the ids that were acknowledged, in a file of its own process.
import { appendFileSync } from 'node:fs'

const [url, key, file] = process.argv.slice(2)
for (;;) {
  try {
    const reply = await fetch(`${url}/api/v1/session`, { method: 'POST', headers: { 'x-service-api-key': key } })
    if (reply.status === 201) appendFileSync(file, `${(await reply.json()).sessionId}\n`)
    else await reply.arrayBuffer()
  } catch {
    await new Promise((done) => setTimeout(done, 20))
  }
}
