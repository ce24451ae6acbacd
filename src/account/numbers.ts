import type { Language } from '../engine/content.ts'

/** A number to call, or one per language, where `default` covers all other languages. */
export type NumberByLanguage = string | ({ default: string } & Partial<Record<Language, string>>)

export type Numbers = {
  emergencyNumber: string
  /** Medical advice by phone, for those who need care soon and have no clinic to call. */
  adviceNumber: string | null
  crisisLine: NumberByLanguage | null
  poisonLine: NumberByLanguage | null
}

/**
 * Proposed at set-up, by country. Read from public pages in November 2026: recheck every number at set-up. Null where
 * no number covers the whole country: medical advice in Denmark is regional (1813 in the capital, 1818 in Zealand).
 */
export const NUMBERS = {
  FI: {
    emergencyNumber: '112',
    adviceNumber: '116 117',
    crisisLine: { default: '09 2525 0111', sv: '09 2525 0112' },
    poisonLine: '0800 147 111',
  },
  NO: { emergencyNumber: '113', adviceNumber: '116 117', crisisLine: '116 123', poisonLine: '22 59 13 00' },
  SE: { emergencyNumber: '112', adviceNumber: '1177', crisisLine: '90101', poisonLine: '010-456 67 00' },
  DK: { emergencyNumber: '112', adviceNumber: null, crisisLine: '70 201 201', poisonLine: '82 12 12 12' },
  UK: { emergencyNumber: '999', adviceNumber: '111', crisisLine: '116 123', poisonLine: '111' },
} as const satisfies Record<string, Numbers>

export type Country = keyof typeof NUMBERS
export const COUNTRIES = Object.keys(NUMBERS) as Country[]

/** The number that answers in this language; null when the configuration has none. */
export function numberIn(language: Language, number: NumberByLanguage | null | undefined): string | null {
  if (number === null || number === undefined || typeof number === 'string') return number ?? null
  return number[language] ?? number.default
}

/** The numbers of help that stand in texts alone, in whatever language: no button calls them. */
export function helpLinesOf({ crisisLine, poisonLine }: Partial<Numbers>): string[] {
  const lines = [crisisLine, poisonLine].flatMap((line) =>
    typeof line === 'string' ? line : Object.values(line ?? {}),
  )
  return [...new Set(lines)]
}
