import { entered } from './chats.ts'
import type { Chat, Report } from './client.ts'
import type { Row } from './rows.ts'
import { type Stage, setStage } from './stage.ts'

const WARM_UP_SECONDS = 8
const SECONDS = 20
const PATIENTS = 20
/** Ten times the concurrent requests of a busy service; each client asks again as soon as it is answered or refused. */
const STRANGERS = 2_000
const CHATS_PER_SECOND = 150
const RECOVERY_SECONDS = 10

/** F12: heavy overload. Patients who are answering continue, the rest is told to come back, and afterwards all is as before. */
export async function rows(): Promise<Row[]> {
  const stage = await setStage()
  try {
    const [first, then] = [
      await entered(stage, CHATS_PER_SECOND * WARM_UP_SECONDS),
      await entered(stage, CHATS_PER_SECOND * SECONDS),
    ]
    const before = await answers(stage, first, WARM_UP_SECONDS)
    const flood = { ...job(stage), connections: STRANGERS, seconds: SECONDS, requests: [creation(stage)] }
    const [strangers, during] = await Promise.all([stage.loadBeside(flood), answers(stage, then, SECONDS)])
    const after = await answers(stage, await entered(stage, CHATS_PER_SECOND * RECOVERY_SECONDS), RECOVERY_SECONDS)
    return report(before, during, strangers, after)
  } finally {
    await stage.strike()
  }
}

const job = ({ port }: Stage) => ({ port, connections: PATIENTS, requests: [] })

const answers = (stage: Stage, chats: Chat[], seconds: number): Promise<Report> =>
  stage.load({ ...job(stage), seconds, chats })

function creation({ key }: Stage): string {
  const body = '{"text":"A cough since Monday"}'
  const head = `Host: x\r\nX-Service-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`
  return `POST /api/v1/session HTTP/1.1\r\n${head}\r\n\r\n${body}`
}

function report(before: Report, during: Report, strangers: Report, after: Report): Row[] {
  const p99 = (one: Report) => `p99 ${one.p99Ms.toFixed(0)} ms`
  return [
    { name: 'answers before', value: before.perSecond, unit: 'requests/s', note: p99(before) },
    {
      name: `answers while ${STRANGERS} others ask at once: refused`,
      value: during.refused,
      unit: 'requests',
      bar: 0,
      atMost: true,
    },
    {
      name: 'their p99',
      value: during.p99Ms,
      unit: 'ms',
      bar: 1_000,
      atMost: true,
      note: `${during.perSecond.toFixed(0)} /s`,
    },
    {
      name: 'the others: accepted',
      value: strangers.perSecond,
      unit: 'requests/s',
      note: `${strangers.refused} refused; ${p99(strangers)} with the wait for a connection: one is taken each turn`,
    },
    {
      name: `answers in the ${RECOVERY_SECONDS} s after`,
      value: after.perSecond,
      unit: 'requests/s',
      against: 'before',
      ratio: after.perSecond / before.perSecond,
      bar: 0.8,
      note: p99(after),
    },
  ]
}
