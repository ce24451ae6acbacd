import { ANSWERS_PER_SESSION, ENTRIES_PER_SESSION } from '../test/world/many-sessions.ts'
import { entered } from './chats.ts'
import type { Job, Report } from './client.ts'
import { filled } from './filled.ts'
import { canTellTime, since, spentBy } from './processor-time.ts'
import { median, type Row } from './rows.ts'
import { type Stage, setStage } from './stage.ts'

const FEW = 10_000
/** FYR_SESSIONS=1000000, with twelve million answers, takes some ten minutes to fill, and 7 GB of disk. */
const MANY = Number(process.env.FYR_SESSIONS ?? 200_000)
const ROUNDS = 5
const SECONDS = 1
const OWN_SESSIONS = 200
/** The full rate a key is allowed: 100 requests a second. */
const ALL_IT_MAY = { connections: 20, restMs: 200 }
const A_LITTLE = { connections: 4, restMs: 20 }
const DAY_MS = 86_400_000
/** How many times its cost with few sessions a request may have with many. */
const READING_BAR = 1.2
const LISTING_BAR = 3
/** The longest that a count may take for 99 of 100. */
const COUNT_P99_MS = 300
const CHATS = 20

type Work = Pick<Job, 'requests' | 'chats'>
type Kind = { name: string; bar: number; p99Bar?: number; work: () => Promise<Work> }
type Asked = { name: string; paths: string[]; p99Bar?: number }
type Measured = Report & { cpuMs: number }
type Round = { few: Measured; many: Measured }
type Scene = { stage: Stage; place: Place; kinds: Kind[]; lists: string[]; seconds: number; bytes: number }
type Place = { accountId: string; configurationId: string; slug: string; key: string }

/** F40 and F08: requests cost the same with ten thousand sessions and with very many, and one key cannot slow another down. */
export async function rows(): Promise<Row[]> {
  const stages: Stage[] = []
  try {
    const [few, many] = [await staged(stages, FEW), await staged(stages, MANY)]
    const measured: Row[] = []
    for (const [at, kind] of many.kinds.entries()) {
      const rounds: Round[] = []
      for (let round = 0; round < ROUNDS; round++)
        rounds.push({ few: await asked(few, few.kinds[at] ?? kind), many: await asked(many, kind) })
      measured.push(grown(kind, rounds), ...longestOf(kind, rounds))
    }
    return [...measured, ...sizeOf(few, many), ...(await besideAnother(many))]
  } finally {
    for (const stage of stages) await stage.strike()
  }
}

/**
 * A separate service with this many sessions. Both services run side by side and are queried in turn, so that other
 * load on the machine slows both.
 */
async function staged(stages: Stage[], sessions: number): Promise<Scene> {
  const stage = await setStage()
  stages.push(stage)
  const place = newPlace(stage, 'busy')
  const loaded = await filled(stage.databaseUrl, place, sessions)
  return { stage, place, ...(await kindsOf(stage, place)), ...loaded }
}

function sizeOf(few: Scene, many: Scene): Row[] {
  const each = `with ${ANSWERS_PER_SESSION} answers and ${ENTRIES_PER_SESSION} audit entries each, without files`
  return [
    { name: 'sessions loaded', value: MANY / many.seconds, unit: 'sessions/s', note: `${many.seconds.toFixed(0)} s` },
    { name: 'bytes on disk for a session', value: (many.bytes - few.bytes) / (MANY - FEW), unit: 'B', note: each },
  ]
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

async function kindsOf(stage: Stage, place: Place): Promise<Pick<Scene, 'kinds' | 'lists'>> {
  const ids = await ownSessions(stage, place)
  const { sessions, lists } = pathsOf(ids)
  const asking =
    (bar: number) =>
    ({ name, paths, p99Bar }: Asked): Kind => ({
      name,
      bar,
      ...(p99Bar && { p99Bar }),
      work: async () => ({ requests: requestsFor(place, paths) }),
    })
  const creation = '{"text":"A cough since Monday","patient":{"age":41,"sex":"Female"}}'
  const head = `Host: x\r\nX-Service-API-Key: ${place.key}\r\nContent-Type: application/json`
  const create = `POST /api/v1/session HTTP/1.1\r\n${head}\r\nContent-Length: ${creation.length}\r\n\r\n${creation}`
  const page = `GET /t/${place.slug} HTTP/1.1\r\nHost: x\r\nAccept: text/html\r\n\r\n`
  return {
    kinds: [
      ...sessions.map(asking(READING_BAR)),
      { name: 'create', bar: READING_BAR, work: async () => ({ requests: [create] }) },
      {
        name: 'an answer in the chat',
        bar: READING_BAR,
        work: async () => ({ requests: [], chats: await entered(stage, CHATS, place.slug) }),
      },
      { name: 'the patient’s page', bar: READING_BAR, work: async () => ({ requests: [page] }) },
      ...lists.map(asking(LISTING_BAR)),
    ],
    lists: lists.flatMap(({ paths }) => paths),
  }
}

function pathsOf(ids: readonly string[]): Record<'sessions' | 'lists', Asked[]> {
  const day = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString()
  const list = (query: string) => [`/sessions?limit=50${query}`]
  const count = (query: string) => [`/accessControl/sessionCount${query}`]
  const each = (rest: string) => ids.map((id) => `/session/${id}${rest}`)
  const statuses = ['Created', 'StartedChat', 'Ended']
  return {
    sessions: [
      { name: 'status', paths: each('/status') },
      { name: 'info', paths: each('') },
      { name: 'summary', paths: each('/summary') },
      { name: 'files', paths: each('/files') },
      { name: 'judgements', paths: each('/judgements') },
      { name: 'contact', paths: each('/contact') },
      { name: 'link of decision support', paths: each('/decisionSupportLink?auditUserIdentifier=bench') },
      { name: 'opening state', paths: ['/accessControl'] },
    ],
    lists: [
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
      { name: 'count of all', paths: count(''), p99Bar: COUNT_P99_MS },
      { name: 'count of thirty days', paths: count(`?start=${day(60)}&end=${day(30)}`), p99Bar: COUNT_P99_MS },
      { name: 'count of an hour', paths: count(`?start=${day(60)}&end=${day(60 - 1 / 24)}`), p99Bar: COUNT_P99_MS },
    ],
  }
}

const requestsFor = ({ key }: Place, paths: readonly string[]): string[] =>
  paths.map((path) => `GET /api/v1${path} HTTP/1.1\r\nHost: x\r\nX-Service-API-Key: ${key}\r\n\r\n`)

async function asked({ stage }: Scene, { name, work }: Kind): Promise<Measured> {
  const job = async (seconds: number) => ({ port: stage.port, connections: 2, seconds, ...(await work()) })
  await stage.load(await job(0.3))
  const measured = await job(SECONDS)
  const before = canTellTime ? spentBy(stage.servicePid) : { service: 0, database: 0 }
  const report = await stage.load(measured)
  const { service, database } = canTellTime ? since(before, spentBy(stage.servicePid)) : before
  if (report.refused > 0) throw new Error(`${name}: ${report.refused} were refused; the figures would mean nothing.`)
  return { ...report, cpuMs: service + database }
}

/** Compared by the processor time of the service and its database together, where it can be told, else by the median of the wait. */
function grown({ name, bar }: Kind, rounds: readonly Round[]): Row {
  const middle = (of: (round: Round) => number) => median(rounds.map(of))
  const sum = (of: (round: Round) => number) => rounds.reduce((total, round) => total + of(round), 0)
  const cost = (of: (round: Round) => Measured) => sum((round) => of(round).cpuMs) / sum((round) => of(round).answered)
  const [before, after] = [middle(({ few }) => few.p50Ms), middle(({ many }) => many.p50Ms)]
  const [fewCost, manyCost] = [cost(({ few }) => few), cost(({ many }) => many)]
  const sessions = FEW.toLocaleString('en')
  const waits = `median wait ${after.toFixed(2)} ms, ${before.toFixed(2)} ms with ${sessions}`
  return {
    name: `${name}, p99 with ${MANY.toLocaleString('en')} sessions`,
    value: middle(({ many }) => many.p99Ms),
    unit: 'ms',
    against: `its ${canTellTime ? 'processor time' : 'median'} with ${sessions}`,
    ratio: canTellTime ? manyCost / fewCost : middle(({ few, many }) => many.p50Ms / few.p50Ms),
    bar,
    atMost: true,
    note: canTellTime ? `${manyCost.toFixed(2)} ms of processor time; ${waits}` : waits,
  }
}

/** How long the slowest wait, where that has a bar of its own. */
const longestOf = ({ name, p99Bar }: Kind, rounds: readonly Round[]): Row[] =>
  p99Bar
    ? [
        {
          name: `${name}, p99 alone`,
          value: median(rounds.map(({ many }) => many.p99Ms)),
          unit: 'ms',
          bar: p99Bar,
          atMost: true,
        },
      ]
    : []

/** A second account whose key sends few requests, while this one's key asks for lists and counts at the full rate. */
async function besideAnother({ stage, place: busy, lists }: Scene): Promise<Row[]> {
  const other = newPlace(stage, 'other')
  const ids = await ownSessions(stage, other)
  const requests = requestsFor(other, [
    ...ids.map((id) => `/session/${id}/status`),
    ...ids.map((id) => `/session/${id}`),
  ])
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
