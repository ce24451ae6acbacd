// @module-tag thorough
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readSettings } from '../../src/settings.ts'
import { DatabaseAway, sql } from '../../src/store/database/db.ts'
import { migrate } from '../../src/store/database/migrate.ts'
import { openForCommand } from '../../src/store/database/open.ts'
import { send } from '../world/call.ts'
import { brokenInvariants } from '../world/invariants.ts'
import { type ClinicWithWebhook, eventually, newScene, passTheWait, type Scene } from '../world/webhook-scene.ts'
import { newWorld, type World } from '../world/world.ts'
import { expectNothingLost, type Insistent, insistentPatients } from './insistent.ts'
import { type Replicated, startReplicated } from './replicated.ts'

const folder = mkdtempSync(join(tmpdir(), 'fyr-failover-'))

describe('two PostgreSQL servers, one a synchronous standby of the other', () => {
  let servers: Replicated
  let scene: Scene
  let other: World
  let clinic: ClinicWithWebhook

  const urls = () => [scene.world.url, other.url]
  const status = async (url: string) => (await send(`${url}/readyz`, 'GET')).status
  const ready = () =>
    Promise.all(
      urls().map((url) =>
        eventually(
          () => status(url),
          (now) => now === 200,
        ),
      ),
    )
  /** Waits for so many more acknowledged ends. */
  const more = (people: Insistent, count: number) => {
    const before = people.finished.size
    return eventually(() => people.finished.size >= before + count || people.unforeseen.length > 0)
  }

  beforeAll(async () => {
    servers = await startReplicated(folder)
    await migrate(servers.url)
    const place = { url: servers.url, drop: async () => {} }
    scene = await newScene({}, place)
    other = await newWorld(scene.environment, place)
    clinic = await scene.clinic('told')
  })
  afterAll(async () => {
    await other.close()
    await scene.close()
    servers.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const opened = (url: string) =>
    openForCommand(readSettings({ DATABASE_URL: url, MASTER_KEY: scene.world.masterKey.toString('base64') }))

  test('a standby alone is refused with a sentence', async () => {
    await expect(opened(servers.standby.url)).rejects.toThrow(/^The database takes no writes: it is a standby/)
  })

  test('what the standby has not got is not acknowledged; asked again when it is back, it happened once', async () => {
    const create = () =>
      send(`${scene.world.url}/api/v1/session`, 'POST', {
        key: clinic.key,
        json: { text: 'A cough' },
        headers: { 'Idempotency-Key': 'standby-1' },
      })
    servers.standby.pause()
    try {
      expect((await create()).status).toBe(503)
    } finally {
      servers.standby.resume()
    }
    await ready()
    await eventually(
      async () => (await create()).status,
      (status) => status === 201,
    )
    const made = await scene.world.sql('select id from sessions where configuration_id = $1', [clinic.configurationId])
    expect(made).toHaveLength(1)
  })

  test('F04 when the primary is lost and the standby promoted, under load, nodes find it by themselves; nothing acknowledged is lost or doubled, and every end is told', async () => {
    const people = insistentPatients(urls(), clinic.slug)
    await more(people, 6)
    servers.primary.lose()
    await eventually(() => people.refusals() > 0)
    await servers.promote()
    await ready()
    await more(people, 6)
    await people.stop()
    expect(people.finished.size).toBeGreaterThanOrEqual(12)
    await expectNothingLost(scene.world, people)

    await passTheWait(scene, clinic) // what was being sent when the primary was lost
    const waiting = `select count(*)::int as n from webhook_deliveries where state <> 'delivered'`
    await eventually(
      () => scene.world.sql(waiting),
      ([row]) => row?.n === 0,
    )
    const arrived = scene.receiver.arrived('told')
    const ids = Map.groupBy(arrived, ({ body }) => JSON.parse(body).sessionId)
    expect([...ids.keys()].sort()).toEqual([...people.finished].sort())
    for (const [session, told] of ids)
      expect(new Set(told.map(({ headers }) => headers['webhook-id'])).size, session).toBe(1)
    expect(await brokenInvariants(scene.world)).toEqual([])
  })

  test('after it, whoever starts with the same address takes the new primary, also when the old one is back as if nothing had been', async () => {
    const tellsWhere = async () => {
      const store = await opened(servers.url)
      const rows = await store.db.query<{ port: number }>(sql('which_server', 'select inet_server_port() as port'))
      await store.db.close()
      await store.close()
      return `${rows[0]?.port}`
    }
    const { port } = new URL(servers.standby.url)
    expect(await tellsWhere()).toBe(port)
    await servers.primary.start()
    expect(await tellsWhere()).toBe(port)
    servers.standby.lose() // nodes that know of the promotion do not go back
    await eventually(
      () => status(scene.world.url),
      (now) => now === 503,
    )
    await expect(scene.world.app.core.db.transaction((tx) => tx.query(sql('one', 'select 1')))).rejects.toThrow(
      DatabaseAway,
    )
    await expect(scene.world.app.core.db.transaction((tx) => tx.query(sql('one', 'select 1')))).rejects.toThrow(
      DatabaseAway,
    )
    expect(await status(scene.world.url)).toBe(503)
  })
})
