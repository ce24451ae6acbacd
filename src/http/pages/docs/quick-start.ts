import { escaped } from '../html.ts'
import { choices, plain } from './code.ts'

/** From nothing to a read session in three steps. Tests run the commands as they stand here. */
export function quickStart(publicUrl: string): string {
  return `<section id="quick-start" aria-labelledby="quick-start-title">
<h2 id="quick-start-title">Three steps to a first session</h2>
<ol class="steps">
<li><div class="words"><h3>Have a key</h3>
<p>A key belongs to one configuration of one clinic. Whoever runs the service issues it; on your own machine <code>npm start</code> prints one for the configuration <code>demo</code>.</p></div>
<div class="example">${plain('Shell', `export URL=${publicUrl}\nexport KEY=…`)}</div></li>
<li><div class="words"><h3>Create a session</h3>
<p>Everything in the body is optional. The answer holds <code>url</code>: give it to the patient, or open it yourself and answer. What follows <code>#</code> is a secret.</p></div>
<div class="example">${choices('quick-create', [
    ['curl', CREATE],
    ['TypeScript', CREATE_TS],
  ])}</div></li>
<li><div class="words"><h3>Read what it came to</h3>
<p>The status says when it has ended; the summary tells all of it in any of four languages. You need not ask again and again: a <a href="#webhooks">webhook</a> tells you.</p></div>
<div class="example">${choices('quick-read', [
    ['curl', READ],
    ['TypeScript', READ_TS],
  ])}</div></li>
</ol>
<p class="quiet">All of it as one file for your tools: <a href="/api/openapi.json">openapi.json</a> of ${escaped(publicUrl)}. Every way to be refused: <a href="/problems">problems</a>.</p>
</section>`
}

const CREATE = `curl -X POST "$URL/api/v1/session" \\
  -H "X-Service-API-Key: $KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"patient": {"age": 34, "sex": "Female"}, "text": "Sore throat since yesterday"}'`

const CREATE_TS = `const headers = { 'X-Service-API-Key': key, 'Content-Type': 'application/json' }
const reply = await fetch(\`\${url}/api/v1/session\`, {
  method: 'POST',
  headers,
  body: JSON.stringify({
    patient: { age: 34, sex: 'Female' },
    text: 'Sore throat since yesterday',
  }),
})
const session = await reply.json() // session.url is for the patient`

const READ = `curl "$URL/api/v1/session/$SESSION/status" \\
  -H "X-Service-API-Key: $KEY"
curl "$URL/api/v1/session/$SESSION/summary?language=en" \\
  -H "X-Service-API-Key: $KEY"`

const READ_TS = `const path = \`\${url}/api/v1/session/\${session.sessionId}\`
const { sessionStatus } = await fetch(\`\${path}/status\`, { headers }).then((reply) => reply.json())
const { data } = await fetch(\`\${path}/summary?language=en\`, { headers }).then((reply) => reply.json())`
