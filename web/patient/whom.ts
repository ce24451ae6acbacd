import type { PublicConfiguration } from './api.ts'
import type { Words } from './words/words.ts'

/** A number that may be called, and what the button to it says. */
export type Whom = { number: string; label: string }

type Numbers = Pick<PublicConfiguration, 'clinicPhone' | 'adviceNumber'> | null

/** Whom to call when it is no emergency: the clinic or, if it has no number, medical advice. */
export function whomToCall(configuration: Numbers, words: Words): Whom | null {
  const { clinicPhone = null, adviceNumber = null } = configuration ?? {}
  if (clinicPhone) return { number: clinicPhone, label: words.callClinic(clinicPhone) }
  return adviceNumber ? { number: adviceNumber, label: words.callAdvice(adviceNumber) } : null
}

/** The label of the button to a card's number. */
export const cardLabel = (number: string, configuration: Numbers, words: Words): string =>
  number === configuration?.clinicPhone
    ? words.callClinic(number)
    : number === configuration?.adviceNumber
      ? words.callAdvice(number)
      : words.call(number)
