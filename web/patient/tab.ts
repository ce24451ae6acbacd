import type { Given } from './api.ts'
import type { Told } from './uncounted.ts'

/** What this tab remembers until it is closed: only what is needed to continue after a reload. */
type Kept = {
  /** The secret of a link before it was used. */
  secret?: string
  /** The session this tab is in, so that a reload leads back to it. */
  session?: string
  /** The id under which this tab enters, so that a retry after a lost reply leads into the same session. */
  entry?: string
  /** In frames without cookies: the credential. */
  bearer?: string
  /** An answer that was given but not yet acknowledged. */
  unsent?: Unsent
  /** Own words that are being written, by question: a reload does not lose them. */
  drafts?: { session: string; texts: Readonly<Record<string, string>> }
}

export type Unsent = {
  session: string
  id: string
  answers: readonly Given[]
  version: number
  /** The same in words, to name what is refused. */
  told: readonly Told[]
}

/** A tab before it has entered a session. */
export const NOTHING_YET = { session: undefined, bearer: undefined, unsent: undefined, drafts: undefined }

const KEY = 'fyr'

/** A tab's memory; where the browser forbids storage, it lasts as long as the page. */
export class Tab {
  #kept: Kept

  constructor() {
    this.#kept = read()
  }

  get kept(): Readonly<Kept> {
    return this.#kept
  }

  keep(change: { [Name in keyof Kept]?: Kept[Name] | undefined }): void {
    const next: Record<string, unknown> = { ...this.#kept, ...change }
    for (const name of Object.keys(next)) if (next[name] === undefined) delete next[name]
    this.#kept = next
    try {
      sessionStorage.setItem(KEY, JSON.stringify(next))
    } catch {
      // Not allowed here: the page keeps it in memory.
    }
  }

  /** Own words of this session that were not sent when the page was left. */
  draft(session: string | null, question: string): string | undefined {
    const { drafts } = this.#kept
    return drafts?.session === session ? drafts?.texts[question] : undefined
  }

  /** Keeps own words while they are written; the answer or signing out removes them. */
  keepDraft(session: string | null, question: string, text: string | undefined): void {
    const { drafts } = this.#kept
    const { [question]: before, ...others } = (drafts?.session === session && drafts?.texts) || {}
    if (!session || before === text) return
    const texts = text === undefined ? others : { ...others, [question]: text }
    this.keep({ drafts: Object.keys(texts).length > 0 ? { session, texts } : undefined })
  }

  clear(): void {
    this.#kept = {}
    try {
      sessionStorage.removeItem(KEY)
    } catch {
      // Nothing was kept.
    }
  }
}

function read(): Kept {
  try {
    const kept: Kept | null = JSON.parse(sessionStorage.getItem(KEY) ?? '{}')
    if (typeof kept !== 'object' || kept === null) return {}
    // The page of an earlier version kept an answer without its words: it is sent, and cannot be named.
    return kept.unsent ? { ...kept, unsent: { ...kept.unsent, told: kept.unsent.told ?? [] } } : kept
  } catch {
    return {}
  }
}
