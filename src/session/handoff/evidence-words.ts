import { type Evidence, whole } from '../picture/clinical-words.ts'
import type { Sheet } from './sheet.ts'

/** Evidence as a phrase: what it is, and whether it was denied or is not known. */
export function said(one: Evidence, { word }: Pick<Sheet, 'word'>): string {
  const { state } = one
  const told = whole(one)
  return state === 'present' ? told : `${told} (${word(state === 'denied' ? 'denied' : 'unsure').toLowerCase()})`
}
