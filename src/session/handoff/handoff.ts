import { FORMAT, type Language, type Outcome } from '../../engine/content.ts'
import { findingsFrom } from '../../engine/deciding/findings.ts'
import { perLanguage } from '../../engine/languages.ts'
import { loadContent } from '../../engine/load.ts'
import { outcomeOf } from '../end.ts'
import { givenOf, type Interview, type InterviewParts, interviewOf, readInterview } from '../interview/interview.ts'
import { type Speech, speechFor } from '../interview/speech.ts'
import type { Session } from '../open.ts'
import { type HandedFile, handedFiles } from '../uploads/handed.ts'

/** A session for hand-off: what was said, its outcome, and the words for it in one language. */
export type Handoff = {
  session: Session
  interview: Interview
  language: Language
  speech: Speech
  outcome: Outcome
  /** The options of a question that this patient was offered. */
  offered: (question: string) => readonly string[]
  files: readonly HandedFile[]
  /** The moment at which all this was true: the ending, or the last thing that happened. */
  asOf: Date
}

/** The content of a session whose triage part could not be set up: no questions, so nothing was asked. */
const NO_CONTENT = loadContent({
  format: FORMAT,
  version: 'none',
  intendedUse: '',
  intake: [],
  questions: {},
  findings: {},
  complaints: [],
  words: perLanguage(() => ({})),
  search: perLanguage(() => ({})),
  danger: perLanguage(() => []),
  dangers: [],
  heard: perLanguage(() => ({})),
  optionWords: perLanguage(() => ({})),
  senses: perLanguage(() => ({})),
  readers: {},
})

/** An open session of any status, for hand-off. The caller has already written the audit entry. */
export async function handoffOf(parts: InterviewParts, session: Session, language: Language): Promise<Handoff> {
  const { row } = session
  const interview =
    row.content_version === null
      ? interviewOf({ content: NO_CONTENT, isReviewed: false }, givenOf(session), [])
      : await readInterview(parts, session)
  const { content, answers, history } = interview
  const findings = findingsFrom(content, answers)
  return {
    session,
    interview,
    language,
    speech: speechFor(session, interview, language),
    outcome: outcomeOf(session, interview),
    offered: (question) => findings.offered(content.slotOf.get(question) ?? -1),
    files: await handedFiles(parts.core, session),
    asOf: row.completed_at ?? history.at(-1)?.at ?? row.started_at ?? row.created_at,
  }
}

/** When the answer that counts was given. */
export const answeredAt = ({ interview, asOf }: Handoff, question: string): Date =>
  interview.history.findLast((entry) => entry.question === question && !entry.withdrawn)?.at ?? asOf
