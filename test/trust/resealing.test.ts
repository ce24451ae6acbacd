import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addAccountKey, useAccountKey } from '../../src/account/sealing/account-key.ts'
import { carryOnResealing } from '../../src/session/upkeep/reseal.ts'
import { listKeyProgress } from '../../src/store/sealing/account-keys.ts'
import { send } from '../world/call.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})
afterAll(() => world.close())

/** An account whose key was replaced so long ago that what the old one sealed may be sealed anew. */
async function replacing(): Promise<Clinic> {
  const { core } = world.app
  const clinic = await world.clinic()
  await send(`${world.url}/api/v1/session`, 'POST', { key: clinic.key, json: { text: 'A cough' } })
  const number = (await addAccountKey(core, clinic.accountId, 'test')) ?? expect.fail('no key was added')
  await useAccountKey(core, clinic.accountId, number, 'test')
  await world.sql(
    `update account_keys set used_since = now() - interval '1 hour' where account_id = $1 and number = $2`,
    [clinic.accountId, number],
  )
  return clinic
}

const progressOf = async ({ accountId }: Clinic) =>
  (await listKeyProgress(world.app.core.db)).find(({ account_id: id }) => id === accountId)

/** Goes on for a while: something that never ends is stopped, and seen by what it left undone. */
const carryOn = () => carryOnResealing(world.app.core, AbortSignal.timeout(20_000))

test('values that are not there are none to seal anew: a test event without an answer, an endpoint without a token', async () => {
  const clinic = await replacing()
  const [row] = await world.sql(
    `insert into webhook_deliveries (account_id, configuration_id, endpoint, type, state, settled_at)
     values ($1, $2, 'main', 'webhook.test', 'failed', now()) returning id`,
    [clinic.accountId, clinic.configurationId],
  )
  await world.sql(
    `insert into webhook_attempts (account_id, delivery_id, number, at, error) values ($1, $2, 1, now(), 'no-connection')`,
    [clinic.accountId, row?.id],
  )
  await carryOn()
  expect(await progressOf(clinic)).toMatchObject({ number: 2, resealed_at: expect.any(Date) })
})

test('an account that is removed on the way holds up no other', async () => {
  const [leaving, staying] = [await replacing(), await replacing()]
  const remover = new pg.Client({ connectionString: world.databaseUrl })
  await remover.connect()
  await remover.query('begin')
  await remover.query('delete from account_keys where account_id = $1', [leaving.accountId])
  const carried = carryOn() // the list still names it
  await expect
    .poll(() =>
      world.sql(`select from pg_stat_activity where wait_event_type = 'Lock' and query ilike '%account_keys%'`),
    )
    .not.toEqual([])
  await remover.query('commit')
  await remover.end()
  await carried
  expect(await progressOf(leaving)).toBeUndefined()
  expect(await progressOf(staying)).toMatchObject({ resealed_at: expect.any(Date) })
})
