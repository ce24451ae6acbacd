import type { Core } from '../../events/core.ts'
import { listAccounts } from '../../store/accounts.ts'
import { listConfigurations } from '../../store/configurations.ts'
import { findByReference, readReference } from '../../store/contact.ts'
import { findSessionPlace } from '../../store/export/kept.ts'
import { findSessionOfAccount, type SessionRow } from '../../store/sessions.ts'
import { Refusal } from '../print.ts'

export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export type Found = { accountId: string; slug: string; row: SessionRow }

/** The session by its id, or by the short reference that its patient reads from the page. */
export async function sessionOf(core: Core, given: string): Promise<Found> {
  const id = UUID.test(given) ? given.toLowerCase() : await idBehind(core, given)
  for (const account of await listAccounts(core.db)) {
    const row = await findSessionOfAccount(core.db, account.id, id)
    if (!row) continue
    const configurations = await listConfigurations(core.db, account.id)
    const slug = configurations.find((one) => one.id === row.configuration_id)?.slug ?? '–'
    return { accountId: account.id, slug, row }
  }
  throw new Refusal('There is no such session; perhaps it was erased.')
}

/** The session id behind a patient's short reference; two sessions may share one by chance. */
async function idBehind(core: Core, given: string): Promise<string> {
  const reference = readReference(given)
  if (reference === null) throw new Refusal(`${given} is not the id or the reference of a session.`)
  const ids: string[] = []
  for (const account of await listAccounts(core.db))
    ids.push(...(await findByReference(core.db, account.id, reference)).map(({ id }) => id))
  const [id] = ids
  if (id === undefined) throw new Refusal('There is no such session; perhaps it was erased.')
  if (ids.length > 1) throw new Refusal(`Several sessions have this reference: ${ids.join(', ')}.`)
  return id
}

/** Where a session belongs, also an erased one: what was done to it is still on record. */
export async function placeOf(
  core: Core,
  given: string,
): Promise<{ accountId: string; place: { id: string; configuration_id: string } }> {
  const id = UUID.test(given) ? given.toLowerCase() : await idBehind(core, given)
  for (const account of await listAccounts(core.db)) {
    const place = await findSessionPlace(core.db, account.id, id)
    if (place) return { accountId: account.id, place }
  }
  throw new Refusal('There is no such session.')
}
