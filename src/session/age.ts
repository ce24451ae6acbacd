import { invalid } from '../problems.ts'

const MONTHS_OF_INFANCY = 24

/** The age on a day: whole years, or whole months as a fraction under two years. */
export function ageOn(birthDate: Temporal.PlainDate, today: Temporal.PlainDate): number {
  const { years, months } = birthDate.until(today, { largestUnit: 'year' })
  const inMonths = years * 12 + months
  return inMonths < MONTHS_OF_INFANCY ? inMonths / 12 : years
}

/** The patient's age from what create was given. A birth date is only read for this and not kept. */
export function givenAge(
  patient: { age?: number | null; birthDate?: string | null } | null | undefined,
  todayThere: () => Temporal.PlainDate,
): number | null {
  const age = patient?.age ?? null
  if (!patient?.birthDate) return age
  const today = todayThere()
  const birthDate = dayOf(patient.birthDate)
  if (!birthDate || Temporal.PlainDate.compare(birthDate, today) > 0)
    invalid('/patient/birthDate', 'must be a day in the past, as YYYY-MM-DD')
  const computed = ageOn(birthDate, today)
  if (computed > 130) invalid('/patient/birthDate', 'must be at most 130 years ago')
  if (age !== null && !agree(age, computed)) invalid('/patient/age', 'does not agree with patient.birthDate')
  return computed
}

function dayOf(text: string): Temporal.PlainDate | null {
  try {
    return /^\d{4}-\d{2}-\d{2}$/.test(text) ? Temporal.PlainDate.from(text, { overflow: 'reject' }) : null
  } catch {
    return null
  }
}

/** Whole years must be equal; under two years a month of difference is rounding. */
function agree(age: number, computed: number): boolean {
  return computed < 2 && age < 2.1 ? Math.abs(age - computed) <= 1.5 / 12 : Math.floor(age) === computed
}
