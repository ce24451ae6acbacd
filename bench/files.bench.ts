import { randomUUID } from 'node:crypto'
import { BAD_FILES } from '../test/world/bad-files.ts'
import { entered } from './chats.ts'
import type { Chat, Report } from './client.ts'
import type { Row } from './rows.ts'
import { type Stage, setStage } from './stage.ts'

const SECONDS = 20
const BAR_MS = 100
const SENDERS = 3
const RESTS = { connections: 4, restMs: 20 }

/** A55: while slow files are checked one after another, health checks and answers are served as usual. */
export async function rows(): Promise<Row[]> {
  const files = await Promise.all(BAD_FILES.map(async ({ name, make }) => ({ name, bytes: await make() })))
  const stage = await setStage()
  try {
    await measured(stage, 3)
    const before = await measured(stage, 5)
    const senders = await entered(stage, files.length * 10)
    let [isOver, tried, longestMs] = [false, 0, 0]
    const sending = Array.from({ length: SENDERS }, async () => {
      while (!isOver) {
        const [file, sender] = [files[tried++ % files.length], senders.pop()]
        if (!file || !sender) return
        const startedAt = performance.now()
        await sent(stage, sender, file.bytes)
        longestMs = Math.max(longestMs, performance.now() - startedAt)
      }
    })
    const during = await measured(stage, SECONDS)
    isOver = true
    await Promise.all(sending)
    return report(before, during, tried, longestMs)
  } finally {
    await stage.strike()
  }
}

type Both = { health: Report; answers: Report }

async function measured(stage: Stage, seconds: number): Promise<Both> {
  const job = { ...RESTS, port: stage.port, seconds, requests: [] }
  const chats = await entered(stage, 50 + seconds * 10)
  const [health, answers] = await Promise.all([
    stage.loadBeside({ ...job, requests: ['GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'] }),
    stage.load({ ...job, chats }),
  ])
  return { health, answers }
}

/** Uploads a file in one request. Any response is fine except none or a 500. */
async function sent({ port }: Stage, { secret }: Chat, bytes: Buffer): Promise<void> {
  const files = `http://127.0.0.1:${port}/api/triage/v1/session/files`
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
  const id = randomUUID()
  const body = JSON.stringify({ id, name: 'a.pdf', size: bytes.length })
  await (await fetch(files, { method: 'POST', headers, body })).arrayBuffer()
  const reply = await fetch(`${files}/${id}`, {
    method: 'PATCH',
    headers: { ...headers, 'content-type': 'application/octet-stream', 'upload-offset': '0' },
    body: new Uint8Array(bytes),
  })
  await reply.arrayBuffer()
  if (![200, 400, 503].includes(reply.status)) throw new Error(`A bad file was answered ${reply.status}.`)
}

function report(before: Both, during: Both, tried: number, longestMs: number): Row[] {
  const row = (name: string, one: Report, normal: Report): Row => ({
    name: `${name} while they are checked, p99`,
    value: one.p99Ms,
    unit: 'ms',
    bar: BAR_MS,
    atMost: true,
    note: `longest ${one.maxMs.toFixed(0)} ms, ${one.refused} refused; without them p99 ${normal.p99Ms.toFixed(0)} ms`,
  })
  return [
    { name: 'bad files tried', value: tried, unit: 'files', note: `${BAD_FILES.length} kinds, ${SENDERS} at once` },
    { name: 'the longest until one was answered', value: longestMs, unit: 'ms', note: 'sending and waiting included' },
    row('healthz', during.health, before.health),
    row('an answer', during.answers, before.answers),
  ]
}
