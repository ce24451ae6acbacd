import { type Change, LEVELS, type Level, type Outcome, type Reason, type Value } from '../../engine/content.ts'
import type { Speech } from '../speech.ts'
import { clinicalAnswer, type Evidence, evidence, labelOf, optionLabel, questionOf } from './clinical-words.ts'

const MINUTES = { minutes: 1, hours: 60, days: 1_440, weeks: 10_080, months: 43_830, years: 525_960 } as const

export type ReasonView = {
  level: Level
  complaint: string
  label: string
  /** The rule holds because something it needs is not known, and not knowing must not wave it away. */
  unsure: boolean
  answers: Evidence[]
  sources: { title: string; url: string | null }[]
}

/** One other answer that would have changed the level. */
export type ChangeView = {
  label: string
  /** What was answered. */
  now: string
  /** The other answer; for a choice of many, what would come to it or go from it. */
  other: string
  added: string[]
  removed: string[]
  level: Level | null
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
  answers: answers.map((fact) => evidence(speech, fact)),
  sources: sources.map(({ title, url }) => ({ title, url: url ?? null })),
})

const rankOf = (level: Level | null): number => (level === null ? LEVELS.length : LEVELS.indexOf(level))

/** What would change the level: most urgent first, each number and duration only by its nearest value. */
export function changeViews(
  speech: Speech,
  { changes, level }: Outcome,
  said: ReadonlyMap<string, Value>,
): ChangeView[] {
  const nearest = new Map<string, Change>()
  for (const change of changes) {
    const now = said.get(change.question) ?? null
    const key = isMeasured(change.value)
      ? `${change.question} ${change.level}`
      : `${change.question} ${JSON.stringify(change.value)}`
    const known = nearest.get(key)
    if (!known || distance(change.value, now) < distance(known.value, now)) nearest.set(key, change)
  }
  return [...nearest.values()]
    .sort((a, b) => rankOf(a.level) - rankOf(b.level))
    .map((change) => changeView(speech, change, said.get(change.question) ?? null, level))
}

const isMeasured = (value: Value): boolean =>
  typeof value === 'number' || (value !== null && typeof value === 'object' && 'amount' in value)

function distance(value: Value, now: Value): number {
  const size = (one: Value): number => {
    if (typeof one === 'number') return one
    return one !== null && typeof one === 'object' && 'amount' in one ? one.amount * MINUTES[one.unit] : 0
  }
  return Math.abs(size(value) - size(now))
}

function changeView(speech: Speech, { question, value, level }: Change, now: Value, present: Level | null): ChangeView {
  const isMany = questionOf(speech, question)?.kind === 'many'
  const [before, after] = isMany ? [chosen(now), chosen(value)] : [[], []]
  const named = (options: readonly string[]) => options.map((option) => optionLabel(speech, question, option))
  return {
    label: labelOf(speech, question),
    now: clinicalAnswer(speech, question, now),
    other: clinicalAnswer(speech, question, value),
    added: value === null ? [] : named(after.filter((option) => !before.includes(option))),
    removed: value === null ? [] : named(before.filter((option) => !after.includes(option))),
    level,
    more: rankOf(level) < rankOf(present),
  }
}

const chosen = (value: Value): readonly string[] =>
  Array.isArray(value) ? value.filter((option: string) => option !== 'none') : []
