import { setTimeout as wait } from 'node:timers/promises'
import { KNOWN_AFTER_SECONDS, removeOlderKeys, useAccountKey } from '../../account/sealing/account-key.ts'
import type { Core } from '../../events/core.ts'
import { answerPlace } from '../../events/delivery/body.ts'
import { endpointPlace, ownerOf } from '../../events/delivery/endpoint.ts'
import { findAccount } from '../../store/accounts.ts'
import { type Db, StatementTimeout } from '../../store/database/db.ts'
import { SealBroken, type SealContext } from '../../store/seal.ts'
import { type AccountKey, keyNumberOf, sessionKeyPlace } from '../../store/sealing/account-key.ts'
import { closeOlderKeys, type KeyChange, listKeyChanges } from '../../store/sealing/account-keys.ts'
import {
  countToReseal,
  holdWalk,
  listSealedKeys,
  moveWalk,
  type Opener,
  RESEALING_TURN,
  resealOthers,
  resealSessions,
} from '../../store/sealing/resealing.ts'
import { idempotentPlace } from '../create.ts'

const ACTOR = 'fyr'
/** Few enough to keep each transaction short. */
const AT_ONCE = 200
/** By then every request that began with the key of before has ended. */
const SETTLED_AFTER_SECONDS = 60
/** The rest of the time belongs to patients: one part work, four parts pause. */
const PAUSE = 4

/**
 * Carries on with every account key that is being replaced: lets it seal once every node knows it, seals anew what older
 * keys sealed, and deletes those when nothing is left. Any node may do it and only one does; killed at any point, it or
 * another goes on from the last batch.
 */
export async function carryOnResealing(core: Core, stop: AbortSignal): Promise<void> {
  if ((await listKeyChanges(core.db)).length === 0) return
  await core.db.exclusively(RESEALING_TURN, async () => {
    const failed: unknown[] = []
    for (const change of await listKeyChanges(core.db))
      await carryOn(core, change, stop).catch((error: unknown) => failed.push(error)) // the others go on
    if (failed.length > 0) throw failed[0]
  })
}

async function carryOn(core: Core, change: KeyChange, stop: AbortSignal): Promise<void> {
  const { account_id: accountId, number, used_seconds: used } = change
  if (used === null) {
    if (change.added_seconds >= KNOWN_AFTER_SECONDS) await useAccountKey(core, accountId, number, ACTOR)
    return
  }
  if (used < SETTLED_AFTER_SECONDS) return
  if (!change.is_only) await closeOlderKeys(core.db, accountId, number, await countedInTime(core.db, accountId, number))
  while (!stop.aborted) {
    const began = performance.now()
    const outcome = await resealSome(core, accountId, number)
    if (outcome === 'gone') return
    if (outcome === 'done') return removeOlderKeys(core, accountId, number, ACTOR)
    await wait((performance.now() - began) * PAUSE, null, { signal: stop }).catch(() => {})
  }
}

/** Counting is for people alone: where it takes too long, it is left out. */
function countedInTime(db: Db, accountId: string, number: number): Promise<number | null> {
  return countToReseal(db, accountId, number).catch((error: unknown) => {
    if (error instanceof StatementTimeout) return null
    throw error
  })
}

/** One batch. Done when a whole look through everything met nothing that is left to do; gone when its account is, or when another key has replaced it. */
function resealSome(core: Core, accountId: string, number: number): Promise<'more' | 'done' | 'gone'> {
  return core.db.transaction(async (tx) => {
    const account = await findAccount(tx, accountId)
    const walk = await holdWalk(tx, accountId, number)
    if (!account || !walk) return 'gone'
    const key = core.keyring.openAccountKey(accountId, account.sealed_key)
    if (key.sealsWith !== number) return 'gone' // replaced itself: the newer key has its own look
    const page = await listSealedKeys(tx, accountId, walk, AT_ONCE)
    const old = page.flatMap(({ id, sealed }) =>
      sealed && keyNumberOf(sealed) !== number
        ? changed(id, sealed, anew(key, sessionKeyPlace(accountId, id))(sealed))
        : [],
    )
    const done = await resealSessions(tx, accountId, old)
    const met = walk.met || old.length > 0
    const last = page.at(-1)
    if (last && page.length === AT_ONCE) {
      await moveWalk(tx, accountId, number, { after: last.id, met }, done)
      return 'more'
    }
    const others = await resealRest(tx, accountId, number, key)
    await moveWalk(tx, accountId, number, { after: null, met: false }, done + others)
    return !met && others === 0 ? 'done' : 'more'
  })
}

const changed = (id: string, before: Buffer, after: Buffer | null) => (after ? [{ id, before, after }] : [])

/** Null for what was changed outside the program and opens with no key: it stays as it is, for verify to name. */
const anew = (key: AccountKey, place: SealContext) => (sealed: Buffer) => {
  try {
    return key.seal(place, key.unseal(place, sealed))
  } catch (error) {
    if (error instanceof SealBroken) return null
    throw error
  }
}

function resealRest(tx: Db, accountId: string, number: number, key: AccountKey): Promise<number> {
  const ofEndpoint = (field: 'url' | 'token') => (configurationId: string, endpoint: string) =>
    anew(key, endpointPlace(accountId, ownerOf({ configuration_id: configurationId, endpoint }), field))
  const reseal: Opener = {
    response: (keyHash) => anew(key, idempotentPlace(accountId, keyHash)),
    url: ofEndpoint('url'),
    token: ofEndpoint('token'),
    secret: (id) => anew(key, endpointPlace(accountId, id, 'secret')),
    answer: (deliveryId) => anew(key, answerPlace(accountId, deliveryId)),
  }
  return resealOthers(tx, accountId, number, reseal, AT_ONCE)
}
