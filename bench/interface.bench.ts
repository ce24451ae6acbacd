import { entered } from './chats.ts'
import type { Report } from './client.ts'
import { median, type Row } from './rows.ts'
import { type Stage, setStage } from './stage.ts'

const ROUNDS = 5
const SECONDS = 2
const WARM_UP_SECONDS = 4
const CONNECTIONS = 64
const SESSIONS = 1_000
const CHATS = 250

type Round = { bare: Report; status: Report; info: Report; create: Report; answer: Report; inserts: number }

/** The hot paths of the interface, each against its ceiling, in interleaved rounds: ratios survive a busy machine. */
export async function rows(): Promise<Row[]> {
  const stage = await setStage()
  try {
    const ids = await sessions(stage)
    const rounds: Round[] = []
    await round(stage, ids, WARM_UP_SECONDS) // until the code is compiled; not counted
    for (let at = 0; at < ROUNDS; at++) rounds.push(await round(stage, ids, SECONDS))
    return report(rounds, stage)
  } finally {
    await stage.strike()
  }
}

async function round(stage: Stage, ids: readonly string[], seconds: number): Promise<Round> {
  const { port, key, barePort, load } = stage
  const head = `Host: x\r\nX-Service-API-Key: ${key}\r\n`
  const get = (rest: string) => ids.map((id) => `GET /api/v1/session/${id}${rest} HTTP/1.1\r\n${head}\r\n`)
  const body = '{"text":"A cough since Monday","patient":{"age":41,"sex":"Female"}}'
  const post = `POST /api/v1/session HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  const job = { port, connections: CONNECTIONS, seconds }
  const chats = await entered(stage, Math.ceil(CHATS * seconds))
  return {
    bare: await load({ ...job, port: barePort, requests: get('/status') }),
    status: await load({ ...job, requests: get('/status') }),
    inserts: await stage.insertsPerSecond(seconds),
    info: await load({ ...job, requests: get('') }),
    create: await load({ ...job, requests: [post] }),
    answer: await load({ ...job, requests: [], chats }),
  }
}

function report(rounds: readonly Round[], { insertsBy }: Stage): Row[] {
  const rate = (name: Exclude<keyof Round, 'inserts'>) => median(rounds.map((one) => one[name].perSecond))
  const ratio = (name: Exclude<keyof Round, 'inserts'>, to: (one: Round) => number) =>
    median(rounds.map((one) => one[name].perSecond / to(one)))
  const p99 = (name: Exclude<keyof Round, 'inserts'>) =>
    `p99 ${median(rounds.map((one) => one[name].p99Ms)).toFixed(1)} ms`
  const refused = rounds
    .flatMap((one) => [one.status, one.info, one.create, one.answer])
    .reduce((sum, one) => sum + one.refused, 0)
  if (refused > 0) throw new Error(`${refused} requests were refused; the figures would mean nothing.`)
  const unit = 'requests/s'
  const inserts = (one: Round) => one.inserts
  const row = (name: Exclude<keyof Round, 'inserts'>, words: string): Row => ({
    name: words,
    value: rate(name),
    unit,
    against: 'single-row insert',
    ratio: ratio(name, inserts),
    bar: 0.35,
    note: p99(name),
  })
  return [
    { name: 'bare node:http', value: rate('bare'), unit, note: 'the ceiling of the runtime' },
    { name: 'single-row insert', value: median(rounds.map(inserts)), unit: 'inserts/s', note: insertsBy },
    {
      name: 'session status',
      value: rate('status'),
      unit,
      against: 'bare node:http',
      ratio: ratio('status', (one) => one.bare.perSecond),
      bar: 0.4,
      note: p99('status'),
    },
    row('info', 'session info, with its audit entry'),
    row('create', 'create session'),
    row('answer', 'an answer in the chat, to the next question'),
  ]
}

async function sessions({ port, key }: Stage): Promise<string[]> {
  const ids: string[] = []
  for (let at = 0; at < SESSIONS; at += 50) {
    const made = await Promise.all(
      Array.from({ length: 50 }, async () => {
        const headers = { 'x-service-api-key': key, 'content-type': 'application/json' }
        const body = '{"text":"A cough since Monday","patient":{"age":41,"sex":"Female"}}'
        const reply = await fetch(`http://127.0.0.1:${port}/api/v1/session`, { method: 'POST', headers, body })
        const { sessionId }: { sessionId: string } = await reply.json()
        return sessionId
      }),
    )
    ids.push(...made)
  }
  return ids
}
