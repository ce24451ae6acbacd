import {
  type Change,
  type DurationUnit,
  LEVELS,
  type Level,
  type Outcome,
  type Reason,
  type Value,
} from '../../engine/content.ts'
import { kindOf } from '../../engine/kinds.ts'
import { isDuration, minutesOf } from '../../engine/values.ts'
import type { Speech } from '../interview/speech.ts'
import { clinicalAnswer, type Evidence, evidenceOf, labelOf, optionLabel } from './clinical-words.ts'

export type ReasonView = {
  level: Level
  complaint: string
  label: string
  /** The rule holds because something it needs is not known, and an unsure rule must not be dismissed. */
  unsure: boolean
  /** No rule holds; this is the complaint's default level. */
  otherwise: boolean
  answers: Evidence[]
  sources: { title: string; url: string | null }[]
}

/** Another answer than the one given: instead of it, with something added, or with something left out. */
export type Alternative = { kind: 'instead' | 'with' | 'without'; words: string }

/** Other answers to one question that would have changed the level in the same way. */
export type ChangeView = {
  label: string
  now: string
  alternatives: Alternative[]
  level: Level | null
  /** False when that answer would have led to further questions: then the level is the least it would have been. */
  decided: boolean
  more: boolean
}

export const reasonView = (
  speech: Speech,
  { complaint, rule, level, unsure, answers, sources }: Reason,
): ReasonView => ({
  level,
  complaint: speech.say(`complaint.${complaint}.label`) ?? complaint,
  label: speech.say(`rule.${complaint}.${rule}.label`) ?? rule,
  unsure,
  otherwise: rule === 'otherwise',
  answers: evidenceOf(speech, answers),
  sources: sources.map(({ title, url }) => ({ title, url: url ?? null })),
})

const rankOf = (level: Level | null): number => (level === null ? LEVELS.length : LEVELS.indexOf(level))

/** What would change the level: the smallest steps first, each number and duration only by its nearest value. */
export function changeViews(speech: Speech, outcome: Outcome, said: ReadonlyMap<string, Value>): ChangeView[] {
  const views = new Map<string, ChangeView>()
  for (const change of nearest(outcome.changes, said)) {
    const { question, value, level, decided } = change
    const key = `${question} ${level} ${decided}`
    const now = said.get(question) ?? null
    const view = views.get(key) ?? {
      label: labelOf(speech, question),
      now: clinicalAnswer(speech, question, now),
      alternatives: [],
      level,
      decided,
      more: rankOf(level) < rankOf(outcome.level),
    }
    view.alternatives.push(alternative(speech, question, value, now))
    views.set(key, view)
  }
  const step = ({ level }: ChangeView) => Math.abs(rankOf(level) - rankOf(outcome.level))
  return [...views.values()].sort((a, b) => step(a) - step(b))
}

/** Of numbers and durations with the same effect, the one closest to the answer, in a unit in which people say it. */
function nearest(changes: readonly Change[], said: ReadonlyMap<string, Value>): Change[] {
  const kept = new Map<string, Change>()
  for (const change of changes) {
    const { question, value, level, decided } = change
    const now = sizeOf(said.get(question) ?? null)
    const key = `${question} ${sizeOf(value) === null ? JSON.stringify(value) : `${level} ${decided}`}`
    const known = kept.get(key)
    if (!known || isSooner(value, known.value, now)) kept.set(key, change)
  }
  return [...kept.values()]
}

/** The one in a unit that people count so much in, and of these the closest. */
const isSooner = (value: Value, known: Value, now: number | null): boolean =>
  isSaidSo(value) === isSaidSo(known) ? distance(value, now) < distance(known, now) : isSaidSo(value)

const MOST_OF: Readonly<Record<DurationUnit, number>> = {
  minutes: 120,
  hours: 48,
  days: 30,
  weeks: 12,
  months: 24,
  years: Number.POSITIVE_INFINITY,
}

/** Nobody says 505 hours. */
const isSaidSo = (value: Value): boolean => !isDuration(value) || value.amount <= MOST_OF[value.unit]

const sizeOf = (value: Value): number | null => {
  if (typeof value === 'number') return value
  return isDuration(value) ? minutesOf(value) : null
}

const distance = (value: Value, now: number | null): number => Math.abs((sizeOf(value) ?? 0) - (now ?? 0))

function alternative(speech: Speech, question: string, value: Value, now: Value): Alternative {
  const [before, after] = [chosen(now), chosen(value)]
  const added = after.filter((option) => !before.includes(option))
  const removed = before.filter((option) => !after.includes(option))
  const isMany = kindOf(speech.content, question).chooses === 'some' && value !== null
  const named = (options: readonly string[]) =>
    options.map((option) => optionLabel(speech, question, option)).join(', ')
  if (isMany && added.length > 0 && removed.length === 0) return { kind: 'with', words: named(added) }
  if (isMany && removed.length > 0 && added.length === 0) return { kind: 'without', words: named(removed) }
  return { kind: 'instead', words: clinicalAnswer(speech, question, value) }
}

const chosen = (value: Value): readonly string[] =>
  Array.isArray(value) ? value.filter((option: string) => option !== 'none') : []
