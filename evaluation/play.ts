import { isDeepStrictEqual } from 'node:util'
import { withUsual } from '../src/engine/answers.ts'
import { negativeAnswer } from '../src/engine/check/run-case.ts'
import { type Answer, type AskedQuestion, LEVELS, type Level, type Value } from '../src/engine/content.ts'
import { surelyTold } from '../src/engine/deciding/read-answers.ts'
import { interview } from '../src/engine/interview.ts'
import { refuseValue } from '../src/engine/kinds.ts'
import type { Content } from '../src/engine/load.ts'
import { withHearing } from '../src/engine/own-words/hearing.ts'
import { answerScreen } from '../src/engine/screens.ts'
import { say } from '../src/engine/text/words.ts'
import type { Story } from './stories.ts'

/** How a story went. */
export type Played = {
  story: Story
  /** The complaint that was named. A wrong one shows whether an emergency gets lost that way. */
  complaint: string
  level: Level | null
  rules: readonly string[]
  /** Screens, and options that were read ("none of these" is not counted), to the outcome or to the card that tells to call. */
  screens: number
  rows: number
  asked: readonly string[]
  /** Asked although it had been answered, and no later words told of it. */
  askedTwice: readonly string[]
  words: number
  /** Questions that the story does not cover and that have no "no". */
  unsaid: readonly string[]
}

const MOST_SCREENS = 80
/** The mildest level whose card tells to call an emergency number. */
const CALL: Level = 'Level2'
/** The body area that a patient with this complaint would name if they chose no complaint. */
const AREAS: Readonly<Record<string, readonly string[]>> = {
  'sore-throat': ['ent'],
  'chest-pain': ['chest', 'breathing'],
  'abdominal-pain': ['belly'],
  'child-fever': ['whole'],
}

/** The part of the body under which each area of the general complaint is offered. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  head: ['head', 'nerves', 'eyes', 'ent'],
  chest: ['breathing', 'chest'],
  belly: ['belly', 'urine', 'genitals', 'pregnancy'],
  limb: ['back', 'limb', 'skin'],
  harm: ['injury', 'reaction'],
  whole: ['mind', 'illness', 'whole'],
}

/** Answers every question from the story's facts; "no" where the story is silent. */
export function playStory(content: Content, story: Story, complaint = story.complaint): Played {
  const says = personOf(content, story, complaint)
  const answers: Answer[] = []
  const unsaid: string[] = []
  const known = new Set<string>()
  const askedTwice: string[] = []
  let [screens, rows, words] = [0, 0, 0]
  for (let at = 0; at < MOST_SCREENS; at++) {
    const step = interview(content, answers)
    if (step.kind === 'done') {
      const { level, reasons } = step.outcome
      return {
        story,
        complaint,
        level,
        rules: reasons.map(({ rule }) => rule),
        screens,
        rows,
        words,
        unsaid,
        asked: answers.map(({ question }) => question),
        askedTwice,
      }
    }
    const screen = answerScreen(step.questions, (question): Value => {
      const said = says(question)
      if (said === undefined) unsaid.push(question.id)
      return said ?? null
    })
    // What was heard is proposed with the complaint, a line each: they confirm what is right and leave the rest to be asked.
    const proposed = step.questions.filter(({ proposal }) => proposal)
    const confirmed = proposed.flatMap((question): Answer[] => {
      const said = says(question)
      return isDeepStrictEqual(said, question.proposal?.value) ? [{ question: question.id, value: said ?? null }] : []
    })
    // What is as usual they leave folded.
    const isFolded = ({ id, usual }: AskedQuestion) =>
      usual !== undefined && screen.some(({ question, value }) => question === id && value === usual)
    const folded = step.questions.filter(isFolded).map(({ id }) => id)
    const given = [...screen, ...confirmed].filter(({ question }) => !folded.includes(question))
    const heard = given.map((answer) => withHearing(content, answers, answer, 'en'))
    for (const kept of withUsual(step, heard)) {
      answers.push(kept)
      if (known.has(kept.question)) askedTwice.push(kept.question)
      known.add(kept.question)
      // Who denied a danger and then surely writes of it is asked once more.
      if (kept.heard) for (const slot of surelyTold(content, kept.heard)) known.delete(idAt(content, slot))
    }
    // Whoever is told to call does, and reads no further; what they would have answered still counts for the level.
    if (step.alarms.some(({ level }) => level <= CALL)) continue
    screens++
    rows += proposed.length
    // A follow-up that nothing called for is not read.
    for (const question of step.questions.filter(({ id }) => screen.some((answer) => answer.question === id))) {
      const { offered, ...unfolding } = question
      const read = folded.includes(question.id) ? unfolding : question
      rows += question.kind === 'complaints' ? complaintsIn(answers) : read === question ? rowsOf(question) : 1
      words += textsOf(content, read).join(' ').split(/\s+/).length
    }
  }
  throw new Error(`The interview of ${story.id} about ${complaint} does not end: ${unsaid.slice(-3).join(', ')}.`)
}

const idAt = (content: Content, slot: number): string => content.questions[slot]?.question.id ?? ''

/** What the person of a story says to a question; undefined where the story is silent and there is no "no". */
export function personOf(
  content: Content,
  story: Story,
  complaint = story.complaint,
): (question: AskedQuestion) => Value | undefined {
  const facts = withImplied(content, story)
  return (question) => {
    const said = saidOf(content, facts, question, story, complaint)
    return said !== undefined && refuseValue(question, said, question.offered ?? []) === undefined ? said : undefined
  }
}

function saidOf(
  content: Content,
  facts: ReadonlyMap<string, Value>,
  question: AskedQuestion,
  { opening, complaint: ownComplaint }: Story,
  complaint: string,
): Value | undefined {
  const { id, offered = [] } = question
  if (id === 'matter') return opening.en ?? ''
  if (id === 'complaints') return [offered.includes(complaint) ? complaint : 'general']
  if (facts.has(id)) return onlyOffered(facts.get(id) ?? null, question)
  if (id === 'issue_type') return 'regular'
  if (id === 'background') return background(content, facts)
  if (id === 'general_area') return AREAS[ownComplaint] ?? ['whole']
  if (id === 'general_part') return partsOf(facts.get('general_area') ?? AREAS[ownComplaint] ?? ['whole'])
  // A duration is the same whichever question asks for it.
  if (question.kind === 'duration') return [...facts].find(([other]) => other.endsWith('duration'))?.[1] ?? undefined
  return id === 'for_whom' ? 'self' : negativeAnswer(question)
}

/** The parts of the body that hold these areas. */
function partsOf(areas: Value): Value {
  const named = Array.isArray(areas) ? areas : []
  const parts = Object.keys(PARTS).filter((part) => PARTS[part]?.some((area) => named.includes(area)))
  return parts.length > 0 ? parts : ['none']
}

/** Which background options apply, from the illnesses, medicines, allergies and immune defence that the story names. */
function background(content: Content, facts: ReadonlyMap<string, Value>): Value {
  const called = content.questions.flatMap(({ question: { id, followUp } }) => {
    const value = facts.get(id)
    const isThere = Array.isArray(value) && value.some((option) => option !== 'none')
    return followUp?.of === 'background' && isThere ? (followUp.options ?? []) : []
  })
  return called.length > 0 ? called : ['none']
}

function onlyOffered(value: Value, { offered }: AskedQuestion): Value {
  if (!Array.isArray(value) || !offered) return value
  const kept = value.filter((option) => offered.includes(option))
  return kept.length > 0 ? kept : ['none']
}

function withImplied(content: Content, { facts }: Story): ReadonlyMap<string, Value> {
  const all = new Map(facts)
  for (const [id, value] of facts) {
    if (value !== true) continue
    for (const slot of content.relations[content.slotOf.get(id) ?? -1]?.implies ?? []) {
      const implied = content.questions[slot]?.question.id
      if (implied !== undefined) all.set(implied, true)
    }
  }
  return all
}

/** Of the menu only what was heard stands open; the rest is searched or found by the body. */
const complaintsIn = (answers: readonly Answer[]): number =>
  answers.find(({ question }) => question === 'matter')?.heard?.complaints.length ?? 0

const rowsOf = ({ kind, offered }: AskedQuestion): number =>
  kind === 'sign' ? 1 : kind === 'yesno' ? 2 : (offered ?? []).filter((option) => option !== 'none').length

function textsOf(content: Content, { id, offered = [] }: AskedQuestion): string[] {
  const text = (path: string) => say(content, 'en', path, { who: 'self' }) ?? ''
  return [text(`question.${id}.text`), ...offered.map((option) => text(`question.${id}.option.${option}.text`))]
}

export const rankOf = (level: Level | null): number => (level ? LEVELS.indexOf(level) : LEVELS.length)
