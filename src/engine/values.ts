import { DURATION_UNITS, type Duration, MINUTES_IN, type Question, type Value } from './content.ts'

const LONGEST_AMOUNT = 1000

export function isDuration(value: Value): value is Duration {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export const minutesOf = (duration: Duration) => duration.amount * MINUTES_IN[duration.unit]

/** A duration as people write it: `4 days`, `1 hour`. */
export function parseDuration(text: string): Duration | undefined {
  const [amount, name] = text.trim().split(/\s+/)
  const unit = DURATION_UNITS.find((one) => one === name || one === `${name}s`)
  const number = Number(amount)
  return unit && amount && Number.isFinite(number) ? { amount: number, unit } : undefined
}

export function refuseMany(value: Value, offered: readonly string[]): string | undefined {
  if (!isIds(value) || value.length === 0) return 'the answer is a list of options, or ["none"]'
  for (const option of value) if (!offered.includes(option)) return `the options are: ${offered.join(', ')}`
  return value.includes('none') && value.length > 1 ? '"none" cannot be chosen together with others' : undefined
}

export function refuseComplaints(value: Value, offered: readonly string[]): string | undefined {
  if (!isIds(value) || value.length < 1 || value.length > 3) return 'the answer is a list of one to three complaints'
  return value.every((complaint) => offered.includes(complaint))
    ? undefined
    : 'there is no such complaint for this patient'
}

export function refuseNumber(question: Question, value: Value): string | undefined {
  const { min = 0, max = 10, step } = question
  if (typeof value !== 'number' || !(value >= min && value <= max))
    return `the answer is a number from ${min} to ${max}`
  const steps = step === undefined ? 0 : (value - min) / step
  return Math.abs(steps - Math.round(steps)) < 1e-6 ? undefined : `the answer goes in steps of ${step}`
}

/** An age may be told in a smaller unit: five weeks are a part of a year. */
export function inOwnUnit({ unit, units }: Question, value: Value): Value {
  const own = DURATION_UNITS.find((one) => one === unit)
  if (!own || !units || !isDuration(value) || refuseDuration({ units }, value)) return value
  return Math.round((value.amount * MINUTES_IN[value.unit] * 10_000) / MINUTES_IN[own]) / 10_000
}

export function refuseDuration(question: Pick<Question, 'units'>, value: Value): string | undefined {
  const units = question.units ?? DURATION_UNITS
  const fits =
    isDuration(value) &&
    Object.keys(value).length === 2 &&
    units.includes(value.unit) &&
    typeof value.amount === 'number' &&
    value.amount >= 0 &&
    value.amount <= LONGEST_AMOUNT
  return fits ? undefined : `the answer is an amount from 0 to ${LONGEST_AMOUNT} and a unit: ${units.join(', ')}`
}

export function refuseText(question: Question, value: Value): string | undefined {
  const most = question.maxLength ?? 1000
  // Counts characters as people do: an emoji or a rare letter is one.
  return typeof value === 'string' && [...value].length <= most
    ? undefined
    : `the answer is a text of at most ${most} characters`
}

export function isDate(value: Value): boolean {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false
  const date = new Date(`${value}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value)
}

export function isIds(value: Value): value is readonly string[] {
  if (!Array.isArray(value)) return false
  for (let at = 0; at < value.length; at++)
    if (typeof value[at] !== 'string' || value.indexOf(value[at]) !== at) return false
  return true
}
