import type { Comparison, Expression, Operand, Value } from '../content.ts'
import { isDuration, minutesOf } from '../values.ts'

/** A condition about the answer to one question. */
export type Atom =
  | Extract<Expression, readonly ['is' | 'eq' | 'has' | 'any' | 'known' | 'unsure' | 'compare', ...unknown[]]>
  /** One of several options: alternatives about the same question read its answer once. */
  | readonly ['hasSome', question: string, options: readonly string[]]

/** The units in which an age is compared, per year. */
export const A_YEAR_IN = { number: 1, months: 12, ageDays: 365.25 } as const satisfies Partial<
  Record<Operand[0], number>
>

/** Whether a known answer satisfies the atom. */
export function holds(atom: Atom, value: Value): boolean {
  switch (atom[0]) {
    case 'has':
      return Array.isArray(value) && value.includes(atom[2])
    case 'hasSome':
      return Array.isArray(value) && includesSome(value, atom[2])
    case 'compare':
      return compares(measured(atom[1][0], value), atom[2], atom[3])
    case 'eq':
      return value === atom[2]
    case 'any':
      return countOf(value) > 0
    case 'is':
      return value === true
    case 'known':
      return true
    case 'unsure':
      return false
  }
}

/** An empty text or list is an answer that says nothing. */
export const isSaid = (value: Value) => value !== '' && !(Array.isArray(value) && value.length === 0)

function includesSome(chosen: readonly string[], options: readonly string[]): boolean {
  for (const option of chosen) if (options.includes(option)) return true
  return false
}

function compares(value: number, comparison: Comparison, limit: number): boolean {
  switch (comparison) {
    case '<':
      return value < limit
    case '<=':
      return value <= limit
    case '>':
      return value > limit
    case '>=':
      return value >= limit
    case '==':
      return value === limit
    case '!=':
      return value !== limit
  }
}

function measured(kind: Operand[0], value: Value): number {
  switch (kind) {
    case 'number':
      return Number(value)
    case 'count':
      return countOf(value)
    case 'minutes':
      return isDuration(value) ? minutesOf(value) : Number.NaN
    // Ages are years with fractions; a month is a twelfth, whatever the rounding of the last bits.
    case 'months':
    case 'ageDays':
      return rounded(Number(value) * A_YEAR_IN[kind])
  }
}

const rounded = (value: number) => Math.round(value * 1e4) / 1e4

function countOf(value: Value): number {
  if (!Array.isArray(value)) return 0
  let count = 0
  for (const option of value) if (option !== 'none') count++
  return count
}
