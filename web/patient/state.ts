import type { AnsweredScreen, Language, PublicConfiguration, SessionView } from './api.ts'
import type { Page } from './page.ts'
import type { Waiting } from './patience.ts'
import type { Told } from './uncounted.ts'

/** Something the user should know about the last change. */
type Said =
  | { kind: 'changed'; row: string | null; dropped: readonly string[]; more: boolean }
  | { kind: 'elsewhere' }
  | { kind: 'refused' }
  /** What was answered here and did not count. */
  | { kind: 'uncounted'; told: readonly Told[]; elsewhere: boolean }

/** The cards that the user has read and dismissed, by their marks. */
type Seen = { alarm: string | null; warning: string | null }

/** An earlier question, or a list of signs, opened again; identified by the id of its row. With what else did not count: it is named again afterwards. */
type Edited = AnsweredScreen & { id: string; uncounted: readonly Told[] }

export type State = {
  place: Page
  language: Language
  configuration: PublicConfiguration | null
  waiting: Waiting | null
  sending: 'enter' | 'answer' | 'back' | 'edit' | 'finish' | 'stop' | 'language' | 'contact' | null
  said: Said | null
  /** The earlier question that is being changed in place. */
  editing: Edited | null
  seen: Seen
}

const NONE_SEEN: Seen = { alarm: null, warning: null }

export const FIRST: Omit<State, 'language' | 'configuration'> = {
  place: { at: 'loading' },
  waiting: null,
  sending: null,
  said: null,
  editing: null,
  seen: NONE_SEEN,
}

/** What a change did: which answers no longer count, and whether questions came up where none were left. */
export function saidOfChange(before: SessionView, now: SessionView, row: string | null): Said {
  const dropped = now.dropped.filter((text) => !before.dropped.includes(text))
  const more = leftOf(before.step) <= 1 && leftOf(now.step) > leftOf(before.step)
  return { kind: 'changed', row, dropped, more }
}

const leftOf = (step: SessionView['step']): number => (step.kind === 'ask' ? Math.max(1, step.progress.left) : 0)

/** Identifies a card: another danger of the same level is another card. */
export const cardMark = (card: SessionView['alarm']): string | null =>
  card && JSON.stringify([card.level, card.because, card.reasons])

export const isUnread = ({ seen }: State, view: SessionView, card: 'alarm' | 'warning'): boolean =>
  view[card] !== null && seen[card] !== cardMark(view[card])

/** What stays dismissed when the session is shown anew: nothing of another session, and no alarm that had gone meanwhile. */
export function stillSeen(seen: Seen, before: SessionView | null, next: SessionView): Seen {
  if (before?.sessionId !== next.sessionId) return NONE_SEEN
  const kept = (card: 'alarm' | 'warning') =>
    // A card in another language is the same card.
    before.version === next.version && seen[card] === cardMark(before[card]) ? cardMark(next[card]) : seen[card]
  return { alarm: next.alarm && kept('alarm'), warning: kept('warning') }
}
