import { randomUUID } from 'node:crypto'
import type { FollowUp, Value } from '../../src/engine/content.ts'
import { answerScreen } from '../../src/engine/screens.ts'

type AskedView = {
  id: string
  kind: string
  text: string
  options?: { id: string; label: string }[]
  given?: Value
  followUp?: FollowUp
  proposal?: { from: string; answer: string; words?: string }
}

/** The parts of the triage API's answers that the journeys look at. */
export type View = {
  sessionId: string
  status: string
  version: number
  language: string
  step:
    | {
        kind: 'ask'
        stage: string
        screen: string | null
        title: string | null
        note: string | null
        questions: AskedView[]
        progress: { answered: number; left: number }
      }
    | { kind: 'review' }
    | {
        kind: 'outcome'
        outcome: {
          level: string | null
          flag: string | null
          title: string
          because: string[]
          reasons: string[]
          say: string | null
          firstActions: string[]
          next: string[]
          advice: string[]
          safetyNet: string[]
          complete: boolean
        }
      }
  alarm: null | {
    level: string
    title: string
    callNumber: string
    because: string[]
    reasons: string[]
    say: string | null
    firstActions: string[]
  }
  warning: null | { level: string }
  ledger: {
    question: string
    kind: string
    stage: string
    label: string
    answer: string
    value: Value
    signs?: { question: string; text: string; value: boolean | null }[]
  }[]
  dropped: string[]
  files: { id: string; name: string; mimeType: string | null; size: number; received: number; ready: boolean }[]
}

export type Reply = {
  status: number
  body: Record<string, unknown> & { session?: View; current?: View; type?: string }
  headers: Headers
}

/** A harmless answer to anything that a story does not cover and that was not given before. */
const HARMLESS: Record<string, Value> = {
  for_whom: 'self',
  age: 34,
  sex: 'female',
  issue_type: 'regular',
  matter: null,
  fever: 'no',
  onset: 'days',
  course: 'same',
  daily_life: 'normal',
  pregnancy: 'no',
  fluid_intake: 'normal',
  last_urine: 'under-8h',
  smoking: 'no',
  pain_severity: 2,
}

/** The first screen, answered by someone for themselves. */
export const ABOUT: readonly { question: string; value: Value }[] = [
  { question: 'for_whom', value: 'self' },
  { question: 'age', value: 34 },
  { question: 'sex', value: 'female' },
]

/** A user of the triage UI who calls the API like an app: by cookie or by bearer, on any of the nodes. */
export class Patient {
  readonly #urls: readonly string[]
  readonly #rows = new Map<string, string>()
  cookie: string | null = null
  bearer: string | null = null
  view: View | null = null
  /** Sends every request twice, like an app that lost the first answer. */
  sendsTwice = false
  /** Gives a request up after so long, as apps and proxies do; null: never. */
  patienceMs: number | null = null

  constructor(urls: string | readonly string[]) {
    this.#urls = typeof urls === 'string' ? [urls] : urls
  }

  get now(): View {
    if (!this.view) throw new Error('The patient has not entered.')
    return this.view
  }

  /** The question that is asked now, the first of its screen. */
  get asked(): string {
    const { step } = this.now
    return step.kind === 'ask' ? (step.questions[0]?.id ?? '') : `(${step.kind})`
  }

  /** Everything on the screen that is asked now. */
  get screen(): string[] {
    const { step } = this.now
    return step.kind === 'ask' ? step.questions.map(({ id }) => id) : []
  }

  /** A sign as its row said it when it was asked. */
  rowOf(sign: string): string {
    return this.#rows.get(sign) ?? `(${sign} was not asked)`
  }

  /** A question that is asked now, as the app sees it. */
  question(id: string): AskedView | undefined {
    const { step } = this.now
    return step.kind === 'ask' ? step.questions.find((question) => question.id === id) : undefined
  }

  async call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply> {
    const send = async (): Promise<Reply> => {
      const url = this.#urls[Math.floor(Math.random() * this.#urls.length)]
      const isBytes = body instanceof Uint8Array
      const reply = await fetch(`${url}/api/triage/v1${path}`, {
        method,
        headers: {
          ...(body !== undefined && { 'content-type': isBytes ? 'application/octet-stream' : 'application/json' }),
          ...(this.bearer && { authorization: `Bearer ${this.bearer}` }),
          ...(this.cookie && { cookie: this.cookie }),
          'sec-fetch-site': 'same-origin',
          ...headers,
        },
        ...(body !== undefined && { body: isBytes ? Buffer.from(body) : JSON.stringify(body) }),
        ...(this.patienceMs !== null && { signal: AbortSignal.timeout(this.patienceMs) }),
      })
      const set = reply.headers.getSetCookie().find((line) => /fyr-user=/.test(line))
      if (set) this.cookie = /fyr-user=;/.test(set) ? null : (set.split(';')[0] ?? null)
      const text = await reply.text()
      return { status: reply.status, body: text ? JSON.parse(text) : {}, headers: reply.headers }
    }
    if (this.sendsTwice && method !== 'GET' && this.view) await send()
    return send()
  }

  #adopt(reply: Reply): Reply {
    const view = (reply.body.session ?? (reply.status === 200 && 'step' in reply.body ? reply.body : undefined)) as
      | View
      | undefined
    if (view) this.view = view
    if (view?.step.kind === 'ask') for (const { id, text } of view.step.questions) this.#rows.set(id, text)
    return reply
  }

  async enterOpen(slug: string, body: Record<string, unknown> = {}): Promise<Reply> {
    const reply = this.#adopt(await this.call('POST', `/configurations/${slug}/sessions`, body))
    if (typeof reply.body.secret === 'string') this.bearer = reply.body.secret
    return reply
  }

  async enter(url: string, body: Record<string, unknown> = {}): Promise<Reply> {
    const secret = url.split('#')[1] ?? ''
    const reply = this.#adopt(await this.call('POST', '/enter', { secret, ...body }))
    if (typeof reply.body.secret === 'string') this.bearer = reply.body.secret
    return reply
  }

  async look(): Promise<Reply> {
    return this.#adopt(await this.call('GET', '/session'))
  }

  /** Answers one question; where it shares a screen, the rest of the screen is answered harmlessly. */
  answer(question: string, value: Value, how: How = {}): Promise<Reply> {
    const { step } = this.now
    const isAsked = step.kind === 'ask' && step.questions.some(({ id }) => id === question)
    return this.give(isAsked ? screenAnswers(step.questions, { [question]: value }) : [{ question, value }], how)
  }

  /** Sends just these answers. */
  async give(answers: readonly { question: string; value: Value }[], how: How = {}): Promise<Reply> {
    const { id = randomUUID(), version = this.now.version } = how
    return this.#adopt(await this.call('POST', '/session/answers', { id, answers, version }))
  }

  async back(): Promise<Reply> {
    return this.#adopt(await this.call('POST', '/session/back', { id: randomUUID(), version: this.now.version }))
  }

  async finish(): Promise<Reply> {
    return this.#adopt(await this.call('POST', '/session/finish', { version: this.now.version }))
  }

  async stop(): Promise<Reply> {
    return this.#adopt(await this.call('POST', '/session/stop', { version: this.now.version }))
  }

  /**
   * Answers until `until` is asked or nothing is: from the story where it has an answer, else harmlessly. Returns the
   * number of screens.
   */
  async answerThrough(story: Record<string, Value>, until?: (asked: string, view: View) => boolean): Promise<number> {
    for (let count = 0; count < 60; count++) {
      const { step } = this.now
      if (step.kind !== 'ask' || step.questions.some((question) => until?.(question.id, this.now))) return count
      const reply = await this.give(screenAnswers(step.questions, story))
      if (reply.status !== 200)
        throw new Error(`${this.asked}: ${reply.status} ${JSON.stringify(reply.body).slice(0, 300)}`)
    }
    throw new Error('The interview did not end.')
  }
}

type How = { id?: string; version?: number }

/** Answers to a whole screen, follow-ups where they are called for. */
export function screenAnswers(
  screen: readonly AskedView[],
  story: Record<string, Value>,
): { question: string; value: Value }[] {
  return answerScreen(screen, (question) => valueFor(question, screen, story))
}

function valueFor(question: AskedView, screen: readonly AskedView[], story: Record<string, Value>): Value {
  const told = story[question.id] ?? (question.id in story ? null : undefined)
  if (told !== undefined) return told
  if (question.given !== undefined) return question.given
  if (question.id in HARMLESS) return HARMLESS[question.id] ?? null
  if (question.kind === 'complaints') return ['general']
  if (question.kind === 'yesno' || question.kind === 'sign') return false
  if (question.kind === 'many') return leadingTo(question, screen, story)
  if (question.kind === 'one' && question.options?.some(({ id }) => id === 'no')) return 'no'
  return null
}

/** The options of a question that lead to what the story tells; none where it tells nothing. */
function leadingTo({ id }: AskedView, screen: readonly AskedView[], story: Record<string, Value>): string[] {
  const isTold = (value: Value | undefined) => value !== undefined && !(Array.isArray(value) && value.includes('none'))
  const options = screen.flatMap((next) =>
    next.followUp?.of === id && isTold(story[next.id]) ? (next.followUp.options ?? []) : [],
  )
  return options.length > 0 ? options : ['none']
}
