import type { Language, Level, Outcome, RedFlag } from '../../engine/content.ts'
import { isChild, sexAnswer } from '../../engine/intake.ts'
import { perLanguage } from '../../engine/languages.ts'
import { contactOf, patientReferenceOf } from '../contact.ts'
import { ageWords, reviewNotice } from '../interview/speech.ts'
import { type Evidence, evidence, optionLabel, standingAlone } from '../picture/clinical-words.ts'
import { cardPassed } from '../picture/emergency-card.ts'
import { historyOf, type SectionView } from '../picture/history.ts'
import { toldOnce } from '../picture/pertinent.ts'
import { type ReasonView, reasonView } from '../picture/reasons.ts'
import { unconfirmedOf } from '../picture/unconfirmed.ts'
import { matterOf } from '../sealed.ts'
import { type Answerer, answererOf } from '../who.ts'
import type { Handoff } from './handoff.ts'
import { HANDOFF_WORDS, type HandoffWord } from './words.ts'

export type FlagState = RedFlag['state']
/** Most serious first; denied flags take the least room. */
export const FLAG_STATES = ['present', 'unsure', 'not-asked', 'denied'] as const satisfies readonly FlagState[]

/** What the hand-off says, every word in one language: the PDF lays it out, the FHIR document includes it as text. */
export type Sheet = {
  language: Language
  word: (word: HandoffWord) => string
  clinic: string
  urgency: { level: Level | null; flag: Outcome['flag']; title: string; time: string | null; isFinal: boolean }
  /** What qualifies the urgency: the interview goes on, or was stopped. */
  remark: string | null
  /** The emergency card that was shown, where somebody answered on after it. */
  card: string | null
  /** Who the patient is and who answered; null is not known. */
  patient: { label: string; value: string | null }[]
  /** How the patient can be reached. The text summary leaves it out. */
  contact: { label: string; value: string }[]
  matter: string | null
  complaints: string[]
  reasons: ReasonView[]
  alsoTrue: ReasonView[]
  redFlags: { state: FlagState; heading: string; labels: string[] }[]
  /** Own words that tell of a danger which no sign has confirmed. */
  unconfirmed: string[]
  history: (SectionView & { heading: string })[]
  considerations: { label: string; for: Evidence[]; against: Evidence[] }[]
  facts: { label: string; value: string }[]
  reviewNotice: string | null
}

const LOCALES: Record<Language, string> = { en: 'en-GB', fi: 'fi-FI', no: 'nb-NO', sv: 'sv-SE' }
const FLAG_WORDS = { present: 'present', unsure: 'unsure', 'not-asked': 'notAsked', denied: 'denied' } as const

export function sheetOf(handoff: Handoff): Sheet {
  const { session, interview, language, speech, outcome } = handoff
  const word = (one: HandoffWord) => HANDOFF_WORDS[language][one]
  const flags = interview.step.ledger.length > 0 ? toldOnce(interview, outcome.redFlags) : [] // before the first answer all of them are "not asked"
  return {
    language,
    word,
    clinic: session.configuration.name,
    urgency: urgencyOf(handoff, word),
    remark: remarkOf(handoff, word),
    card: cardOf(handoff, word),
    patient: patientOf(handoff, word),
    contact: contactLines(handoff, word),
    matter: matterOf(session),
    complaints: outcome.complaints.map((id) => speech.say(`complaint.${id}.label`) ?? id),
    reasons: outcome.reasons.map((reason) => reasonView(speech, reason)),
    alsoTrue: outcome.alsoTrue.map((reason) => reasonView(speech, reason)),
    redFlags: FLAG_STATES.map((state) => ({
      state,
      heading: word(FLAG_WORDS[state]),
      labels: standingAlone(
        speech,
        flags.filter((flag) => flag.state === state),
      ),
    })),
    unconfirmed: [...new Set(unconfirmedOf(interview, outcome).map(({ words }) => words))], // one sentence may tell of two dangers
    history: historyOf(speech, interview).map((section) => ({
      ...section,
      heading: word(section.section === 'matter' ? 'request' : section.section),
    })),
    considerations: outcome.considerations.map((one) => ({
      label: speech.say(`differential.${one.complaint}.${one.differential}`) ?? one.differential,
      for: one.for.map((fact) => evidence(speech, fact)),
      against: one.against.map((fact) => evidence(speech, fact)),
    })),
    facts: factsOf(handoff, word),
    reviewNotice: reviewNotice(interview, language),
  }
}

function remarkOf({ session: { row }, outcome }: Handoff, word: Sheet['word']): string | null {
  if (row.status === 'AiSessionNotCreated') return word('notSetUp')
  if (row.status !== 'Ended') return word('ongoing')
  return outcome.complete ? null : word('stopped')
}

function cardOf({ session, interview, language, speech }: Handoff, word: Sheet['word']): string | null {
  const card = cardPassed(speech, interview)
  if (!card) return null
  const at = momentWords(card.at, language, session.timeZone)
  return `${word('cardShown')} ${card.after} (${at}); ${word(card.isTakenBack ? 'takenBack' : 'answeredOn')}`
}

function urgencyOf({ session, speech, outcome }: Handoff, word: Sheet['word']): Sheet['urgency'] {
  const { level, flag } = outcome
  const isFinal = session.row.status === 'Ended'
  const said = level === null ? undefined : speech.say(`level.${level}.title`)
  const time = level === null ? null : (speech.say(`level.${level}.time`) ?? null)
  return { level, flag, title: said ?? word('noUrgency'), time, isFinal }
}

const ANSWERED_BY: Record<Answerer, HandoffWord> = {
  patient: 'byPatient',
  'related-person': 'byOther',
  professional: 'byProfessional',
}

/** The sex as people say it of somebody of that age, and as the clinician's page says it. */
function sexWords({ session: { row }, speech }: Handoff, sex: string, word: Sheet['word']): string {
  if (isChild(row.patient_age) && sex === 'male') return word('boy')
  return isChild(row.patient_age) && sex === 'female' ? word('girl') : optionLabel(speech, 'sex', sex)
}

function patientOf(handoff: Handoff, word: Sheet['word']): Sheet['patient'] {
  const { session, speech } = handoff
  const { row } = session
  const answer = row.patient_sex === null ? undefined : sexAnswer(row.patient_sex)
  const answerer = answererOf(row)
  return [
    { label: word('age'), value: row.patient_age === null ? null : ageWords(speech, row.patient_age) },
    { label: word('sex'), value: answer === undefined ? null : sexWords(handoff, answer, word) },
    ...(answerer === null ? [] : [{ label: word('answeredBy'), value: word(ANSWERED_BY[answerer]) }]),
  ]
}

function contactLines({ session }: Handoff, word: Sheet['word']): Sheet['contact'] {
  const contact = contactOf(session)
  const lines: [HandoffWord, string | null][] = [
    ['phone', contact?.phone ?? null],
    ['reachedWhen', contact?.when ?? null],
    ['reference', patientReferenceOf(session)],
  ]
  return lines.flatMap(([one, value]) => (value === null ? [] : [{ label: word(one), value }]))
}

function factsOf({ session, language }: Handoff, word: Sheet['word']): Sheet['facts'] {
  const { row, timeZone } = session
  const moments: [HandoffWord, Date | null][] = [
    ['created', row.created_at],
    ['started', row.started_at],
    ['completed', row.completed_at],
  ]
  return [
    ...moments.flatMap(([one, at]) => (at ? [{ label: word(one), value: momentWords(at, language, timeZone) }] : [])),
    { label: word('language'), value: languageName(row.language, language) },
    ...(row.content_version === null ? [] : [{ label: word('content'), value: row.content_version }]),
    { label: word('identifier'), value: row.id },
  ]
}

/** Making one takes a hundred times as long as using it. */
const languageNames = perLanguage((language) => new Intl.DisplayNames(LOCALES[language], { type: 'language' }))
const languageName = (name: string, language: Language): string =>
  languageNames[language].of(name === 'no' ? 'nb' : name) ?? name

const clocks = perLanguage(() => new Map<string, Intl.DateTimeFormat>())
/** One for each time zone that the accounts here are in. */
function clockOf(language: Language, timeZone: string): Intl.DateTimeFormat {
  const known = clocks[language].get(timeZone)
  if (known) return known
  const fresh = new Intl.DateTimeFormat(LOCALES[language], { dateStyle: 'long', timeStyle: 'short', timeZone })
  clocks[language].set(timeZone, fresh)
  return fresh
}

/** A moment in the account's time zone, in the notation of the language; only plain spaces, which every font has. */
export const momentWords = (at: Date, language: Language, timeZone: string): string =>
  clockOf(language, timeZone)
    .format(at)
    .replace(/[\u00a0\u2009\u202f]/g, ' ')
