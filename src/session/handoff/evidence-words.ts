import type { Evidence } from '../picture/clinical-words.ts'
import type { Sheet } from './sheet.ts'

/** Evidence as a phrase: what it is, and whether it was denied or is not known. */
export function said(one: Evidence, { word }: Pick<Sheet, 'word'>): string {
  const { state } = one
  const told = whole(one)
  return state === 'present' ? told : `${told} (${word(state === 'denied' ? 'denied' : 'unsure').toLowerCase()})`
}

/** An answer with the question it belongs to: alone, “left” or “at rest” says nothing. */
export const whole = ({ of, label, value }: Evidence): string =>
  value !== null ? `${label}: ${value}` : of === null ? label : `${of}: ${label}`
