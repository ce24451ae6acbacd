import { type ConfigurationDocument, readAsFarAsItFits, readDocument } from '../../account/configuration.ts'
import type { Answer, Language, Step } from '../../engine/content.ts'
import { LANGUAGES } from '../../engine/content.ts'
import type { Given } from '../../engine/interview.ts'
import type { Content } from '../../engine/load.ts'
import type { Core } from '../../events/core.ts'
import { fail } from '../../problems.ts'
import { listAnswers } from '../../store/answers.ts'
import type { Proof, UserDoor } from '../../store/users.ts'
import type { Releases } from '../releases.ts'
import { SessionSeal } from '../sealed.ts'
import { answersOf, givenOf, type HistoryEntry, readEntry, stepAfter } from './said.ts'

/** A session opened for whoever answers in it: everything that a request of theirs needs. */
export type UserSession = {
  accountId: string
  timeZone: string
  slug: string
  configuration: ConfigurationDocument
  /** Which state of the configuration this was read from. */
  revision: number
  row: UserDoor['session']
  seal: SessionSeal
  language: Language
  history: readonly HistoryEntry[]
  answers: readonly Answer[]
  /** What create was told, to be confirmed. */
  given: Given
  content: Content
  /** Whether the account's own clinicians have signed that content. */
  isReviewed: boolean
  /** Where the interview stands with these answers. */
  step: Step
  fileCount: number
  isActive: boolean
  /** What the user proved themselves with; null where the service or a clinician looks. */
  proof: Proof | null
}

export type Opening = {
  /** Stands in for the content of a session where it was never set; without it such a session can't be opened. */
  none?: Content | null
  proof?: Proof | null
  /** The session is to be ended. That goes on when its configuration was switched off or does not fit any more: an emergency must not be lost with it. */
  ending?: boolean
}

export async function openUserSession(
  core: Core,
  releases: Releases,
  door: UserDoor,
  { none = null, proof = null, ending = false }: Opening = {},
): Promise<UserSession> {
  const configuration = configurationOf(door) ?? (ending ? readAsFarAsItFits(door.document) : null)
  if (!configuration) return fail('configuration-not-found')
  const { session: row, account_id: accountId } = door
  const accountKey = core.keyring.openAccountKey(accountId, door.sealed_account_key)
  const seal = SessionSeal.open(accountId, accountKey, row.id, row.sealed_key)
  const content = row.content_version === null ? none : await releases.content(row.content_version)
  if (!content) return fail('content-unavailable', { headers: { 'retry-after': '5' } })
  const given = givenOf(row, seal.text('givenMatter', row.sealed_given_matter))
  const { history, step } = releases.recent.at(row.id, row.version, content) ?? (await goneThrough())
  const user = {
    accountId,
    timeZone: door.time_zone,
    slug: door.slug,
    configuration,
    revision: door.revision,
    row,
    seal,
    language: languageOf(row.language, configuration),
    history,
    answers: answersOf(history),
    given,
    content,
    isReviewed: await releases.isReviewed(accountId, row.content_version),
    step,
    fileCount: door.file_count,
    isActive: door.is_active,
    proof,
  }
  // What was opened by way of exception must not be answered on.
  if (!ending && content !== none) releases.recent.keep(user)
  return user

  async function goneThrough() {
    const stored = await listAnswers(core.db, accountId, row.id, row.version)
    const entries = stored.map(({ seq, id, at, sealed }) => ({
      id,
      at,
      ...readEntry(seal.open(`answer ${seq}`, sealed)),
    }))
    const step = stepAfter(content ?? fail('content-unavailable'), answersOf(entries), given)
    return { history: entries, step }
  }
}

/** The configuration as users meet it; null when it was switched off or does not fit. */
export function configurationOf({
  enabled,
  document,
}: Pick<UserDoor, 'enabled' | 'document'>): ConfigurationDocument | null {
  const read = enabled ? readDocument(document) : null
  return read && 'document' in read ? read.document : null
}

export const languageOf = (text: string, configuration: ConfigurationDocument): Language =>
  LANGUAGES.find((language) => language === text && configuration.languages.includes(language)) ??
  configuration.defaultLanguage
