import type { LedgerEntry, QuestionKind, Stage, Value } from '../../engine/content.ts'
import { type Interview, screensOf } from './interview.ts'
import { answerWords, type Speech } from './speech.ts'

/** A row of the ledger, as the user reads it. */
export type LedgerRow = {
  question: string
  kind: QuestionKind
  stage: Stage
  text: string
  label: string
  answer: string
  value: Value
  /** Of a list of signs: each as it was shown, with what was said of it. */
  signs?: { question: string; text: string; value: boolean | null }[]
}

/** The answers in use, in their order. The signs of one screen are one row: those that are present. */
export function ledgerOf(speech: Speech, { content, step, history }: Interview): LedgerRow[] {
  const screens = screensOf(history)
  const isSign = ({ question }: LedgerEntry) => content.release.questions[question]?.kind === 'sign'
  const rows: LedgerRow[] = []
  const told = new Set<string>()
  for (const entry of step.ledger) {
    const screen = screens.get(entry.question) ?? entry.question
    if (!isSign(entry)) rows.push(rowOf(speech, entry))
    else if (!told.has(screen)) {
      told.add(screen)
      const signs = step.ledger.filter(
        (other) => isSign(other) && screens.get(other.question) === screens.get(entry.question),
      )
      rows.push(signsRow(speech, entry, signs))
    }
  }
  return rows
}

function rowOf(speech: Speech, { question, value, stage }: LedgerEntry): LedgerRow {
  return {
    question,
    kind: speech.content.release.questions[question]?.kind ?? 'text',
    stage,
    text: speech.say(`question.${question}.text`) ?? question,
    label: speech.say(`question.${question}.label`) ?? question,
    answer: answerWords(speech, question, value),
    value,
  }
}

function signsRow(speech: Speech, { question, stage, title }: LedgerEntry, listed: readonly LedgerEntry[]): LedgerRow {
  const signs = listed.map((entry) => ({
    question: entry.question,
    text: speech.say(`question.${entry.question}.text`) ?? entry.question,
    value: typeof entry.value === 'boolean' ? entry.value : null,
  }))
  const there = signs.filter(({ value }) => value === true)
  const unsure = signs.filter(({ value }) => value === null)
  const said = [
    ...there.map(({ text }) => text),
    ...unsure.map(({ text }) => speech.say('common.notSure', { what: text }) ?? text),
  ]
  const heading = signsHeading(speech, title)
  return {
    question,
    kind: 'sign',
    stage,
    text: heading,
    label: heading,
    answer: said.length > 0 ? said.join('; ') : (speech.say('common.none.text') ?? ''),
    value: there.map((sign) => sign.question),
    signs,
  }
}

/** The heading above a list of signs, as it was when the list was asked. */
export const signsHeading = (speech: Speech, title: string | undefined): string =>
  (title === undefined ? undefined : speech.say(title)) ?? speech.say('screen.signs') ?? ''
