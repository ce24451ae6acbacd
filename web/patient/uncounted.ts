import type { AnsweredScreen, Given, LedgerEntry, QuestionView, SessionView, Value } from './api.ts'
import { answerText } from './ledger.tsx'
import { numberText } from './questions/numbers.ts'
import type { State } from './state.ts'
import { WORDS, type Words } from './words/words.ts'

/** An answer with the words it was given in, so that it can be named where it did not count. */
export type Told = Given & { isSign: boolean; text: string }

/** The answers to what is asked or changed now, in words: a sign by itself, anything else after its question. */
export function toldOf(answers: readonly Given[], { place, editing, language }: State): Told[] {
  const words = WORDS[language]
  const step = place.at === 'session' ? place.view.step : null
  const questions = editing?.questions ?? (step?.kind === 'ask' ? step.questions : [])
  return answers.map(({ question: id, value }) => {
    const question = questions.find((one) => one.id === id)
    const isSign = question?.kind === 'sign'
    return { question: id, value, isSign, text: question ? textOf(question, value, words) : '' }
  })
}

/** What the session does not know as it was answered here. A sign that is denied counts only against one that stands. */
export function uncounted(told: readonly Told[], { ledger }: SessionView): Told[] {
  return told.filter(({ question, value, isSign }) => {
    const row = rowWith(ledger, question)
    const standing = isSign ? row?.signs?.find((sign) => sign.question === question)?.value : row?.value
    const isNothing = standing === undefined && (value === null ? !isSign : value === false && isSign)
    return !isNothing && JSON.stringify(standing) !== JSON.stringify(value)
  })
}

/** The row of the ledger in which this question can be answered again. */
export const rowWith = (ledger: readonly LedgerEntry[], question: string): LedgerEntry | undefined =>
  ledger.find((row) => row.question === question || row.signs?.some((sign) => sign.question === question))

/** An earlier screen with what was told of it in it, and with what was told of others. */
export const openedWith = (screen: AnsweredScreen, told: readonly Told[]) => ({
  ...screen,
  questions: withTold(screen.questions, told),
  uncounted: told.filter((one) => !screen.questions.some(({ id }) => id === one.question)),
})

/** The questions with these answers in them; what stands as a danger is never taken back by that. */
const withTold = (questions: readonly QuestionView[], told: readonly Told[]): QuestionView[] =>
  questions.map((question) => {
    const one = told.find((answer) => answer.question === question.id)
    const isWeaker = one?.isSign && (one.value === false || question.given === true)
    return one && !isWeaker ? { ...question, given: one.value } : question
  })

export const isTicked = ({ isSign, value }: Told): boolean => isSign && value === true

function textOf(question: QuestionView, value: Value, words: Words): string {
  const { id, kind, text } = question
  if (kind === 'sign' && value !== false) return value === null ? words.field.notSureOf(text) : text
  const answer = plainText(question, value, words)
  const row: LedgerEntry = { question: id, kind, stage: 'chat', text, label: text, answer, value }
  return `${text.replace(/[?:.]$/, '')}: ${answerText(row, words)}`
}

function plainText({ options, unit, units }: QuestionView, value: Value, words: Words): string {
  const labelOf = (wanted: string) => options?.find(({ id }) => id === wanted)?.label ?? wanted
  if (value === null) return words.chat.dontKnow
  if (typeof value === 'boolean') return value ? words.field.yes : words.field.no
  if (typeof value === 'number') return [numberText(value, words.decimal), unit].filter(Boolean).join('\u00a0')
  if (typeof value === 'string') return labelOf(value)
  if ('amount' in value) return `${value.amount} ${units?.find(({ id }) => id === value.unit)?.label ?? value.unit}`
  return value.map(labelOf).join('; ')
}
