import type { Fact, Language, Question, Value } from '../../engine/content.ts'
import { kindOf } from '../../engine/kinds.ts'
import { decimalText, factsOf, perLanguage } from '../../engine/languages.ts'
import { isDuration } from '../../engine/values.ts'
import { ageWords, type Speech } from '../interview/speech.ts'

/** A piece of evidence as the clinician reads it: a sign that is there, denied or not known, or a value. */
export type Evidence = {
  label: string
  /** The question a chosen sign belongs to, when its label alone could be misread. */
  of: string | null
  value: string | null
  state: 'present' | 'denied' | 'unsure'
}

export const questionOf = ({ content }: Speech, id: string): Question | undefined => content.release.questions[id]

export const labelOf = ({ say }: Speech, question: string): string => say(`question.${question}.label`) ?? question

/** The clinical label of an option, or of a complaint. */
export function optionLabel(speech: Speech, question: string, option: string): string {
  const { say } = speech
  return kindOf(speech.content, question).texts === 'complaint'
    ? (say(`complaint.${option}.label`) ?? option)
    : (say(`question.${question}.option.${option}.label`) ?? say(`common.${option}.label`) ?? option)
}

/** Findings as labels of which each can be read alone: options stand behind the name of their question, all of one together. */
export function standingAlone(
  speech: Speech,
  found: readonly { readonly question: string; readonly option?: string }[],
): string[] {
  return [...Map.groupBy(found, ({ question }) => question)].map(([question, parts]) => {
    const options = parts.flatMap(({ option }) => (option === undefined ? [] : optionLabel(speech, question, option)))
    const label = labelOf(speech, question)
    return options.length > 0 ? `${label}: ${options.join(' · ')}` : label
  })
}

/** An answer in clinical terms; free words stay exactly as they were written. */
export function clinicalAnswer(speech: Speech, question: string, value: Value): string {
  const { say, language } = speech
  if (value === null) return say('common.dontKnow') ?? ''
  if (typeof value === 'boolean') return say(value ? 'common.yes' : 'common.no') ?? ''
  if (typeof value === 'number') return numberWords(speech, question, value)
  if (isDuration(value)) return say(`unit.${value.unit}`, { n: value.amount }) ?? `${value.amount} ${value.unit}`
  const said = typeof value === 'string' ? [value] : value
  switch (kindOf(speech.content, question).texts) {
    case 'option':
    case 'complaint':
      return said.map((id) => optionLabel(speech, question, id)).join('; ')
    case 'file':
      return decimalText(said.length, language)
    case 'day':
      return said.map((day) => dayText(day, language)).join('; ')
    case 'own words':
    case null:
      return said.join('; ')
  }
}

const calendars = perLanguage(
  (language) => new Intl.DateTimeFormat(factsOf(language).locale, { dateStyle: 'long', timeZone: 'UTC' }),
)

/** A day such as 2027-01-31 as the readers of a language write it. */
const dayText = (day: string, language: Language): string => calendars[language].format(new Date(`${day}T00:00:00Z`))

function numberWords(speech: Speech, question: string, value: number): string {
  const { content, say, language } = speech
  if (question === 'age') return ageWords(speech, value)
  if (kindOf(content, question).isOutOfTen) return `${value}/10`
  const unit = questionOf(speech, question)?.unit
  return (unit && say(`unit.${unit}`, { n: value })) || decimalText(value, language)
}

/** A fact that a rule or a condition rests on. */
export function evidence(speech: Speech, { question, option, value, state }: Fact): Evidence {
  const label = labelOf(speech, question)
  if (option !== undefined) return { label: optionLabel(speech, question, option), of: label, value: null, state }
  if (state === 'unsure') return { label, of: null, value: null, state }
  if (typeof value === 'boolean') return { label, of: null, value: null, state }
  return { label, of: null, value: clinicalAnswer(speech, question, value), state: 'present' }
}

/** An answer with the question it belongs to: alone, “left” or “at rest” says nothing. */
export const whole = ({ of, label, value }: Evidence): string =>
  value !== null ? `${label}: ${value}` : of === null ? label : `${of}: ${label}`

/** Facts as evidence. Where single signs of a choice are listed, the whole choice is left out. */
export function evidenceOf(speech: Speech, facts: readonly Fact[]): Evidence[] {
  const detailed = new Set(
    facts.flatMap(({ question, option, state }) => (option && state === 'present' ? question : [])),
  )
  return facts
    .filter(({ question, option, state }) => option !== undefined || state === 'unsure' || !detailed.has(question))
    .map((fact) => evidence(speech, fact))
}
