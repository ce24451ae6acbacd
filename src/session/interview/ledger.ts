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

function signsRow(speech: Speech, { question, stage, title }: LedgerEntry, signs: readonly LedgerEntry[]): LedgerRow {
  const rowText = (entry: LedgerEntry) => speech.say(`question.${entry.question}.text`) ?? entry.question
  const there = signs.filter(({ value }) => value === true)
  const unsure = signs.filter(({ value }) => value === null)
  const doubt = (entry: LedgerEntry) => speech.say('common.notSure', { what: rowText(entry) }) ?? rowText(entry)
  const said = [...there.map(rowText), ...unsure.map(doubt)]
  const heading = signsHeading(speech, title)
  return {
    question,
    kind: 'sign',
    stage,
    text: heading,
    label: heading,
    answer: said.length > 0 ? said.join('; ') : (speech.say('common.none.text') ?? ''),
    value: there.map((entry) => entry.question),
  }
}

/** The heading above a list of signs, as it was when the list was asked. */
export const signsHeading = (speech: Speech, title: string | undefined): string =>
  (title === undefined ? undefined : speech.say(title)) ?? speech.say('screen.signs') ?? ''
