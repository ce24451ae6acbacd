import {
  type Language,
  LEVELS,
  type Level,
  type Outcome,
  type RedFlag,
  type Step,
  type Value,
} from '../../engine/content.ts'
import { hasteOf } from '../../engine/flags.ts'
import type { Core } from '../../events/core.ts'
import type { VisitDoor } from '../../store/visits.ts'
import { contactOf, patientReferenceOf } from '../contact.ts'
import { outcomeOf } from '../end.ts'
import { type Interview, type InterviewParts, readInterview } from '../interview/interview.ts'
import { type Speech, speechFor } from '../interview/speech.ts'
import { titleOf } from '../interview/view.ts'
import { judgementsOf } from '../judgement.ts'
import { languageOf, type Session } from '../open.ts'
import { matterOf } from '../sealed.ts'
import { handedFiles } from '../uploads/handed.ts'
import { userWasPatient } from '../who.ts'
import { chronologyOf } from './chronology.ts'
import { type Evidence, evidenceOf, labelOf, optionLabel } from './clinical-words.ts'
import { cardPassed } from './emergency-card.ts'
import { historyOf } from './history.ts'
import { byPertinence, toldOnce } from './pertinent.ts'
import { changeViews, reasonView } from './reasons.ts'
import { unconfirmedOf } from './unconfirmed.ts'

/** Tells a page cheaply whether there is something new. It reveals nothing about health. */
export const versionOf = ({ version, status, is_active: isActive, files, judgements }: VisitDoor): string =>
  [version, status, isActive ? 'active' : 'left', files, judgements].join('.')

/** Everything a clinician sees of a session, every word in the clinician's language. */
export async function pictureOf(parts: InterviewParts, visit: VisitDoor, session: Session, language: Language) {
  const { core } = parts
  const { row, configuration } = session
  const interview = row.content_version === null ? null : await readInterview(parts, session)
  return {
    version: versionOf(visit),
    language,
    viewer: { auditUserIdentifier: visit.audit_user_identifier, endsTimestamp: visit.ends_at.toISOString() },
    clinic: configuration.name,
    timeZone: session.timeZone,
    session: factsOf(session),
    patient: {
      age: row.patient_age,
      sex: row.patient_sex,
      userWasPatient: userWasPatient(row),
    },
    contact: { ...(contactOf(session) ?? { phone: null, when: null }), reference: patientReferenceOf(session) },
    matter: matterOf(session),
    files: await filesOf(core, session),
    judgements: await judgementsOf(core, session),
    ...(interview ? interviewed(session, interview, language) : NOT_INTERVIEWED),
  }
}

function factsOf({ row, configuration }: Session) {
  return {
    sessionId: row.id,
    status: row.status,
    flow: row.flow,
    isTest: row.is_test,
    issueType: row.issue_type,
    language: languageOf(row.language, configuration),
    contentVersion: row.content_version,
    createdTimestamp: row.created_at.toISOString(),
    startedTimestamp: row.started_at?.toISOString() ?? null,
    completedTimestamp: row.completed_at?.toISOString() ?? null,
    expiresTimestamp: row.active_until.toISOString(),
    ongoing: row.status !== 'Ended' && row.started_at !== null && row.is_active,
  }
}

const filesOf = async (core: Core, session: Session) =>
  (await handedFiles(core, session)).map(({ at, ...file }) => ({ ...file, addedTimestamp: at.toISOString() }))

type Consideration = { label: string; complaint: string; for: Evidence[]; against: Evidence[] }
type Flag = { label: string; of: string | null; state: RedFlag['state'] }
type Interviewed = {
  urgency: { level: Level | null; flag: Outcome['flag']; title: string | null; time: string | null; isFinal: boolean }
  complete: boolean
  card: { at: string; after: string; takenBack: boolean } | null
  complaints: string[]
  reasons: ReturnType<typeof reasonView>[]
  alsoTrue: ReturnType<typeof reasonView>[]
  changes: ReturnType<typeof changeViews>
  redFlags: Flag[]
  unconfirmed: { kind: string; words: string }[]
  history: ReturnType<typeof historyOf>
  considerations: Consideration[]
  told: { title: string; text: string; advice: string[]; safetyNet: string[] } | null
  interview: ReturnType<typeof chronologyOf>
  now: { question: string | null; left: number; lastTimestamp: string | null } | null
  levels: { level: Level; title: string; time: string }[]
  notReviewed: boolean
}

/** A session whose triage part could not be set up has no interview to show. */
const NOT_INTERVIEWED: Interviewed = {
  urgency: { level: null, flag: null, title: null, time: null, isFinal: false },
  complete: false,
  card: null,
  complaints: [],
  reasons: [],
  alsoTrue: [],
  changes: [],
  redFlags: [],
  unconfirmed: [],
  history: [],
  considerations: [],
  told: null,
  interview: [],
  now: null,
  levels: [],
  notReviewed: false,
}

/** The mildest level that is told as soon as it is known. */
const WARNED: Level = 'Level4'

function interviewed(session: Session, interview: Interview, language: Language): Interviewed {
  const { row } = session
  const { history, step } = interview
  const isFinal = row.status === 'Ended'
  const outcome = outcomeOf(session, interview)
  const words = speechFor(session, interview, language)
  const level = isFinal ? outcome.level : (LEVELS[(row.urgency ?? 0) - 1] ?? warnedOf(outcome))
  const reasons = outcome.reasons.map((reason) => reasonView(words, reason))
  const card = cardPassed(words, interview)
  const said = new Map<string, Value>(step.ledger.map(({ question, value }) => [question, value]))
  return {
    urgency: {
      level,
      flag: level === outcome.level ? outcome.flag : null,
      title: level || isFinal ? (words.say(`level.${level ?? 'none'}.title`) ?? null) : null,
      time: level || isFinal ? (words.say(`level.${level ?? 'none'}.time`) ?? null) : null,
      isFinal,
    },
    complete: isFinal && outcome.complete,
    card: card && { at: card.at.toISOString(), after: card.after, takenBack: card.isTakenBack },
    complaints: outcome.complaints.map((id) => words.say(`complaint.${id}.label`) ?? id),
    reasons: reasons.filter((reason) => reason.level === level),
    alsoTrue: [
      ...reasons.filter((reason) => reason.level !== level),
      ...outcome.alsoTrue.map((reason) => reasonView(words, reason)),
    ],
    changes: changeViews(words, outcome, said),
    redFlags: byPertinence(interview.content, outcome.complaints, toldOnce(interview, outcome.redFlags)).map((flag) =>
      flagView(words, flag),
    ),
    unconfirmed: [...unconfirmedOf(interview, outcome)],
    history: historyOf(words, interview),
    considerations: outcome.considerations.map((one) => ({
      label: words.say(`differential.${one.complaint}.${one.differential}`) ?? one.differential,
      complaint: words.say(`complaint.${one.complaint}.label`) ?? one.complaint,
      for: evidenceOf(words, one.for),
      against: evidenceOf(words, one.against),
    })),
    told: isFinal ? toldOf(words, outcome) : null,
    interview: chronologyOf(words, history, step),
    now: isFinal || !row.is_active ? null : nowOf(words, step, history.at(-1)?.at ?? row.started_at),
    levels: LEVELS.map((one) => ({
      level: one,
      title: words.say(`level.${one}.title`) ?? one,
      time: words.say(`level.${one}.time`) ?? '',
    })),
    notReviewed: !interview.isReviewed,
  }
}

/** The level of which the patient was warned so far: what is milder says nothing before the last answer. */
const warnedOf = ({ reasons, alsoTrue }: Outcome): Level | null =>
  LEVELS.slice(0, LEVELS.indexOf(WARNED) + 1).find((one) =>
    [...reasons, ...alsoTrue].some(({ level }) => level === one),
  ) ?? null

const flagView = (words: Speech, { question, option, state }: RedFlag): Flag =>
  option === undefined
    ? { label: labelOf(words, question), of: null, state }
    : { label: optionLabel(words, question, option), of: labelOf(words, question), state }

function toldOf(words: Speech, { level, flag, advice, safetyNet }: Outcome) {
  return {
    title: words.say(`level.${level ?? 'none'}.title`) ?? '',
    text: words.say(`level.${level ?? 'none'}.do`) ?? '',
    advice: advice.flatMap((path) => words.say(path) ?? []),
    safetyNet: safetyNet.flatMap((path) => words.say(path, { haste: hasteOf(flag) }) ?? []),
  }
}

/** Where the patient is at this moment. */
const nowOf = (words: Speech, step: Step, last: Date | null) => ({
  question: step.kind === 'ask' ? askedNow(words, step) : null,
  left: step.progress.left,
  lastTimestamp: last?.toISOString() ?? null,
})

/** What the screen asks; a list of signs is too long to name each. */
function askedNow(words: Speech, step: Extract<Step, { kind: 'ask' }>): string {
  const heading = step.questions.every(({ kind }) => kind === 'sign') ? titleOf(words, step) : null
  return heading ?? step.questions.map(({ id }) => labelOf(words, id)).join(', ')
}
