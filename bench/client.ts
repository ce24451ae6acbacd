// The load generator: a separate process that keeps some connections busy and reports how many requests were answered.
import { connect, type Socket } from 'node:net'
import type { FollowUp, Value } from '../src/engine/content.ts'
import { answerScreen } from '../src/engine/screens.ts'

export type Job = {
  port: number
  connections: number
  seconds: number
  /** Whole requests, sent in turn. */
  requests: string[]
  /** Pause between requests on each connection; none when absent. */
  restMs?: number
  /** For chats: the sessions to answer, each by one connection at a time. `requests` is then empty. */
  chats?: Chat[]
  /** Whether to send each chat once everything is answered. */
  finishes?: boolean
}
export type Chat = { secret: string; version: number; answers: { question: string; value: unknown }[] }
/** Rates and times are of accepted requests, timed from when they were made, connecting included. */
export type Report = {
  perSecond: number
  answered: number
  p50Ms: number
  p99Ms: number
  maxMs: number
  refused: number
  ended: number
}

type Next = () => { bytes: string | Buffer; heard?: (body: string) => void } | null

function run(job: Job): Promise<Report> {
  const times: number[] = []
  let [refused, sent, ended] = [0, 0, 0]
  const startedAt = performance.now()
  const endsAt = startedAt + job.seconds * 1_000
  const requests = job.requests.map((text) => Buffer.from(text, 'latin1'))
  const chats = [...(job.chats ?? [])]

  const inTurn: Next = () => ({ bytes: requests[sent++ % requests.length] ?? '' })

  /** Sends one request after another; opens a new connection when the service closes the old one after an answer. */
  function keepBusy(next: Next): Promise<void> {
    return new Promise((done) => {
      let askedAt = 0
      const ask = (socket: Socket): void => {
        const one = performance.now() < endsAt ? next() : null
        if (!one) {
          socket.off('close', again)
          socket.on('close', () => done())
          return void socket.end()
        }
        askedAt = askedAt || performance.now()
        listen(socket, one.heard)
        socket.write(one.bytes)
      }
      const listen = (socket: Socket, heard?: (body: string) => void): void => {
        let parts: Buffer = Buffer.alloc(0)
        socket.removeAllListeners('data')
        socket.on('data', (chunk: Buffer) => {
          parts = parts.length === 0 ? chunk : Buffer.concat([parts, chunk])
          const end = parts.indexOf('\r\n\r\n')
          if (end < 0) return
          const head = parts.toString('latin1', 0, end)
          const wanted = end + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
          if (parts.length < wanted) return
          if (head.charCodeAt(9) !== 50)
            refused++ // "HTTP/1.1 2.."
          else times.push(performance.now() - askedAt)
          askedAt = 0
          heard?.(parts.toString('utf8', end + 4, wanted))
          if (/^connection: close/im.test(head)) return
          if (job.restMs) setTimeout(() => ask(socket), job.restMs)
          else ask(socket)
        })
      }
      const again = (): void => {
        if (performance.now() >= endsAt) return void done()
        askedAt = performance.now()
        const socket = connect(job.port, '127.0.0.1')
        socket.setNoDelay(true)
        socket.on('connect', () => ask(socket))
        socket.on('error', () => refused++) // a dropped connection is a failed request; `close` follows
        socket.on('close', again)
      }
      again()
    })
  }

  function chatting(): Next {
    let chat = chats.pop()
    let isReviewed = false
    return () => {
      chat ??= chats.pop()
      if (!chat) return null
      const { secret, answers, version } = chat
      const body = isReviewed ? { version } : { id: crypto.randomUUID(), answers, version }
      const heard = (text: string) => {
        const { version, step } = JSON.parse(text)
        const asked = step?.questions
        isReviewed = step?.kind === 'review' && job.finishes === true
        if (step?.kind === 'outcome') ended++
        if (asked) chat = { secret, version, answers: answersTo(asked) }
        else chat = isReviewed ? { secret, version, answers: [] } : undefined
      }
      return { bytes: post(isReviewed ? 'finish' : 'answers', secret, JSON.stringify(body)), heard }
    }
  }

  const all = Array.from({ length: job.connections }, () => keepBusy(job.chats ? chatting() : inTurn))
  return Promise.all(all).then(() => {
    times.sort((a, b) => a - b)
    const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
    const seconds = (performance.now() - startedAt) / 1_000
    const answered = times.length
    return { perSecond: answered / seconds, answered, p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1), refused, ended }
  })
}

const post = (path: string, secret: string, body: string): string =>
  `POST /api/triage/v1/session/${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

type Question = {
  id: string
  followUp?: FollowUp
  kind: string
  options?: { id: string }[]
  min?: number
  units?: { id: string }[]
}

/** Unremarkable answers to a whole screen. */
export const answersTo = (screen: readonly Question[]) =>
  answerScreen(screen, (question) => valueFor(question) as Value)

/** An unremarkable answer of the question's kind. */
function valueFor({ kind, options = [], min = 0, units = [] }: Question): unknown {
  switch (kind) {
    case 'sign':
    case 'yesno':
      return false
    case 'text':
      return 'A cough since Monday'
    case 'number':
      return Math.max(min, 40)
    case 'scale':
      return 2
    case 'duration':
      return { amount: 2, unit: units[0]?.id ?? 'days' }
    case 'date':
      return '2026-01-01'
    case 'photo':
      return []
    case 'many':
      return options.some(({ id }) => id === 'none') ? ['none'] : [options[0]?.id]
    case 'complaints':
      return [options.find(({ id }) => id === 'cough')?.id ?? options[0]?.id]
    default:
      return options[0]?.id
  }
}

process.on('message', async (job: Job) => {
  process.send?.(await run(job))
})
