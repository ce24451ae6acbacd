import { newAuthority } from '../test/world/certificates.ts'
import { Patient } from '../test/world/patient.ts'
import { startReceiver } from '../test/world/receiver.ts'
import { INTAKE, WELL } from '../test/world/sore-throat.ts'
import { entered } from './chats.ts'
import { canTellTime, type Megabytes, mostMegabytes, type Spent, since, spentBy } from './processor-time.ts'
import { type LeaveOut, median, type Row } from './rows.ts'
import { type Stage, setStage } from './stage.ts'

/** A process goes on compiling what it runs often for some ten thousand answers; one that serves a clinic is past that within a day. */
const WARM_UP_INTERVIEWS = 2_000
const INTERVIEWS = 400
const AT_ONCE = 8
const ROUNDS = 7
/** As many are not counted, so that a process is warm here too. */
const WARM_UP_ROUNDS = 5
const CHATS_PER_ROUND = 200
/** To each process. */
const CONNECTIONS = 32
/** As many requests as two processes get before their memory is read. 600,000 take under four minutes on two cores; the promise is about a million. */
const REQUESTS = Number(process.env.FYR_REQUESTS ?? 600_000)
const SLICE_SECONDS = 10
const LONGEST_SECONDS = 300

/** What is paid for one interview in processor time, for an answer with one process and with two, and in memory for very many requests. */
export async function rows(leaveOut: LeaveOut): Promise<Row[]> {
  if (!canTellTime) {
    leaveOut('the processor time of other processes is read from /proc, which only Linux has.')
    return []
  }
  return [...(await wholeInterviews()), ...(await oneAndTwoProcesses()), ...(await memory())]
}

/** Created over the interface, answered by a woman with a sore throat, ended, told by webhook, and read as a summary. */
async function wholeInterviews(): Promise<Row[]> {
  const authority = newAuthority()
  const receiver = await startReceiver(authority.issue(['localhost']))
  const environment = { WEBHOOK_ALLOW_LOOPBACK: 'true', WEBHOOK_CA_FILE: authority.caFile }
  const stage = await setStage(environment)
  try {
    stage.fyr('webhook', 'set', '--configuration', 'demo', '--url', `https://localhost:${receiver.port}/cost`)
    const told = new Map<string, () => void>()
    receiver.onArrival(({ body }) => told.get(JSON.parse(body).sessionId)?.())
    const hear = (sessionId: string) => new Promise<void>((done) => told.set(sessionId, done))
    const some = (count: number) => inLanes(count, AT_ONCE, () => interviewed(stage, hear))
    await some(WARM_UP_INTERVIEWS)
    const before = spentBy(stage.servicePid)
    const screens = await some(INTERVIEWS)
    const spent = since(before, spentBy(stage.servicePid))
    const mean = screens.reduce((sum, one) => sum + one, 0) / INTERVIEWS
    return [
      {
        name: 'processor time of one whole interview, in the service',
        value: spent.service / INTERVIEWS,
        unit: 'ms',
        bar: 8,
        atMost: true,
        note: `create, enter, ${mean.toFixed(0)} screens, end, webhook, summary; ${INTERVIEWS} interviews, ${AT_ONCE} at once`,
      },
      { name: 'the same in the database', value: spent.database / INTERVIEWS, unit: 'ms' },
    ]
  } finally {
    await stage.strike()
    await receiver.stop()
  }
}

/** Returns the number of screens that were answered. */
async function interviewed({ port, key }: Stage, hear: (sessionId: string) => Promise<void>): Promise<number> {
  const url = `http://127.0.0.1:${port}`
  const headers = { 'x-service-api-key': key, 'content-type': 'application/json' }
  const body = '{"text":"My throat hurts","patient":{"age":30,"sex":"Female"}}'
  const reply = await fetch(`${url}/api/v1/session`, { method: 'POST', headers, body })
  const created: { sessionId: string; url: string } = await reply.json()
  const heard = hear(created.sessionId)
  const patient = new Patient(url)
  await patient.enter(created.url, { credential: 'bearer' })
  const screens = await patient.answerThrough({ ...INTAKE, ...WELL })
  await patient.finish()
  if (patient.now.step.kind !== 'outcome') throw new Error('An interview did not end.')
  await heard
  const summary = await fetch(`${url}/api/v1/session/${created.sessionId}/summary`, { headers })
  if (!summary.ok) throw new Error(`A summary was answered ${summary.status}.`)
  await summary.arrayBuffer()
  return screens
}

/** Runs work `count` times, so many in parallel, and returns what each gave. */
async function inLanes<T>(count: number, lanes: number, work: () => Promise<T>): Promise<T[]> {
  const results: T[] = []
  let left = count
  const lane = async () => {
    while (left-- > 0) results.push(await work())
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return results
}

/**
 * The same answers by one process, by two, and by two services of one process each, all equally busy and in turn: what a
 * second process costs beyond its share of the work, and how much of that is this machine's, which no program could avoid.
 */
async function oneAndTwoProcesses(): Promise<Row[]> {
  const stages: Stage[] = []
  try {
    for (const processes of ['1', '1', '2']) stages.push(await setStage({ PROCESSES: processes }))
    const [one, other, two] = stages as [Stage, Stage, Stage]
    const rounds: { one: Spent; apart: Spent; two: Spent }[] = []
    for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
      const spent = {
        one: await perAnswer([one], CONNECTIONS),
        apart: await perAnswer([one, other], CONNECTIONS),
        two: await perAnswer([two], 2 * CONNECTIONS),
      }
      if (round >= WARM_UP_ROUNDS) rounds.push(spent)
    }
    const middle = (of: (round: (typeof rounds)[number]) => number) => median(rounds.map(of))
    const whole = ({ service, database }: Spent) => service + database
    const services = middle(({ one, two }) => two.service / one.service)
    return [
      {
        name: 'processor time of an answer with one process',
        value: middle(({ one }) => whole(one)),
        unit: 'ms',
        note: `the service ${middle(({ one }) => one.service).toFixed(2)}, the database ${middle(({ one }) => one.database).toFixed(2)}`,
      },
      {
        name: 'the same with two',
        value: middle(({ two }) => whole(two)),
        unit: 'ms',
        against: 'with one',
        ratio: middle(({ one, two }) => whole(two) / whole(one)),
        bar: 1.1,
        atMost: true,
        note: `the service alone ${services.toFixed(2)} ×; ${CONNECTIONS} connections to each process`,
      },
      {
        name: 'the same with two services of one process each, both at once',
        value: middle(({ apart }) => whole(apart)),
        unit: 'ms',
        against: 'with one',
        ratio: middle(({ one, apart }) => whole(apart) / whole(one)),
        note: 'what is left is this machine: nothing is shared but its cores',
      },
    ]
  } finally {
    for (const stage of stages) await stage.strike()
  }
}

/** Interviews are answered to their last screen, and only that is counted; of several services together, each with so many connections. */
async function perAnswer(stages: readonly Stage[], connections: number): Promise<Spent> {
  const loads = []
  for (const stage of stages) loads.push({ stage, chats: await entered(stage, CHATS_PER_ROUND) })
  const before = stages.map(({ servicePid }) => spentBy(servicePid))
  const reports = await Promise.all(
    loads.map(({ stage, chats }) =>
      stage.load({ port: stage.port, connections, seconds: LONGEST_SECONDS, chats, requests: [] }),
    ),
  )
  const answered = reports.reduce((sum, report) => sum + report.answered, 0)
  const spent = stages.map(({ servicePid }, at) => since(before[at] as Spent, spentBy(servicePid)))
  const each = (of: (one: Spent) => number) => spent.reduce((sum, one) => sum + of(one), 0) / answered
  return { service: each(({ service }) => service), database: each(({ database }) => database) }
}

const load = ({ port }: Stage) => ({ port, connections: CONNECTIONS })

/** Very many cheap requests with answers among them, to two processes; the memory is read in the middle and at the end. */
async function memory(): Promise<Row[]> {
  const stage = await setStage({ PROCESSES: '2' })
  try {
    const ids = await createdSessions(stage)
    const requests = ids.flatMap((id) =>
      ['/status', ''].map(
        (rest) => `GET /api/v1/session/${id}${rest} HTTP/1.1\r\nHost: x\r\nX-Service-API-Key: ${stage.key}\r\n\r\n`,
      ),
    )
    const read: { answered: number; megabytes: Megabytes }[] = []
    const begunMs = performance.now()
    for (let answered = 0; answered < REQUESTS; ) {
      const chats = await entered(stage, CHATS_PER_ROUND)
      answered += (await stage.load({ ...load(stage), seconds: LONGEST_SECONDS, chats, requests: [] })).answered
      answered += (await stage.load({ ...load(stage), seconds: SLICE_SECONDS, requests })).answered
      read.push({ answered, megabytes: mostMegabytes(stage.servicePid) })
    }
    const seconds = (performance.now() - begunMs) / 1_000
    const half = read.find(({ answered }) => answered >= REQUESTS / 2)?.megabytes.whole ?? 0
    const last = read.at(-1)?.megabytes ?? { whole: 0, own: 0 }
    return [
      {
        name: `memory of a process, the larger of two, after ${REQUESTS.toLocaleString('en')} requests`,
        value: last.whole,
        unit: 'MB',
        bar: 250,
        atMost: true,
        note: `${last.own.toFixed(0)} MB of it its own, the program is there once for all; ${half.toFixed(0)} MB after half of them; status, info and answers, in ${seconds.toFixed(0)} s`,
      },
    ]
  } finally {
    await stage.strike()
  }
}

async function createdSessions({ port, key }: Stage): Promise<string[]> {
  const headers = { 'x-service-api-key': key, 'content-type': 'application/json' }
  return inLanes(200, AT_ONCE, async () => {
    const reply = await fetch(`http://127.0.0.1:${port}/api/v1/session`, { method: 'POST', headers, body: '{}' })
    const { sessionId }: { sessionId: string } = await reply.json()
    return sessionId
  })
}
