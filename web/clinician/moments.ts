import { isChild } from '../../src/engine/intake.ts'
import type { PictureBody } from '../../src/http/decision-support/schemas.ts'
import type { Words } from './words/words.ts'

type Zone = Pick<PictureBody, 'timeZone'>

/** Moments in the clinic's time zone, as people of that language write them. */
export const dayAndTime = (words: Words, { timeZone }: Zone, moment: string): string =>
  new Intl.DateTimeFormat(words.locale, { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(new Date(moment))

export const timeOfDay = (words: Words, { timeZone }: Zone, moment: string): string =>
  new Intl.DateTimeFormat(words.locale, { hour: '2-digit', minute: '2-digit', timeZone }).format(new Date(moment))

export const exactTime = (words: Words, { timeZone }: Zone, moment: string): string =>
  new Intl.DateTimeFormat(words.locale, { hour: '2-digit', minute: '2-digit', second: '2-digit', timeZone }).format(
    new Date(moment),
  )

export function timeTaken(words: Words, from: string, to: string): string {
  const minutes = Math.round((Date.parse(to) - Date.parse(from)) / 60_000)
  return minutes < 1 ? words.underMinute : words.minutes(minutes)
}

/** Days and weeks for the newborn, months for the infant, whole years for everyone else. */
export function ageWords(words: Words, age: number | null): string {
  if (age === null) return words.ageUnknown
  const whole = (amount: number) => Math.floor(amount + 1e-6)
  if (age >= 2) return words.years(whole(age))
  if (age >= 0.25) return words.months(whole(age * 12))
  return age >= 0.04 ? words.weeks(whole(age * 52.18)) : words.days(whole(age * 365.25))
}

/** The sex as people say it of somebody of that age. */
export function sexWords(words: Words, sex: PictureBody['patient']['sex'], age: number | null): string {
  if (sex === null) return words.sexUnknown
  return isChild(age) && sex !== 'Other' ? words.sexOfChild[sex] : words.sex[sex]
}
