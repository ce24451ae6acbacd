import type { ConfigurationDocument } from '../../account/configuration.ts'
import { checkAnswer } from '../../engine/answers.ts'
import type { Answer, Language, Step } from '../../engine/content.ts'
import { interview } from '../../engine/interview.ts'
import { fail } from '../../problems.ts'
import type { Releases } from '../releases.ts'
import { speech, whoFor } from './speech.ts'
import { alarmView, questionView, titleOf } from './view.ts'

/** What the emergency check assumes where the full interview would have asked first. */
const MATTER: readonly Answer[] = [
  { question: 'issue_type', value: 'regular' },
  { question: 'matter', value: null },
]

/** The short emergency check of the closed page: who, then the danger signs. It is given all answers each time and stores nothing. */
export async function emergencyCheck(
  releases: Releases,
  configuration: ConfigurationDocument,
  language: Language,
  given: readonly Answer[],
) {
  const version = await releases.versionFor(configuration)
  const content = version === null ? null : await releases.content(version)
  if (!content) return fail('content-unavailable', { headers: { 'retry-after': '5' } })
  const general = [...content.complaints.values()].find(({ complaint }) => complaint.kind === 'general')?.complaint.id
  const assumed: Answer[] = [...MATTER, ...(general ? [{ question: 'complaints', value: [general] }] : [])]
  const answers: Answer[] = []
  const now = () => interview(content, [...answers, ...assumed])
  let asked = now()
  for (const answer of given) {
    // A screen is answered as a whole: a danger on it leaves the answers beside it as they were asked for.
    if (!isOn(asked, answer)) asked = now()
    const checked = checkAnswer(content, [...answers, ...assumed], answer, asked)
    if (!checked.ok) return fail('invalid-answer', { errors: [{ pointer: '/answers', message: checked.message }] })
    answers.push({ question: answer.question, value: checked.value })
  }
  const step = now()
  const words = speech(content, language, whoFor(answers), configuration)
  const [alarm] = step.alarms
  const isAsking = step.kind === 'ask' && (step.stage === 'intake' || step.stage === 'emergency')
  return {
    title: isAsking && !alarm ? titleOf(words, step) : null,
    questions: isAsking && !alarm ? step.questions.map((question) => questionView(words, question)) : [],
    alarm: alarm ? alarmView(words, step, alarm) : null,
  }
}

const isOn = (step: Step, { question }: Answer): boolean =>
  step.kind === 'ask' && step.questions.some(({ id }) => id === question)
