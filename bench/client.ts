// The load: a process of its own that keeps some connections busy and reports how many answers came back.
import { connect } from 'node:net'

export type Job = {
  port: number
  connections: number
  seconds: number
  /** Whole requests, sent in turn. */
  requests: string[]
  /** For a chat: sessions to answer in, each by one connection at a time. Then `requests` is empty. */
  chats?: Chat[]
  /** Whether chats are sent when all is answered. */
  finishes?: boolean
}
export type Chat = { secret: string; version: number; question: string; value: unknown }
export type Report = { perSecond: number; p50Ms: number; p99Ms: number; refused: number; ended: number }

type Next = () => { bytes: string | Buffer; heard?: (body: string) => void } | null

function run(job: Job): Promise<Report> {
  const times: number[] = []
  let [refused, sent, ended] = [0, 0, 0]
  const startedAt = performance.now()
  const endsAt = startedAt + job.seconds * 1_000
  const requests = job.requests.map((text) => Buffer.from(text, 'latin1'))
  const chats = [...(job.chats ?? [])]

  const inTurn: Next = () => ({ bytes: requests[sent++ % requests.length] ?? '' })

  function keepBusy(next: Next): Promise<void> {
    return new Promise((done) => {
      const socket = connect(job.port, '127.0.0.1')
      socket.setNoDelay(true)
      let askedAt = 0
      let parts: Buffer = Buffer.alloc(0)
      let wanted = -1
      let heard: ((body: string) => void) | undefined
      const ask = () => {
        const one = performance.now() < endsAt ? next() : null
        if (!one) return void socket.end()
        heard = one.heard
        askedAt = performance.now()
        socket.write(one.bytes)
      }
      socket.on('connect', ask)
      socket.on('error', () => refused++) // a cut line is a failed request; closing comes next
      socket.on('close', () => done())
      socket.on('data', (chunk: Buffer) => {
        parts = parts.length === 0 ? chunk : Buffer.concat([parts, chunk])
        if (wanted < 0) {
          const end = parts.indexOf('\r\n\r\n')
          if (end < 0) return
          const head = parts.toString('latin1', 0, end)
          wanted = end + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
          if (head.charCodeAt(9) !== 50) refused++ // "HTTP/1.1 2.."
        }
        if (parts.length < wanted) return
        times.push(performance.now() - askedAt)
        heard?.(parts.toString('utf8', parts.indexOf('\r\n\r\n') + 4, wanted))
        parts = Buffer.alloc(0)
        wanted = -1
        ask()
      })
    })
  }

  function chatting(): Next {
    let chat = chats.pop()
    let isReviewed = false
    return () => {
      chat ??= chats.pop()
      if (!chat) return null
      const { secret, question, value, version } = chat
      const body = isReviewed ? { version } : { id: crypto.randomUUID(), question, value, version }
      const heard = (text: string) => {
        const { version, step } = JSON.parse(text)
        const asked = step?.question
        isReviewed = step?.kind === 'review' && job.finishes === true
        if (step?.kind === 'outcome') ended++
        if (asked) chat = { secret, version, question: asked.id, value: valueFor(asked) }
        else chat = isReviewed ? { ...EMPTY, secret, version } : undefined
      }
      return { bytes: post(isReviewed ? 'finish' : 'answers', secret, JSON.stringify(body)), heard }
    }
  }

  const all = Array.from({ length: job.connections }, () => keepBusy(job.chats ? chatting() : inTurn))
  return Promise.all(all).then(() => {
    times.sort((a, b) => a - b)
    const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
    const seconds = (performance.now() - startedAt) / 1_000
    return { perSecond: times.length / seconds, p50Ms: at(0.5), p99Ms: at(0.99), refused, ended }
  })
}

const EMPTY = { question: '', value: null }

const post = (path: string, secret: string, body: string): string =>
  `POST /api/triage/v1/session/${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

type Question = { id: string; kind: string; options?: { id: string }[]; min?: number; units?: { id: string }[] }

/** An unremarkable answer of the kind that is asked for. */
export function valueFor({ kind, options = [], min = 0, units = [] }: Question): unknown {
  switch (kind) {
    case 'yesno':
      return false
    case 'text':
      return 'A cough since Monday'
    case 'number':
    case 'scale':
      return Math.max(min, 40)
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
