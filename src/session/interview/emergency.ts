import type { ConfigurationDocument } from '../../account/configuration.ts'
import { checkAnswer } from '../../engine/answers.ts'
import { type Answer, type Language, LEVELS, type Step } from '../../engine/content.ts'
import { interview } from '../../engine/interview.ts'
import { refuseValue } from '../../engine/kinds.ts'
import type { Content } from '../../engine/load.ts'
import { fail } from '../../problems.ts'
import type { Releases } from '../releases.ts'
import { speech, whoFor } from './speech.ts'
import { alarmView, questionView, titleOf } from './view.ts'

/** What the emergency check assumes where the full interview would have asked first. */
const MATTER: readonly Answer[] = [
  { question: 'issue_type', value: 'regular' },
  { question: 'matter', value: null },
]

/** Dangers to a screen while nobody has said whose they are. */
const MOST_SIGNS = 8

/** Whose danger it may be while nobody has said: one of every age that the content tells apart. The adult comes first, so that among equals the card speaks of one. */
const ANYONE: readonly (readonly Answer[])[] = [40, 8, 3, 0.5, 0.1].map((age) => [
  { question: 'for_whom', value: 'other' },
  { question: 'age', value: age },
  { question: 'sex', value: 'other' },
])

/**
 * The short emergency check of the closed page: the gravest dangers, before anyone is asked who they are; then who, then the other signs. It is
 * given all answers each time and stores nothing.
 */
export async function emergencyCheck(
  releases: Releases,
  configuration: ConfigurationDocument,
  language: Language,
  given: readonly Answer[],
) {
  const version = await releases.versionFor(configuration)
  const content = version === null ? null : await releases.content(version)
  if (!content) return fail('content-unavailable', { headers: { 'retry-after': '5' } })
  const answers = checkedAnswers(content, given)
  const core = coreOf(content)
  const isWhoKnown = answers.some(({ question }) => question === 'age')
  const open = isWhoKnown ? [] : core.filter(({ id }) => !answers.some(({ question }) => question === id))
  const step = isWhoKnown ? stepAfter(content, answers) : mostUrgent(content, answers)
  const words = speech(content, language, whoFor(answers), configuration)
  const [alarm] = step.alarms
  if (alarm) return { title: null, questions: [], alarm: alarmView(words, step, alarm) }
  if (open.length > 0)
    return {
      title: words.say(`complaint.${content.emergency?.complaint.id ?? ''}.heading`) ?? null,
      questions: open.slice(0, MOST_SIGNS).map((question) => questionView(words, question)),
      alarm: null,
    }
  const next = stepAfter(content, answers)
  const isAsking = next.kind === 'ask' && (next.stage === 'intake' || next.stage === 'emergency')
  return {
    title: isAsking ? titleOf(words, next) : null,
    questions: isAsking ? next.questions.map((question) => questionView(words, question)) : [],
    alarm: null,
  }
}

/** Before they say who it is about, people read so many screens. */
const MOST_SCREENS = 2

/** The gravest dangers of every age, in the order of the content; what is left of them follows once the age is known. */
const coreOf = ({ emergency, questions }: Content) =>
  [...(emergency?.now.keys() ?? [])]
    .slice(0, MOST_SCREENS * MOST_SIGNS)
    .flatMap((slot) => questions[slot]?.question ?? [])

function stepAfter(content: Content, answers: readonly Answer[]): Step {
  const general = [...content.complaints.values()].find(({ complaint }) => complaint.kind === 'general')?.complaint.id
  const matter = [...MATTER, ...(general ? [{ question: 'complaints', value: [general] }] : [])]
  return interview(content, [...answers, ...matter])
}

/** Where the answers lead in the worst case: what may not apply to someone of this age counts until the age is known. */
function mostUrgent(content: Content, answers: readonly Answer[]): Step {
  const rank = ({ alarms: [alarm] }: Step) => (alarm ? LEVELS.indexOf(alarm.level) : LEVELS.length)
  return ANYONE.map((who) => stepAfter(content, [...who, ...answers])).reduce((worst, step) =>
    rank(step) < rank(worst) ? step : worst,
  )
}

function checkedAnswers(content: Content, given: readonly Answer[]): Answer[] {
  const core = coreOf(content)
  const refuse = (message: string) => fail('invalid-answer', { errors: [{ pointer: '/answers', message }] })
  const answers: Answer[] = []
  let asked = stepAfter(content, answers)
  for (const answer of given) {
    if (MATTER.some(({ question }) => question === answer.question))
      refuse(`The emergency check does not ask "${answer.question}".`)
    const isWhoKnown = answers.some(({ question }) => question === 'age')
    const sign = isWhoKnown ? undefined : core.find(({ id }) => id === answer.question)
    if (sign) {
      const refusal = refuseValue(sign, answer.value, [])
      if (refusal) refuse(`For "${sign.id}" ${refusal}.`)
      answers.push(answer)
      continue
    }
    // A screen is answered as a whole: a danger on it leaves the answers beside it as they were asked for.
    if (!isOn(asked, answer)) asked = stepAfter(content, answers)
    const checked = checkAnswer(content, answers, answer, asked)
    if (!checked.ok) return refuse(checked.message)
    answers.push({ question: answer.question, value: checked.value })
  }
  return answers
}

const isOn = (step: Step, { question }: Answer): boolean =>
  step.kind === 'ask' && step.questions.some(({ id }) => id === question)
