// A page of your own system that shows Fyr's decision support: the key stays on the server, the browser gets links.
//
//   npx fyr configuration change demo --set 'allowedOrigins=["http://localhost:8090"]'
//   FYR_KEY=fyr_… node examples/host-page/server.mjs
//
// Settings: FYR_KEY (a key of the configuration), FYR_URL (http://localhost:8080), PORT (8090), CLINICIAN (who is signed in here).
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const FYR = (process.env.FYR_URL ?? 'http://localhost:8080').replace(/\/$/, '')
const PORT = Number(process.env.PORT ?? 8090)
const CLINICIAN = process.env.CLINICIAN ?? 'example.clinician'
const key = process.env.FYR_KEY
if (!key) {
  console.error('Set FYR_KEY to a key of the configuration: npx fyr key issue --configuration demo')
  process.exit(1)
}

const file = (name) => readFileSync(new URL(name, import.meta.url), 'utf8')
const UUID = /^[0-9a-f-]{36}$/

/** As strict as a record system's policy should be: decision support needs the script and the frame, nothing more. */
const POLICY = [
  "default-src 'none'",
  `script-src 'self' ${FYR}/embed/`,
  "style-src 'self'",
  "connect-src 'self'",
  `frame-src ${FYR}`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

async function fyr(path) {
  const reply = await fetch(`${FYR}${path}`, { headers: { 'X-Service-API-Key': key } })
  return { status: reply.status, body: await reply.json() }
}

/** The page names the exact bytes it trusts: a script that was tampered with is not run. */
async function page() {
  const { body } = await fyr('/embed/v1/integrity.json')
  return file('page.html').replace('{url}', body.url).replace('{integrity}', body.integrity)
}

/** In your system: the signed-in clinician, and only sessions they may see. Here everyone is the example's clinician. */
const routes = {
  '/': async () => ['text/html; charset=utf-8', await page()],
  '/page.js': async () => ['text/javascript; charset=utf-8', file('page.js')],
  '/page.css': async () => ['text/css; charset=utf-8', file('page.css')],
  '/sessions': async () => ['application/json', JSON.stringify((await fyr('/api/v1/sessions?limit=20')).body)],
  '/link': async (query) => {
    const session = query.get('session') ?? ''
    if (!UUID.test(session)) return null
    const { status, body } = await fyr(
      `/api/v1/session/${session}/decisionSupportLink?auditUserIdentifier=${encodeURIComponent(CLINICIAN)}`,
    )
    return status === 200 ? ['application/json', JSON.stringify({ link: body.link })] : null
  },
}

createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
  const headers = {
    'content-security-policy': POLICY,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  }
  try {
    const answer = Object.hasOwn(routes, pathname) ? await routes[pathname](searchParams) : null
    if (!answer) return response.writeHead(404, headers).end()
    response.writeHead(200, { ...headers, 'content-type': answer[0] }).end(answer[1])
  } catch {
    response.writeHead(502, headers).end('Fyr does not answer. Is it running, and is FYR_URL right?')
  }
}).listen(PORT, () => console.log(`A record system's page with decision support: http://localhost:${PORT}`))
