import { checkAnswer } from '../../engine/answers.ts'
import type { Answer, AskedQuestion, Outcome, Step, Value } from '../../engine/content.ts'
import { conclude } from '../../engine/deciding/conclude.ts'
import { interview } from '../../engine/interview.ts'
import type { Content } from '../../engine/load.ts'
import { withHearing } from '../../engine/own-words/hearing.ts'
import { Refusal } from '../print.ts'

/** A player's reply: a value, or the wish to go back or stop. */
export type Reply =
  | { readonly kind: 'value'; readonly value: Value }
  | { readonly kind: 'back' }
  | { readonly kind: 'stop' }

export interface Player {
  /** Called before every question with what the engine thinks. */
  tell(step: Step, answers: readonly Answer[]): void
  answer(question: AskedQuestion, answers: readonly Answer[]): Promise<Reply>
  refused(message: string): void
}

export interface Played {
  readonly answers: readonly Answer[]
  readonly outcome: Outcome
}

/** Runs an interview from beginning to end; the player answers. */
export async function playInterview(content: Content, opening: readonly Answer[], player: Player): Promise<Played> {
  let answers: readonly Answer[] = takeOpening(content, opening)
  const start = answers.length
  for (;;) {
    const step = interview(content, answers)
    player.tell(step, answers)
    if (step.kind === 'done') return { answers, outcome: conclude(content, answers) }
    // In the terminal the questions of a screen come one after the other.
    const [question] = step.questions
    if (!question) throw new Error('The engine asks nothing.')
    const reply = await player.answer(question, answers)
    if (reply.kind === 'stop') return { answers, outcome: conclude(content, answers) }
    if (reply.kind === 'back') {
      answers = answers.slice(0, Math.max(start, answers.length - 1))
      continue
    }
    const checked = checkAnswer(content, answers, { question: question.id, value: reply.value }, step)
    if (checked.ok) answers = [...answers, kept(content, answers, { question: question.id, value: checked.value })]
    else player.refused(checked.message)
  }
}

/** Authors read English; own words in another language are heard all the same. */
const kept = (content: Content, before: readonly Answer[], answer: Answer): Answer =>
  withHearing(content, before, answer, 'en')

/** What the command line says already is answered in the order in which it is asked. */
function takeOpening(content: Content, opening: readonly Answer[]): Answer[] {
  const answers: Answer[] = []
  for (let step = interview(content, answers); step.kind === 'ask'; step = interview(content, answers)) {
    const [asked] = step.questions
    const known = opening.find(({ question }) => question === asked?.id)
    if (!known) break
    const checked = checkAnswer(content, answers, known)
    if (!checked.ok) throw new Refusal(checked.message)
    answers.push(kept(content, answers, { question: known.question, value: checked.value }))
  }
  return answers
}
