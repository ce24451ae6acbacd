import { readFile } from 'node:fs/promises'
import { negativeAnswer } from '../../engine/check/run-case.ts'
import { readValue } from '../../engine/compile/cases.ts'
import { type ContentProblem, readDocument } from '../../engine/compile/document.ts'
import { createReading } from '../../engine/compile/reading.ts'
import type { Answer, AskedQuestion, CompiledRelease, Value } from '../../engine/content.ts'
import { Refusal } from '../print.ts'
import { problemLine } from './open.ts'
import type { Reply } from './play.ts'

/** Reads answers from a YAML or JSON file: one `question: answer` line each, written as in cases.yaml. */
export async function readAnswers(path: string, release: CompiledRelease): Promise<Answer[]> {
  const problems: ContentProblem[] = []
  const reading = createReading(problems)
  const root = readDocument(
    { path, text: await readFile(path, 'utf8').catch(() => refuse(`The file ${path} cannot be read.`)) },
    problems,
  )
  const entries = reading.map(root, 'The file of answers')
  const listed = entries.get('answers')
  const answers: Answer[] = []
  for (const [id, value] of listed ? reading.map(listed, 'answers') : entries) {
    const question = release.questions[id]
    if (question) answers.push({ question: id, value: readValue(question, value, id, reading) })
    else reading.problem(value.place, `There is no question "${id}".`)
  }
  if (problems.length > 0) throw new Refusal(problems.map(problemLine).join('\n'))
  return answers
}

/** Answers from the file; anything it leaves out is "no", as in cases.yaml. */
export function answerFrom(answers: readonly Answer[]): (question: AskedQuestion) => Promise<Reply> {
  const written = new Map<string, Value>(answers.map(({ question, value }) => [question, value]))
  return async (question) => {
    const value = written.has(question.id) ? written.get(question.id) : negativeAnswer(question)
    if (value === undefined) throw new Refusal(`The interview asks "${question.id}": put an answer into the file.`)
    return { kind: 'value', value }
  }
}

function refuse(message: string): never {
  throw new Refusal(message)
}
