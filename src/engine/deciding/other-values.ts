import { MINUTES_IN, type Question, type Value } from '../content.ts'
import type { Content } from '../load.ts'

/**
 * The other answers worth trying: every option; every option added to or taken from a choice of many; for numbers and durations,
 * a value on each side of every limit that a condition sets.
 */
export function otherValues(content: Content, question: Question, current: Value, offered: readonly string[]): Value[] {
  const values = candidates(content, question, current, offered)
  const same = JSON.stringify(current)
  const unique = new Map(values.map((value) => [JSON.stringify(value), value]))
  unique.delete(same)
  return [...unique.values()]
}

function candidates(content: Content, question: Question, current: Value, offered: readonly string[]): Value[] {
  const unknown: Value[] = question.dontKnow ? [null] : []
  switch (question.kind) {
    case 'yesno':
      return [true, false, ...unknown]
    case 'one':
      return [...offered, ...unknown]
    case 'many':
      return [...subsetsNear(current, offered), ...unknown]
    case 'scale':
      return [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, ...unknown]
    case 'number':
      return [...numbersAround(content, question), ...unknown]
    case 'duration':
      return [...durationsAround(content, question), ...unknown]
    case 'date':
    case 'text':
    case 'photo':
    case 'complaints':
      return []
  }
}

function subsetsNear(current: Value, offered: readonly string[]): Value[] {
  const chosen = Array.isArray(current) ? current.filter((option) => option !== 'none') : []
  const near: Value[] = [['none']]
  for (const option of offered) {
    if (option === 'none') continue
    const without = chosen.filter((one) => one !== option)
    const next = chosen.includes(option) ? without : offered.filter((one) => one === option || chosen.includes(one))
    near.push(next.length > 0 ? next : ['none'])
  }
  return near
}

function numbersAround(content: Content, question: Question): number[] {
  const { min = 0, max = 10, step = 1 } = question
  const values = [min, max]
  for (const limit of content.thresholds.get(`number ${question.id}`) ?? [])
    values.push(limit - step, limit, limit + step)
  return values.map((value) => Math.round(value * 1e6) / 1e6).filter((value) => value >= min && value <= max)
}

function durationsAround(content: Content, question: Question): Value[] {
  const values: Value[] = []
  for (const limit of content.thresholds.get(`minutes ${question.id}`) ?? []) {
    for (const unit of question.units ?? []) {
      const amount = limit / MINUTES_IN[unit]
      const nearby = [Math.ceil(amount) - 1, Math.floor(amount), Math.ceil(amount), Math.floor(amount) + 1]
      for (const near of nearby) if (near > 0 && near <= 1000) values.push({ amount: near, unit })
    }
  }
  return values
}
