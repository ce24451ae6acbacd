import type { Core } from '../../events/core.ts'
import type { Effect } from '../../events/record.ts'
import { fail, invalid } from '../../problems.ts'
import { DEPLOYMENT } from '../../store/accounts.ts'
import type { ConfigurationRow } from '../../store/configurations.ts'
import {
  type Activation,
  findActivation,
  INSERT_ACTIVATION,
  UPDATE_CONTENT_VERSION,
} from '../../store/content/activations.ts'
import { PreconditionFailed } from '../../store/database/db.ts'
import { readRelease } from './stored.ts'

/** Where a release is active: in the whole deployment, or in one configuration. */
export type Place = { accountId: string; configurationId: string; slug: string | null }

export const EVERYWHERE: Place = { accountId: DEPLOYMENT, configurationId: DEPLOYMENT, slug: null }

export const placeOf = ({ account_id: accountId, id: configurationId, slug }: ConfigurationRow): Place => ({
  accountId,
  configurationId,
  slug,
})

/** What new sessions begin with from now on, and what they began with before. No version: what the deployment has. */
export type Activated = { version: string | null; before: string | null; changed: boolean }

/** Makes new sessions begin with a release; sessions that were made before keep theirs. */
export async function activate(core: Core, place: Place, version: string | null, actor: string): Promise<Activated> {
  const last = await currentlyActive(core, place)
  const before = last?.version ?? null
  if (version === before && (last || place.slug !== null)) return { version, before, changed: false }
  try {
    await record(core, place, { version, before }, actor)
  } catch (error) {
    if (error instanceof PreconditionFailed)
      invalid('/version', 'was not activated: somebody else activated another one in the same moment')
    throw error
  }
  return { version, before, changed: true }
}

/** The way back, in one step: new sessions begin with what they did before the last activation. */
export async function activateBefore(core: Core, place: Place, actor: string): Promise<Activated> {
  const last = await currentlyActive(core, place)
  if (!last || (last.before === null && place.slug === null))
    return fail('not-found', { detail: 'There is nothing to go back to: nothing else was active before.' })
  return activate(core, place, last.before, actor)
}

/** For a deployment where nothing was ever activated. Where anything is in use, it changes nothing. */
export async function activateFirst(core: Core, version: string, actor: string): Promise<boolean> {
  if (await currentlyActive(core, EVERYWHERE)) return false
  try {
    await record(core, EVERYWHERE, { version, before: null }, actor)
    return true
  } catch (error) {
    if (error instanceof PreconditionFailed) return false // another node was first
    throw error
  }
}

const currentlyActive = (core: Core, { accountId, configurationId }: Place): Promise<Activation | null> =>
  findActivation(core.db, accountId, configurationId)

async function record(
  core: Core,
  { accountId, configurationId, slug }: Place,
  { version, before }: Pick<Activated, 'version' | 'before'>,
  actor: string,
): Promise<void> {
  const sha256 = version === null ? null : await usable(core, version)
  const activation = { configuration_id: configurationId, slug, version, before, activated_by: actor }
  const effects: Effect[] = [{ statement: INSERT_ACTIVATION, row: activation }]
  if (slug !== null) effects.push({ statement: UPDATE_CONTENT_VERSION, row: { id: configurationId, version } })
  await core.recorder.record({
    accountId,
    actor,
    action: 'content.activated',
    subject: slug === null ? (version ?? '') : configurationId,
    detail: { ...(slug !== null && { configuration: slug }), from: before, to: version, sha256 },
    effects,
  })
}

/** The hash of a release that patients could begin with now. */
async function usable(core: Core, version: string): Promise<string> {
  const stored = await readRelease(core, version)
  if (stored.kind === 'none') return fail('not-found', { detail: `There is no published release ${version}.` })
  if (stored.kind === 'faulty') return invalid('/version', `cannot be activated: ${stored.fault}`)
  return stored.sha256
}
