import type { Evidence } from '../picture/clinical-words.ts'
import type { Sheet } from './sheet.ts'

/** Evidence as a phrase: what it is, and whether it was denied or is not known. */
export function said({ label, value, state }: Evidence, { word }: Pick<Sheet, 'word'>): string {
  const told = value === null ? label : `${label}: ${value}`
  return state === 'present' ? told : `${told} (${word(state === 'denied' ? 'denied' : 'unsure').toLowerCase()})`
}
