import type { Language, LedgerEntry, Outcome, Step } from '../../engine/content.ts'
import { outcomeSoFar } from '../../engine/deciding/conclude.ts'
import { findingsFrom } from '../../engine/deciding/findings.ts'
import { perLanguage } from '../../engine/languages.ts'
import { loadContent } from '../../engine/load.ts'
import type { Core } from '../../events/core.ts'
import { fail } from '../../problems.ts'
import { listUploadRows } from '../../store/uploads.ts'
import { findUserById } from '../../store/users.ts'
import { storedOutcome } from '../end.ts'
import { stepAfter } from '../interview/said.ts'
import { type Speech, speechFor } from '../interview/speech.ts'
import { openUserSession, type UserSession } from '../interview/user.ts'
import type { Releases } from '../releases.ts'

export { tagOf } from '../../engine/languages.ts'

/** A file as it is handed over; its bytes stay where they are until someone asks for them. */
export type HandedFile = { id: string; name: string; mimeType: string; size: number; at: Date }

/** A session as it is handed over: what was said, what it came to, and the words for it in one language. */
export type Handoff = {
  user: UserSession
  language: Language
  speech: Speech
  outcome: Outcome
  step: Step
  ledger: readonly LedgerEntry[]
  /** The options of a question that this patient was offered. */
  offered: (question: string) => readonly string[]
  files: readonly HandedFile[]
  /** The moment that everything told here was true: the ending, or the last thing that happened. */
  asOf: Date
}

/** What a session runs on whose triage part could not be set up: no questions, so nothing was asked. */
const NO_CONTENT = loadContent({
  format: 1,
  version: 'none',
  intendedUse: '',
  review: { reviewed: false, by: [] },
  intake: [],
  questions: {},
  findings: {},
  complaints: [],
  words: perLanguage(() => ({})),
  search: perLanguage(() => ({})),
  danger: perLanguage(() => []),
})

/** Opens a session of any status for handing it over. Whoever calls has written the audit entry before. */
export async function openHandoff(
  core: Core,
  releases: Releases,
  accountId: string,
  sessionId: string,
  language: Language,
): Promise<Handoff> {
  const door = (await findUserById(core.db, accountId, sessionId)) ?? fail('session-not-found')
  const opened = await openUserSession(core, releases, door, { none: NO_CONTENT })
  const user = { ...opened, language }
  const step = stepAfter(user.content, user.answers, user.given)
  const findings = findingsFrom(user.content, user.answers)
  const uploads = await listUploadRows(core.db, accountId, sessionId)
  return {
    user,
    language,
    speech: speechFor(user),
    outcome: user.row.status === 'Ended' ? storedOutcome(user) : outcomeSoFar(user.content, user.answers),
    step,
    ledger: step.ledger,
    offered: (question) => findings.offered(user.content.slotOf.get(question) ?? -1),
    files: uploads.flatMap(({ id, sealed_name, mime_type, stored_size, size, ready_at }) =>
      mime_type && ready_at
        ? [
            {
              id,
              name: user.seal.text('upload', sealed_name) ?? '',
              mimeType: mime_type,
              size: stored_size ?? size,
              at: ready_at,
            },
          ]
        : [],
    ),
    asOf: user.row.completed_at ?? user.history.at(-1)?.at ?? user.row.started_at ?? user.row.created_at,
  }
}

/** When the answer that counts was given. */
export const answeredAt = ({ user, asOf }: Handoff, question: string): Date =>
  user.history.findLast((entry) => entry.question === question && !entry.withdrawn)?.at ?? asOf
