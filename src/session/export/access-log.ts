import { readAsFarAsItFits } from '../../account/configuration.ts'
import type { Language } from '../../engine/content.ts'
import type { Core } from '../../events/core.ts'
import { findAccount } from '../../store/accounts.ts'
import { type AuditEntry, listEntriesOfSession } from '../../store/audit.ts'
import { listConfigurations } from '../../store/configurations.ts'
import { type KeyRow, listKeys } from '../../store/keys.ts'
import { LOG_WORDS, type LoggedAction, type Unnamed } from './log-words.ts'

/** Who acts: a program by its key, a clinician, an operator, whoever answered, or the service itself. */
export const ACTOR_KINDS = ['key', 'clinician', 'operator', 'user', 'service'] as const

/** One line of a session's access log: who did or saw what, when, and for which unit. */
export type AccessLogEntry = {
  timestamp: string
  kind: (typeof ACTOR_KINDS)[number]
  /** In words: the key by its note, the clinician by their identifier, the operator by name. */
  who: string
  /** The unit on whose behalf: account and configuration. Null where it was for none, such as the operator's. */
  unit: string | null
  /** In words. */
  what: string
  /** The name of what was done, as in the audit entry. */
  action: string
  fileId: string | null
}

/**
 * The access log of one session, oldest first, that its patient can be given; also of an erased one. An entry of a list
 * names other patients' sessions too, so nothing of its detail is told.
 */
export async function accessLogOf(
  core: Core,
  accountId: string,
  { id: sessionId, configuration_id: configurationId }: { id: string; configuration_id: string },
  language: Language,
): Promise<AccessLogEntry[]> {
  const entries = await listEntriesOfSession(core.db, accountId, sessionId)
  const keys = new Map((await listKeys(core.db, accountId)).map((key) => [key.id, key]))
  const unit = await unitOf(core, accountId, configurationId)
  return entries.map((entry) => {
    const { kind, who } = whoOf(entry.actor, keys, language)
    return {
      timestamp: entry.at.toISOString(),
      kind,
      who,
      unit: kind === 'operator' || kind === 'service' ? null : unit,
      what: whatOf(entry.action, language),
      action: entry.action,
      fileId: fileOf(entry),
    }
  })
}

/** The account and the configuration by their names; keys and visits open sessions of their own configuration only. */
async function unitOf({ db }: Core, accountId: string, configurationId: string): Promise<string> {
  const account = (await findAccount(db, accountId))?.name ?? accountId
  const found = (await listConfigurations(db, accountId)).find(({ id }) => id === configurationId)
  if (!found) return account
  const { name } = readAsFarAsItFits(found.document)
  return name === account ? `${account} (${found.slug})` : `${account}, ${name} (${found.slug})`
}

function whoOf(
  actor: string,
  keys: ReadonlyMap<string, KeyRow>,
  language: Language,
): Pick<AccessLogEntry, 'kind' | 'who'> {
  const [kind, ...rest] = actor.split(':')
  const name = rest.join(':')
  const unnamed = (one: Unnamed) => LOG_WORDS[language].who[one]
  if (kind === 'key') return { kind, who: keyWords(keys.get(name), name) }
  if (kind === 'clinician') return { kind, who: name }
  if (kind === 'operator') return { kind, who: name ? `${unnamed('operator')}: ${name}` : unnamed('operator') }
  if (kind === 'user') return { kind, who: unnamed('user') }
  return { kind: 'service', who: unnamed(kind === 'retention' ? 'retention' : 'service') }
}

const keyWords = (key: KeyRow | undefined, id: string): string =>
  key ? [key.note.trim(), key.note.trim() ? `(${key.hint})` : key.hint].filter(Boolean).join(' ') : id

/** An action without words, of a newer version for instance, is told by its name. */
const whatOf = (action: string, language: Language): string =>
  action in LOG_WORDS[language].did ? LOG_WORDS[language].did[action as LoggedAction] : action

const fileOf = ({ detail }: AuditEntry): string | null => (typeof detail.file === 'string' ? detail.file : null)
