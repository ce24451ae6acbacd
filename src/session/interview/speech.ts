import type { ConfigurationDocument } from '../../account/configuration.ts'
import { numberIn } from '../../account/numbers.ts'
import type { Answer, Language, Value, Who } from '../../engine/content.ts'
import { isChild } from '../../engine/intake.ts'
import type { Given } from '../../engine/interview.ts'
import { kindOf } from '../../engine/kinds.ts'
import { decimalText } from '../../engine/languages.ts'
import type { Content } from '../../engine/load.ts'
import { say } from '../../engine/text/words.ts'
import { isDuration } from '../../engine/values.ts'
import { isReachable } from '../contact.ts'
import { languageOf, type Session } from '../open.ts'
import type { Interview } from './interview.ts'

/** How one session is spoken to: the language, to or about the patient, and the numbers to call. */
export type Speech = {
  content: Content
  language: Language
  who: Who
  emergencyNumber: string
  clinicPhone: string | null
  adviceNumber: string | null
  say: (path: string, variables?: Record<string, string | number>) => string | undefined
}

const NOT_REVIEWED: Record<Language, string> = {
  en: 'The questions and advice have not been reviewed by clinicians yet.',
  fi: 'Terveydenhuollon ammattilaiset eivät ole vielä tarkastaneet kysymyksiä ja ohjeita.',
  no: 'Spørsmålene og rådene er ennå ikke gjennomgått av helsepersonell.',
  sv: 'Frågorna och råden har ännu inte granskats av vårdpersonal.',
}

/** Shown to everyone while no clinician of the account has signed the content. */
export const reviewNotice = ({ isReviewed }: Pick<Interview, 'isReviewed'>, language: Language): string | null =>
  isReviewed ? null : NOT_REVIEWED[language]

export function speech(
  content: Content,
  language: Language,
  who: Who,
  configuration: Pick<
    ConfigurationDocument,
    'emergencyNumber' | 'clinicPhone' | 'adviceNumber' | 'crisisLine' | 'poisonLine'
  >,
  isReachable = false,
): Speech {
  const { emergencyNumber, clinicPhone, adviceNumber = null } = configuration
  const soon = clinicPhone ?? adviceNumber
  const numbers = {
    who,
    emergencyNumber,
    clinic: soon ? 'phone' : 'none',
    clinicNumber: soon ?? emergencyNumber,
    reach: isReachable ? 'yes' : 'no',
    adviceNumber: adviceNumber ?? 'none',
    crisisLine: numberIn(language, configuration.crisisLine) ?? 'none',
    poisonLine: numberIn(language, configuration.poisonLine) ?? 'none',
  }
  return {
    content,
    language,
    who,
    emergencyNumber,
    clinicPhone,
    adviceNumber,
    say: (path, variables) => say(content, language, path, variables ? { ...numbers, ...variables } : numbers),
  }
}

/** A session's speech: in its user's language, or in the reader's. */
export function speechFor(
  session: Session,
  { content, answers, given }: Interview,
  language = languageOf(session.row.language, session.configuration),
): Speech {
  return speech(content, language, whoFor(answers, given), session.configuration, isReachable(session))
}

/** Who is spoken to, and about whom, as far as the answers tell. */
export function whoFor(answers: readonly Answer[], given: Given = {}): Who {
  const said = (id: string) => answers.findLast(({ question }) => question === id)?.value ?? given[id]
  if (said('for_whom') !== 'other') return 'self'
  return isChild(said('age')) ? 'child' : 'other'
}

/** An age is kept in years with four decimals: a day may be short of a whole one by this much. */
const ROUNDING = 0.02

/** Days and weeks for the newborn, months for the infant, whole years for everyone else: as it is told and as a clinician would write. */
export function ageWords({ say }: Pick<Speech, 'say'>, years: number): string {
  const whole = (amount: number) => Math.floor(amount + ROUNDING)
  const [unit, n] =
    years >= 2
      ? ['years', whole(years)]
      : years >= 0.25
        ? ['months', whole(years * 12)]
        : years >= 0.04
          ? ['weeks', whole(years * 52.18)]
          : ['days', whole(years * 365.25)]
  return say(`unit.${unit}`, { n }) ?? String(n)
}

/** What stands where nothing was written or pictured: leaving that out is no doubt. */
const LEFT_OUT = '–'

/** An answer in the words it was given in. */
export function answerWords(speech: Speech, question: string, value: Value): string {
  const { content, language, say: words } = speech
  if (value === null) {
    const kind = content.release.questions[question]?.kind
    return kind === 'text' || kind === 'photo' ? LEFT_OUT : (words('common.dontKnow') ?? '')
  }
  if (typeof value === 'boolean') return words(value ? 'common.yes' : 'common.no') ?? ''
  const { isOutOfTen, texts } = kindOf(content, question)
  if (typeof value === 'number') {
    if (question === 'age') return ageWords(speech, value)
    const unit = content.release.questions[question]?.unit
    if (unit) return words(`unit.${unit}`, { n: value }) ?? String(value)
    return isOutOfTen ? `${value}/10` : decimalText(value, language)
  }
  if (isDuration(value)) return words(`unit.${value.unit}`, { n: value.amount }) ?? ''
  const said = typeof value === 'string' ? [value] : value
  switch (texts) {
    case 'option':
      return said
        .map((id) => words(`question.${question}.option.${id}.text`) ?? words(`common.${id}.text`) ?? id)
        .join('; ')
    case 'complaint':
      return said.map((id) => words(`complaint.${id}.name`) ?? id).join('; ')
    case 'file':
      return String(said.length)
    case 'day':
    case 'own words':
    case null:
      return said.join('; ')
  }
}
