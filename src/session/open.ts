import type { Caller } from '../account/callers.ts'
import { type ConfigurationDocument, readDocument } from '../account/configuration.ts'
import { LANGUAGES, type Language } from '../engine/content.ts'
import type { Core } from '../events/core.ts'
import type { SessionRow } from '../store/sessions.ts'
import type { SessionDoor } from '../store/users.ts'
import { SessionSeal } from './sealed.ts'

/**
 * An open session: where it belongs, what is stored of it, and the seal that opens it. A request opens its session once
 * and passes it down; what its door adds (the user's proof, the clinician's visit, the caller) is passed beside it.
 */
export type Session = {
  accountId: string
  timeZone: string
  slug: string
  configuration: ConfigurationDocument
  row: SessionRow
  seal: SessionSeal
}

/** The account and configuration that a session belongs to; a caller knows them before there is a session. */
type Place = Pick<Caller, 'accountId' | 'accountKey' | 'timeZone' | 'slug' | 'configuration'>

/** Opens a stored session with its account's key; a row changed outside the program is refused. This writes no audit entry: reads for a key or a clinician start in read.ts. */
export function openSession(place: Place, row: SessionRow): Session {
  const { accountId, accountKey, timeZone, slug, configuration } = place
  const seal = SessionSeal.open(accountId, accountKey, row.id, row.sealed_key)
  seal.expectState(row)
  return { accountId, timeZone, slug, configuration, row, seal }
}

/** Opens the session of a door, with the door's configuration or what could be read of it. */
export function openDoor({ keyring }: Core, door: SessionDoor, configuration: ConfigurationDocument): Session {
  const { account_id: accountId, time_zone: timeZone, slug } = door
  const accountKey = keyring.openAccountKey(accountId, door.sealed_account_key)
  return openSession({ accountId, accountKey, timeZone, slug, configuration }, door.session)
}

/** The configuration for users; null when it was switched off or is not valid. */
export function configurationOf({
  enabled,
  document,
}: Pick<SessionDoor, 'enabled' | 'document'>): ConfigurationDocument | null {
  const read = enabled ? readDocument(document) : null
  return read && 'document' in read ? read.document : null
}

/** The requested language if the configuration has it, else one that it has. */
export const languageOf = (text: string, configuration: ConfigurationDocument): Language =>
  LANGUAGES.find((language) => language === text && configuration.languages.includes(language)) ??
  configuration.defaultLanguage
