import pg from 'pg'
import { fillSessions } from '../test/world/many-sessions.ts'
import type { Report } from './client.ts'
import { median, type Row } from './rows.ts'
import { type Stage, setStage } from './stage.ts'

const FEW = 10_000
/** FYR_SESSIONS=1000000 takes some minutes to fill. */
const MANY = Number(process.env.FYR_SESSIONS ?? 200_000)
const ROUNDS = 5
const SECONDS = 1
const OWN_SESSIONS = 200
/** The full rate a key is allowed: 100 requests a second. */
const ALL_IT_MAY = { connections: 20, restMs: 200 }
const A_LITTLE = { connections: 4, restMs: 20 }
const DAY_MS = 86_400_000

type Kind = { name: string; paths: string[]; p99Bar?: number }
type Round = { few: Report; many: Report }
type Scene = { stage: Stage; place: Place; kinds: Kind[] }
type Place = { accountId: string; configurationId: string; slug: string; key: string }

/** F40 and F08: requests cost the same with ten thousand sessions and with very many, and one key cannot slow another down. */
export async function rows(): Promise<Row[]> {
  const stages: Stage[] = []
  try {
    const [few, many] = [await filled(stages, FEW), await filled(stages, MANY)]
    const measured: Row[] = []
    for (const [at, kind] of many.kinds.entries()) {
      const rounds: Round[] = []
      for (let round = 0; round < ROUNDS; round++)
        rounds.push({ few: await asked(few, few.kinds[at] ?? kind), many: await asked(many, kind) })
      measured.push(grown(kind, rounds))
    }
    return [...measured, ...(await besideAnother(many))]
  } finally {
    for (const stage of stages) await stage.strike()
  }
}

/**
 * A separate service with this many sessions. Both services run side by side and are queried in turn, so that other
 * load on the machine slows both.
 */
async function filled(stages: Stage[], sessions: number): Promise<Scene> {
  const stage = await setStage()
  stages.push(stage)
  const place = newPlace(stage, 'busy')
  const database = new pg.Client({ connectionString: stage.databaseUrl })
  await database.connect()
  await fillSessions((text, values) => database.query(text, values), place, sessions)
  await database.query('vacuum analyze')
  await database.end()
  return { stage, place, kinds: await kindsOf(stage, place) }
}

function newPlace({ fyr }: Stage, slug: string): Place {
  const account: { id: string } = JSON.parse(fyr('account', 'create', '--name', slug))
  const made: { id: string } = JSON.parse(
    fyr('configuration', 'create', '--slug', slug, '--account', account.id, '--country', 'FI'),
  )
  const { key }: { key: string } = JSON.parse(fyr('key', 'issue', '--configuration', slug))
  return { accountId: account.id, configurationId: made.id, slug, key }
}

/** Sessions that can be opened, for the requests that read one. */
async function ownSessions({ port }: Stage, { key }: Place): Promise<string[]> {
  const ids: string[] = []
  for (let at = 0; at < OWN_SESSIONS; at++) {
    const headers = { 'x-service-api-key': key, 'content-type': 'application/json' }
    const body = '{"text":"A cough since Monday","patient":{"age":41,"sex":"Female"}}'
    const reply = await fetch(`http://127.0.0.1:${port}/api/v1/session`, { method: 'POST', headers, body })
    const { sessionId }: { sessionId: string } = await reply.json()
    ids.push(sessionId)
  }
  return ids
}

async function kindsOf(stage: Stage, place: Place): Promise<Kind[]> {
  const ids = await ownSessions(stage, place)
  const day = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString()
  const list = (query: string) => [`/sessions?limit=50${query}`]
  const count = (query: string) => [`/accessControl/sessionCount${query}`]
  const statuses = ['Created', 'StartedChat', 'Ended']
  return [
    { name: 'status', paths: ids.map((id) => `/session/${id}/status`) },
    { name: 'info', paths: ids.map((id) => `/session/${id}`) },
    { name: 'list', paths: list('') },
    { name: 'list, 80 days down', paths: list(`&createdEnd=${day(80)}`) },
    ...statuses.map((status) => ({ name: `list of ${status}`, paths: list(`&status=${status}`) })),
    { name: 'list of Created, 80 days down', paths: list(`&status=Created&createdEnd=${day(80)}`) },
    { name: 'list completed since yesterday', paths: list(`&completedStart=${day(1)}`) },
    { name: 'list completed 80 days ago', paths: list(`&completedStart=${day(81)}&completedEnd=${day(80)}`) },
    {
      name: 'list with both ranges',
      paths: list(`&completedStart=${day(90)}&createdStart=${day(60)}&createdEnd=${day(59)}`),
    },
    { name: 'count of all', paths: count(''), p99Bar: 300 },
    { name: 'count of thirty days', paths: count(`?start=${day(60)}&end=${day(30)}`), p99Bar: 300 },
    { name: 'count of an hour', paths: count(`?start=${day(60)}&end=${day(60 - 1 / 24)}`), p99Bar: 300 },
  ]
}

const requestsFor = ({ key }: Place, paths: readonly string[]): string[] =>
  paths.map((path) => `GET /api/v1${path} HTTP/1.1\r\nHost: x\r\nX-Service-API-Key: ${key}\r\n\r\n`)

async function asked({ stage, place }: Scene, { name, paths }: Kind): Promise<Report> {
  const job = { port: stage.port, connections: 2, requests: requestsFor(place, paths) }
  await stage.load({ ...job, seconds: 0.3 })
  const report = await stage.load({ ...job, seconds: SECONDS })
  if (report.refused > 0) throw new Error(`${name}: ${report.refused} were refused; the figures would mean nothing.`)
  return report
}

function grown({ name, p99Bar }: Kind, rounds: readonly Round[]): Row {
  const middle = (of: (round: Round) => number) => median(rounds.map(of))
  const [before, after] = [middle(({ few }) => few.p50Ms), middle(({ many }) => many.p50Ms)]
  const sessions = FEW.toLocaleString('en')
  const row: Row = {
    name: `${name}, p99 with ${MANY.toLocaleString('en')} sessions`,
    value: middle(({ many }) => many.p99Ms),
    unit: 'ms',
    note: `median ${after.toFixed(2)} ms, ${before.toFixed(2)} ms with ${sessions}`,
  }
  if (p99Bar) return { ...row, bar: p99Bar, atMost: true }
  const ratio = middle(({ few, many }) => many.p50Ms / few.p50Ms)
  return { ...row, against: `its median with ${sessions}`, ratio, bar: 1.5, atMost: true }
}

/** A second account whose key sends few requests, while this one's key asks for lists and counts at the full rate. */
async function besideAnother({ stage, place: busy, kinds }: Scene): Promise<Row[]> {
  const other = newPlace(stage, 'other')
  const ids = await ownSessions(stage, other)
  const requests = requestsFor(other, [
    ...ids.map((id) => `/session/${id}/status`),
    ...ids.map((id) => `/session/${id}`),
  ])
  const lists = kinds.filter(({ name }) => /^(list|count)/.test(name)).flatMap(({ paths }) => paths)
  const aLittle = { port: stage.port, seconds: 4, ...A_LITTLE, requests }
  const allItMay = { port: stage.port, seconds: 4, ...ALL_IT_MAY, requests: requestsFor(busy, lists) }
  await stage.load(aLittle)
  const rounds: { alone: Report; beside: Report; listed: Report }[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const alone = await stage.load(aLittle)
    const flood = stage.loadBeside(allItMay)
    rounds.push({ alone, beside: await stage.load(aLittle), listed: await flood })
  }
  const middle = (of: (round: (typeof rounds)[number]) => number) => median(rounds.map(of))
  const refused = rounds.reduce((sum, { beside }) => sum + beside.refused, 0)
  return [
    { name: 'another account alone, p99', value: middle(({ alone }) => alone.p99Ms), unit: 'ms' },
    {
      name: 'the same beside a key that lists and counts as fast as it may',
      value: middle(({ beside }) => beside.p99Ms),
      unit: 'ms',
      against: 'alone',
      ratio: middle(({ alone, beside }) => beside.p99Ms / alone.p99Ms),
      bar: 2,
      atMost: true,
      note: `${refused} refused; ${middle(({ listed }) => listed.perSecond).toFixed(0)} lists and counts a second`,
    },
  ]
}
