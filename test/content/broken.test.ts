// @module-tag thorough
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CompiledRelease, FORMAT } from '../../src/engine/content.ts'
import { activate, EVERYWHERE } from '../../src/session/content/activate.ts'
import { keepText, readText, releaseSeal, sha256Of } from '../../src/store/content/releases.ts'
import { send } from '../world/call.ts'
import { commandLine } from '../world/command.ts'
import { activeRelease, edit, publishChanged, smallFolder } from '../world/content.ts'
import { spawnNode } from '../world/nodes.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'

const LONG = 300_000

let world: World
let clinic: Clinic
let active: CompiledRelease
const { fyr } = commandLine(() => world)

beforeAll(async () => {
  world = await newWorld()
  clinic = await world.clinic()
  active = await activeRelease(world)
})
afterAll(() => world.close())

/** What a session is and begins with that is made now. */
async function newSession(url = world.url, { key } = clinic): Promise<unknown[]> {
  const { body } = await send(`${url}/api/v1/session`, 'POST', { key })
  const { sessionId, sessionStatus } = body as { sessionId: string; sessionStatus: string }
  const [row] = await world.sql('select content_version from sessions where id = $1', [sessionId])
  return [sessionStatus, row?.content_version]
}

/** What somebody can do who writes to the database but has no master key: the guard against changes is switched off. */
async function tamper(text: string, values: unknown[]): Promise<void> {
  for (const table of ['content_releases', 'content_texts'])
    await world.sql(`alter table ${table} disable trigger ${table}_stay`)
  await world.sql(text, values)
  for (const table of ['content_releases', 'content_texts'])
    await world.sql(`alter table ${table} enable trigger ${table}_stay`)
}

/** Stores a release as this deployment would, whatever is in it. */
async function store(version: string, release: object): Promise<void> {
  const compiled = JSON.stringify(release)
  const sha256 = sha256Of(compiled)
  await keepText(world.app.core.db, sha256, compiled)
  await world.sql(
    `insert into content_releases (version, sha256, source_sha256, checks, published_by, seal) values ($1, $2, $3, '{}', 'test', $4)`,
    [version, sha256, version, releaseSeal(world.app.core.keyring, version, sha256)],
  )
}

const THROAT = 'complaints/sore-throat'

test('B26: broken content is not published: every mistake is named with file and line, and what was active goes on', {
  tags: 'slice',
  timeout: LONG,
}, async () => {
  const folder = await smallFolder('2050.1.0')
  try {
    await edit(join(folder, THROAT, 'complaint.yaml'), 'when: course ==', 'when: cuorse ==')
    await edit(join(folder, THROAT, 'complaint.yaml'), 'when: pain_severity >= 8', `when: matter.matches("(a+)+$")`)
    await edit(join(folder, THROAT, 'fi.yaml'), '    why: Useimmiten kurkkukipu helpottaa viikossa.\n', '')
    await edit(join(folder, THROAT, 'sv.yaml'), 'reason: Febern är mycket hög.', "reason: 'Febern är {temperature}.'")
    const run = await fyr('content', 'publish', folder)
    expect(run.code).toBe(1)
    const at = `content/${THROAT}`
    for (const said of [
      `${at}/complaint\\.yaml:\\d+: .*there is no question or finding "cuorse"`,
      `${at}/complaint\\.yaml:\\d+: Rule severe-pain: when: .*`,
      `${at}/fi\\.yaml:\\d+: The fi text for .* is missing`,
      `${at}/sv\\.yaml:\\d+: .*uses {temperature}, which nothing fills`,
    ])
      expect(run.err).toMatch(new RegExp(said))
    expect((await fyr('content', 'releases')).out).not.toContain('2050.1.0')
    expect(await newSession()).toEqual(['Created', active.version])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test('the text of a release comes back as it was stored, however long and in whatever letters', {
  tags: 'slice',
}, async () => {
  const text = `a${'😀'.repeat(700_000)}`
  await keepText(world.app.core.db, 'letters', text)
  expect((await readText(world.app.core.db, 'letters')) === text).toBe(true)
})

test(
  'a node that cannot read its content at its start, because the database is busy, waits for it',
  async () => {
    const holder = new pg.Client({ connectionString: world.databaseUrl })
    await holder.connect()
    await holder.query('begin; lock table content_texts in access exclusive mode')
    const starting = spawnNode({ DATABASE_URL: world.databaseUrl, MASTER_KEY: world.masterKey.toString('base64') })
    const blocked = `select 1 from pg_locks join pg_class on pg_class.oid = relation where relname = 'content_texts' and not granted`
    const isBlocked = async () => (await world.sql(blocked)).length > 0
    try {
      // It was refused once by the lock, and asks again.
      await expect.poll(isBlocked, { timeout: 120_000, interval: 20 }).toBe(true)
      await expect.poll(isBlocked, { timeout: 60_000, interval: 20 }).toBe(false)
      await expect.poll(isBlocked, { timeout: 60_000, interval: 20 }).toBe(true)
    } finally {
      await holder.query('rollback')
      await holder.end()
    }
    const node = await starting
    expect(await newSession(node.url)).toEqual(['Created', active.version])
    await node.stop()
  },
  LONG,
)

describe('a release that is not what was published is never used', () => {
  test('published releases refuse to be changed by plain statements', { tags: 'slice' }, async () => {
    for (const text of [
      `update content_releases set sha256 = ''`,
      'delete from content_releases',
      'truncate content_releases cascade',
      `update content_texts set text = '{}'`,
      'delete from content_texts',
      'truncate content_texts',
    ])
      await expect(world.sql(text)).rejects.toThrow('published releases never change')
  })

  test(
    'A52: an edited row is refused by nodes, commands and verify, whether its hash was edited with it or not',
    async () => {
      const demote = `replace(text, '"level":"Level1"', '"level":"Level6"')`
      const ofRelease = 'sha256 = (select sha256 from content_releases where version = $1)'
      await publishChanged(world, '2051.1.0')
      await publishChanged(world, '2051.2.0')
      await tamper(`update content_texts set text = ${demote} where ${ofRelease}`, ['2051.1.0'])
      await tamper(
        `with edited as (select part, ${demote} as text from content_texts where ${ofRelease}),
           hashed as (select encode(sha256(convert_to(string_agg(text, '' order by part), 'UTF8')), 'hex') as sha256 from edited),
           stored as (insert into content_texts select hashed.sha256, part, text from edited, hashed)
         update content_releases set sha256 = (select sha256 from hashed) where version = $1`,
        ['2051.2.0'],
      )
      for (const [version, fault] of [
        ['2051.1.0', 'its text is not the one that was published'],
        ['2051.2.0', 'its hash was not written by this deployment'],
      ] as const) {
        const run = await fyr('content', 'activate', version)
        expect([run.code, run.err]).toEqual([1, expect.stringContaining(fault)])
        expect((await fyr('content', 'releases')).out).toContain(`${version}  refused: ${fault}`)
        const verified = await fyr('content', 'verify')
        expect([verified.code, verified.out]).toEqual([1, expect.stringContaining(`release ${version}: ${fault}`)])
      }
    },
    LONG,
  )

  test(
    'an activation written past the program: running nodes go on with what they had, a new one serves nothing, and verify tells',
    async () => {
      await world.sql(
        `insert into content_activations (account_id, configuration_id, version, before, activated_by) values ($1, $1, '2051.1.0', $2, 'x')`,
        ['00000000-0000-0000-0000-000000000000', active.version],
      )
      await world.sql(`select pg_notify('fyr_content', '{}')`)
      await expect.poll(() => world.log()).toContain('a content release is refused: it cannot be loaded')
      expect(await newSession()).toEqual(['Created', active.version])
      const node = await spawnNode({ DATABASE_URL: world.databaseUrl, MASTER_KEY: world.masterKey.toString('base64') })
      try {
        expect(await newSession(node.url)).toEqual(['AiSessionNotCreated', null])
        expect(node.log()).toContain('its text is not the one that was published')
      } finally {
        await node.stop()
      }
      const verified = await fyr('content', 'verify')
      expect(verified.out).toContain(
        `active in the deployment: 2051.1.0 is in use, but the last one activated on record is ${active.version}`,
      )
      await activate(world.app.core, EVERYWHERE, active.version, 'test')
    },
    LONG,
  )

  test('B26: a release of an unknown format, or that speaks of what it does not hold, is not activated and not loaded', {
    tags: 'slice',
    timeout: LONG,
  }, async () => {
    await store('2052.1.0', { ...active, version: '2052.1.0', format: FORMAT + 1 })
    await store('2052.2.0', { ...active, version: '2052.2.0', intake: [...active.intake, 'nowhere'] })
    for (const [version, fault] of [
      ['2052.1.0', `This release has format ${FORMAT + 1}; format ${FORMAT} is understood.`],
      ['2052.2.0', 'speaks of "nowhere", which it does not contain'],
    ] as const) {
      await expect(activate(world.app.core, EVERYWHERE, version, 'test')).rejects.toMatchObject({
        extra: { errors: [{ message: expect.stringContaining(fault) }] },
      })
    }
    await world.sql(`select pg_notify('fyr_content', 'no notice at all')`)
    expect(await newSession()).toEqual(['Created', active.version])
  })
})
