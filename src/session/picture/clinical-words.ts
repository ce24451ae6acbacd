import type { Fact, Question, Value } from '../../engine/content.ts'
import { decimalText } from '../../engine/languages.ts'
import type { Speech } from '../interview/speech.ts'

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
  return questionOf(speech, question)?.kind === 'complaints'
    ? (say(`complaint.${option}.label`) ?? option)
    : (say(`question.${question}.option.${option}.label`) ?? say(`common.${option}.label`) ?? option)
}

/** An answer in clinical terms; free words stay exactly as they were written. */
export function clinicalAnswer(speech: Speech, question: string, value: Value): string {
  const { say, language } = speech
  if (value === null) return say('common.dontKnow') ?? ''
  if (typeof value === 'boolean') return say(value ? 'common.yes' : 'common.no') ?? ''
  const known = questionOf(speech, question)
  if (typeof value === 'number') return numberWords(speech, known, value)
  if (typeof value === 'string') {
    if (known?.kind === 'date') return value
    return known?.kind === 'one' ? optionLabel(speech, question, value) : value
  }
  if ('amount' in value) return say(`unit.${value.unit}`, { n: value.amount }) ?? `${value.amount} ${value.unit}`
  if (known?.kind === 'photo') return decimalText(value.length, language)
  return value.map((option) => optionLabel(speech, question, option)).join('; ')
}

function numberWords(speech: Speech, question: Question | undefined, value: number): string {
  const { say, language } = speech
  if (question?.id === 'age') return ageWords(speech, value)
  if (question?.kind === 'scale') return `${value}/10`
  return (question?.unit && say(`unit.${question.unit}`, { n: value })) || decimalText(value, language)
}

/** Days and weeks for the newborn, months for the infant, whole years for everyone else: what a clinician would write. */
export function ageWords({ say }: Pick<Speech, 'say'>, years: number): string {
  const whole = (amount: number) => Math.floor(amount + 1e-6)
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

/** A fact that a rule or a condition rests on. */
export function evidence(speech: Speech, { question, option, value, state }: Fact): Evidence {
  const label = labelOf(speech, question)
  if (option !== undefined) return { label: optionLabel(speech, question, option), of: label, value: null, state }
  if (state === 'unsure') return { label, of: null, value: null, state }
  const kind = questionOf(speech, question)?.kind
  if (kind === 'yesno') return { label, of: null, value: null, state }
  return { label, of: null, value: clinicalAnswer(speech, question, value), state: 'present' }
}

/** Facts as evidence. Where single signs of a choice are told, the whole choice need not be told again. */
export function evidenceOf(speech: Speech, facts: readonly Fact[]): Evidence[] {
  const detailed = new Set(
    facts.flatMap(({ question, option, state }) => (option && state === 'present' ? question : [])),
  )
  return facts
    .filter(({ question, option, state }) => option !== undefined || state === 'unsure' || !detailed.has(question))
    .map((fact) => evidence(speech, fact))
}
