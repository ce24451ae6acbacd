import { MINUTES_IN, type Question, type Value } from '../content.ts'
import type { Content } from '../load.ts'

/** None, and every selection with one option more or less than this one. */
export function subsetsNear(current: Value, offered: readonly string[]): Value[] {
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

/** A number on each side of every threshold of a condition, and the threshold itself. */
export function numbersAround(content: Content, question: Question): number[] {
  const { min = 0, max = 10, step = 1 } = question
  const values = [min, max]
  for (const limit of content.thresholds('number', question.id)) values.push(limit - step, limit, limit + step)
  return values.map((value) => Math.round(value * 1e6) / 1e6).filter((value) => value >= min && value <= max)
}

/** The same for durations, in each unit that the question takes. */
export function durationsAround(content: Content, question: Question): Value[] {
  const values: Value[] = []
  for (const limit of content.thresholds('minutes', question.id)) {
    for (const unit of question.units ?? []) {
      const amount = limit / MINUTES_IN[unit]
      const nearby = [Math.ceil(amount) - 1, Math.floor(amount), Math.ceil(amount), Math.floor(amount) + 1]
      for (const near of nearby) if (near > 0 && near <= 1000) values.push({ amount: near, unit })
    }
  }
  return values
}
