import type { Language } from '../../../src/engine/content.ts'
import type { PictureBody, SignOfLifeBody } from '../../../src/http/decision-support/schemas.ts'
import { Away, type Connection, Refused } from './connection.ts'
import { forgetVisit } from './visit.ts'

const ONGOING_MS = 3_000
const QUIET_MS = 30_000
const RETRY_MS = 4_000
/** After this long without a sign of life the visit is over, whether we hear of it or not. */
const LONGEST_SILENCE_MS = 5 * 60_000

/** What the page may be showing. */
export type Sight =
  | { kind: 'opening' }
  | { kind: 'refused'; why: 'expired' | 'missing' | 'none' }
  | { kind: 'away' }
  | { kind: 'ended'; by: 'clinician' | 'time' }
  | { kind: 'showing'; picture: PictureBody; isStale: boolean; isUpdated: boolean }

/** Follows one visit: keeps it alive, and reads the picture again when there is something new. */
export class Watch {
  readonly connection: Connection
  readonly #show: (sight: Sight) => void
  #language: Language
  #picture: PictureBody | null = null
  #ongoing = true
  #timer: ReturnType<typeof setTimeout> | null = null
  #lastSign = Date.now()
  #isOver = false

  constructor(connection: Connection, language: Language, show: (sight: Sight) => void) {
    this.connection = connection
    this.#language = language
    this.#show = show
    document.addEventListener('visibilitychange', this.#look)
  }

  /** The first look; a visit that is over says so. */
  start(): Promise<void> {
    return this.#beat()
  }

  async speak(language: Language): Promise<void> {
    this.#language = language
    await this.#during(() => this.#read())
  }

  /** Shows at once what the page itself has changed. */
  async refresh(): Promise<void> {
    await this.#during(() => this.#read())
  }

  async close(): Promise<void> {
    const { connection } = this
    this.end('clinician')
    await connection.post('/close', { embedded: connection.embedded }, true).catch(() => {})
  }

  /** Nothing of the patient stays on the page. */
  end(by: 'clinician' | 'time'): void {
    this.#isOver = true
    if (this.#timer) clearTimeout(this.#timer)
    document.removeEventListener('visibilitychange', this.#look)
    this.#picture = null
    forgetVisit()
    this.#show({ kind: 'ended', by })
  }

  readonly #look = (): void => {
    if (!document.hidden) void this.#beat()
  }

  async #beat(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer)
    const wait = await this.#during(async () => {
      const reply = await this.connection.post('/alive', { embedded: this.connection.embedded })
      const { version, ongoing }: SignOfLifeBody = await reply.json()
      this.#lastSign = Date.now()
      this.#ongoing = ongoing
      // A hidden page does not read: each read is audited.
      if (this.#picture?.version !== version && (!document.hidden || !this.#picture)) await this.#read()
      else if (this.#picture) this.#show({ kind: 'showing', picture: this.#picture, isStale: false, isUpdated: false })
    })
    if (this.#isOver) return
    if (this.#timer) clearTimeout(this.#timer)
    const next = this.#ongoing && !document.hidden ? ONGOING_MS : QUIET_MS
    this.#timer = setTimeout(() => void this.#beat(), wait ?? next)
  }

  async #read(): Promise<void> {
    const wasThere = this.#picture !== null && this.#picture.language === this.#language
    const picture = await this.connection.read<PictureBody>(`/picture?language=${this.#language}`)
    if (this.#isOver) return
    this.#picture = picture
    this.#show({ kind: 'showing', picture, isStale: false, isUpdated: wasThere })
  }

  /** Calls the service; returns how long to wait when that failed. */
  async #during(work: () => Promise<void>): Promise<number | null> {
    try {
      await work()
      return null
    } catch (error) {
      if (this.#isOver) return null
      if (error instanceof Refused && error.status === 401) {
        this.end('time')
        return null
      }
      if (!(error instanceof Refused || error instanceof Away)) throw error
      if (Date.now() - this.#lastSign > LONGEST_SILENCE_MS) this.end('time')
      else if (this.#picture) this.#show({ kind: 'showing', picture: this.#picture, isStale: true, isUpdated: false })
      else this.#show({ kind: 'away' })
      return error instanceof Refused ? Math.max(RETRY_MS, error.retrySeconds * 1_000) : RETRY_MS
    }
  }
}
