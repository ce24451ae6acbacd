import type { Caller } from '../account/callers.ts'
import { type ConfigurationDocument, readDocument } from '../account/configuration.ts'
import { LANGUAGES, type Language } from '../engine/content.ts'
import type { Core } from '../events/core.ts'
import type { SessionRow } from '../store/sessions.ts'
import type { SessionDoor } from '../store/users.ts'
import { SessionSeal } from './sealed.ts'

/**
 * An open session: where it belongs, what is stored of it, and the seal that opens it. A request opens its session once and hands it down;
 * what its door knows besides (the user's proof, the clinician's visit, the caller) goes beside it.
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

/** Opens a stored session with its account's key; one that was changed past the program is not opened. This is no audit entry: who reads for a key or a clinician starts in read.ts. */
export function openSession(place: Place, row: SessionRow): Session {
  const { accountId, accountKey, timeZone, slug, configuration } = place
  const seal = SessionSeal.open(accountId, accountKey, row.id, row.sealed_key)
  seal.expectState(row)
  return { accountId, timeZone, slug, configuration, row, seal }
}

/** Opens the session that stands at a door, under a configuration as the door's own, or what could be read of it. */
export function openDoor({ keyring }: Core, door: SessionDoor, configuration: ConfigurationDocument): Session {
  const { account_id: accountId, time_zone: timeZone, slug } = door
  const accountKey = keyring.openAccountKey(accountId, door.sealed_account_key)
  return openSession({ accountId, accountKey, timeZone, slug, configuration }, door.session)
}

/** The configuration as users meet it; null when it was switched off or does not fit. */
export function configurationOf({
  enabled,
  document,
}: Pick<SessionDoor, 'enabled' | 'document'>): ConfigurationDocument | null {
  const read = enabled ? readDocument(document) : null
  return read && 'document' in read ? read.document : null
}

/** A language that the configuration speaks: the wished one if it does. */
export const languageOf = (text: string, configuration: ConfigurationDocument): Language =>
  LANGUAGES.find((language) => language === text && configuration.languages.includes(language)) ??
  configuration.defaultLanguage
