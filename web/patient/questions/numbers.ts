/** A number as people write it: a comma or a point for the decimals, spaces around it. Anything else is no number. */
export function numberFrom(text: string): number | null {
  const plain = text.normalize('NFKC').trim().replace(',', '.')
  return /^\d+(\.\d+)?$/.test(plain) ? Number(plain) : null
}

/** A number as this language writes it. */
export const numberText = (value: number, decimal: string): string => String(value).replace('.', decimal)

const DAYS_A_YEAR = 365.25

/** An age in years from how it was given. Under two years months count, under three months weeks. */
export const yearsFrom = (amount: number, unit: AgeUnit): number =>
  unit === 'years' ? amount : unit === 'months' ? amount / 12 : (amount * 7) / DAYS_A_YEAR

export const AGE_UNITS = ['years', 'months', 'weeks'] as const
export type AgeUnit = (typeof AGE_UNITS)[number]

/** How an age is said: in years from two on, else in whole months where it was given so, else in weeks. */
export function ageParts(years: number): { amount: number; unit: AgeUnit } {
  if (years >= 2) return { amount: Math.floor(years), unit: 'years' }
  const months = years * 12
  const isWhole = Math.abs(months - Math.round(months)) < 0.01
  if (isWhole && months >= 1) return { amount: Math.round(months), unit: 'months' }
  return { amount: Math.round((years * DAYS_A_YEAR) / 7), unit: 'weeks' }
}

/** The age on a day, in years: whole years, whole months under two years, weeks under three months. */
export function ageFrom(birth: string, today: string): number | null {
  const [born, now] = [new Date(`${birth}T00:00:00Z`), new Date(`${today}T00:00:00Z`)]
  const days = (now.getTime() - born.getTime()) / 86_400_000
  if (!(days >= 0)) return null
  const months =
    (now.getUTCFullYear() - born.getUTCFullYear()) * 12 +
    now.getUTCMonth() -
    born.getUTCMonth() -
    (now.getUTCDate() < born.getUTCDate() ? 1 : 0)
  if (months >= 24) return Math.floor(months / 12)
  return months >= 3 ? months / 12 : yearsFrom(Math.floor(days / 7), 'weeks')
}

/** Today where the user is, as YYYY-MM-DD. */
export function dayText(offsetDays = 0): string {
  const day = new Date(Date.now() + offsetDays * 86_400_000)
  const two = (part: number) => String(part).padStart(2, '0')
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`
}
