// @module-tag thorough
import { randomBytes } from 'node:crypto'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { compileContent } from '../../src/engine/compile/release.ts'
import { coreOf } from '../../src/events/core.ts'
import { verifyChain } from '../../src/events/verify.ts'
import { activate, activateFirst, EVERYWHERE } from '../../src/session/content/activate.ts'
import { publishBundled } from '../../src/session/content/bundled.ts'
import { DEPLOYMENT } from '../../src/store/accounts.ts'
import { listAuditEntries } from '../../src/store/audit.ts'
import { findActivation } from '../../src/store/content/activations.ts'
import { BUNDLED_CONTENT, readContentFolder, readProof, sourceHash } from '../../src/store/content/content-files.ts'
import { listReleases, sha256Of } from '../../src/store/content/releases.ts'
import { migrate } from '../../src/store/database/migrate.ts'
import { openPostgres } from '../../src/store/database/postgres.ts'
import { keyringFor } from '../../src/store/sealing/master-key.ts'
import { edit, publishChanged } from '../world/content.ts'
import { administer, databaseUrl } from '../world/database.ts'
import { spawnNode } from '../world/nodes.ts'
import { newWorld, type World } from '../world/world.ts'

const LONG = 300_000

let world: World
beforeAll(async () => {
  world = await newWorld()
})
afterAll(() => world.close())

/** A migrated database in which nothing was ever published. */
async function emptyDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `fyr_empty_${randomBytes(6).toString('hex')}`
  await administer(inject('serverUrl'), `create database ${name}`)
  const url = databaseUrl(inject('serverUrl'), name)
  await migrate(url)
  return {
    url,
    drop: async () => {
      await administer(inject('serverUrl'), `drop database if exists ${name} with (force)`)
    },
  }
}

test('every rule of Level1 to Level3 says what to do first against its danger', { tags: 'slice' }, async () => {
  const { complaints } = compileContent(await readContentFolder(BUNDLED_CONTENT))
  const silent = complaints.flatMap(({ id, rules }) =>
    rules.filter(({ level, first }) => level <= 'Level3' && !first).map((rule) => `${id} ${rule.id}`),
  )
  expect(silent).toEqual([])
})

test('the proof beside the content is of this very content: node scripts/check-content.ts writes it anew', {
  tags: 'slice',
}, async () => {
  const files = await readContentFolder(BUNDLED_CONTENT)
  const release = compileContent(files)
  expect(await readProof(BUNDLED_CONTENT)).toMatchObject({
    version: release.version,
    sourceSha256: sourceHash(files),
    sha256: sha256Of(JSON.stringify(release)),
    checks: { complaints: release.complaints.length },
  })
})

test(
  'nodes that start together on an empty database publish and activate what they came with, once',
  async () => {
    const database = await emptyDatabase()
    const masterKey = randomBytes(32)
    const environment = { DATABASE_URL: database.url, MASTER_KEY: masterKey.toString('base64') }
    const nodes = await Promise.all([spawnNode(environment), spawnNode(environment)])
    const db = await openPostgres(database.url, 2)
    const core = coreOf(
      db,
      await keyringFor(db, {
        given: { kind: 'value', name: 'MASTER_KEY', key: masterKey },
        previous: null,
        file: null,
      }),
    )
    try {
      const [release, ...others] = await listReleases(db)
      expect([release?.published_by, others]).toEqual([expect.stringMatching(/^fyr \d/), []])
      expect((await findActivation(db, DEPLOYMENT, DEPLOYMENT))?.version).toBe(release?.version)
      const entries = await listAuditEntries(db, DEPLOYMENT, { afterSeq: 0, limit: 10 })
      expect(entries.map(({ action }) => action)).toEqual(['content.published', 'content.activated'])
      expect(await verifyChain(core, DEPLOYMENT, [])).toMatchObject({ ok: true, entries: 2 })
      for (const node of nodes)
        await expect.poll(() => node.log()).toContain('new sessions begin with this content release')
    } finally {
      await db.close()
      await Promise.all(nodes.map((node) => node.stop()))
      await database.drop()
    }
  },
  LONG,
)

test(
  'a node that starts where another release is in use publishes its own and activates nothing',
  async () => {
    const { core } = world.app
    await publishChanged(world, '2020.1.0')
    const own = (await findActivation(core.db, DEPLOYMENT, DEPLOYMENT))?.version ?? ''
    await activate(core, EVERYWHERE, '2020.1.0', 'test')
    const node = await spawnNode({ DATABASE_URL: world.databaseUrl, MASTER_KEY: world.masterKey.toString('base64') })
    try {
      expect((await findActivation(core.db, DEPLOYMENT, DEPLOYMENT))?.version).toBe('2020.1.0')
      expect(node.log()).toContain('"version":"2020.1.0"')
      expect(await activateFirst(core, own, 'fyr')).toBe(false)
    } finally {
      await node.stop()
      await activate(core, EVERYWHERE, own, 'test')
    }
  },
  LONG,
)

test('content that is not what the proof says is not published by a start', {
  tags: 'slice',
  timeout: LONG,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fyr-content-'))
  try {
    await cp(BUNDLED_CONTENT, folder, { recursive: true })
    await edit(join(folder, 'release.yaml'), /^version: .*$/m, 'version: 2040.1.0')
    expect(await publishBundled(world.app.core, 'fyr', folder)).toEqual({ version: null, result: 'unchecked' })
    await rm(join(folder, 'checked.json'))
    expect(await publishBundled(world.app.core, 'fyr', folder)).toEqual({ version: null, result: 'unchecked' })
    const versions = (await listReleases(world.app.core.db)).map(({ version }) => version)
    expect(versions).not.toContain('2040.1.0')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
