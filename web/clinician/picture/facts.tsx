import { useBench } from '../context.ts'
import { dayAndTime, timeTaken } from '../moments.ts'
import { WORDS } from '../words/words.ts'

/** The short reference that the patient reads from the result, and says on the phone. */
const shortReference = (sessionId: string): string => `${sessionId.slice(0, 4)} ${sessionId.slice(4, 8)}`.toUpperCase()

/** The session's own facts, for the record. */
export function Facts() {
  const { words, picture } = useBench()
  const { session } = picture
  const moment = (at: string | null) => at && dayAndTime(words, picture, at)
  const facts: readonly (readonly [label: string, value: string | null])[] = [
    [words.status, words.statuses[session.status]],
    [words.matterType, words.types[session.issueType]],
    [words.created, moment(session.createdTimestamp)],
    [words.started, moment(session.startedTimestamp)],
    [words.completed, moment(session.completedTimestamp)],
    [
      words.duration,
      session.startedTimestamp && session.completedTimestamp
        ? timeTaken(words, session.startedTimestamp, session.completedTimestamp)
        : null,
    ],
    [words.patientLanguage, WORDS[session.language].name],
    [words.content, session.contentVersion],
    [words.shortReference, shortReference(session.sessionId)],
    [words.sessionId, session.sessionId],
  ]
  return (
    <section class="card" aria-labelledby="facts">
      <h2 id="facts">{words.facts}</h2>
      <dl class="facts">
        {facts.map(([label, value]) =>
          value ? (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ) : null,
        )}
      </dl>
    </section>
  )
}
