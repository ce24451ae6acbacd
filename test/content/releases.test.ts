// @module-tag thorough
import { rm } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEPLOYMENT } from '../../src/store/accounts.ts'
import { listAuditEntries } from '../../src/store/audit.ts'
import { send } from '../world/call.ts'
import { commandLine } from '../world/command.ts'
import { activeRelease, edit, publishChanged, smallFolder } from '../world/content.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'

const LONG = 300_000

let world: World
let clinic: Clinic
let bundled: string
let folder: string
const { fyr, json } = commandLine(() => world)

beforeAll(async () => {
  world = await newWorld()
  clinic = await world.clinic()
  bundled = (await activeRelease(world)).version
  folder = await smallFolder('2027.1.0')
}, LONG)
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await world.close()
})

type Listed = {
  version: string
  fault: string | null
  sha256: string
  publishedBy: string
  checks: { cases: number }
  active: { configuration: string | null; by: string }[]
}

/** The release that a session gets which is made now. */
async function newSessionHas({ key }: Clinic = clinic): Promise<unknown> {
  const { body } = await send(`${world.url}/api/v1/session`, 'POST', { key })
  const [row] = await world.sql('select content_version from sessions where id = $1', [
    (body as { sessionId: string }).sessionId,
  ])
  return row?.content_version
}

const listed = async (version: string) =>
  (await json<Listed[]>('content', 'releases')).find((one) => one.version === version)

const entriesOf = (accountId: string, subject: string) =>
  listAuditEntries(world.app.core.db, accountId, { afterSeq: 0, subject, limit: 100 })

describe('D33: a release is published, then activated, and one command leads back', () => {
  test(
    'content whose checks or worked cases fail is not published, and a typed reviewer is no review',
    async () => {
      const rules = join(folder, 'complaints/emergency-check/complaint.yaml')
      await edit(rules, 'level: Level1', 'level: Level3')
      const demoted = await fyr('content', 'publish', folder)
      expect(demoted.code).toBe(1)
      expect(demoted.err).toMatch(/content\/complaints\/emergency-check\/cases\.yaml:\d+: Case .* expected Level1/)
      await edit(rules, 'level: Level3', 'level: Level1')

      const release = join(folder, 'release.yaml')
      await edit(release, 'intendedUse:', 'review: { reviewed: true, by: [{ name: Somebody }] }\nintendedUse:')
      const typed = await fyr('content', 'publish', folder, '--json')
      expect(typed.code).toBe(1)
      expect(JSON.parse(typed.err)).toMatchObject({
        errors: [{ pointer: 'content/release.yaml:3:', message: expect.stringContaining('has no key "review"') }],
      })
      await edit(release, /^review: .*\n/m, '')
      expect(await listed('2027.1.0')).toBeUndefined()
      expect(await newSessionHas()).toBe(bundled)
    },
    LONG,
  )

  test(
    'what is published is listed and on record, and no session begins with it',
    async () => {
      const run = await fyr('content', 'publish', folder, '--as', 'Anna')
      expect({ code: run.code, out: run.out }).toEqual({
        code: 0,
        out: expect.stringMatching(
          /^Release 2027\.1\.0 is published: 6 complaints, \d+ worked cases.*It is not active/,
        ),
      })
      expect(await listed('2027.1.0')).toMatchObject({
        publishedBy: 'operator:Anna',
        checks: { complaints: 6, cases: expect.any(Number), walks: 60 },
        fault: null,
        active: [],
      })
      expect(await entriesOf(DEPLOYMENT, '2027.1.0')).toMatchObject([
        { actor: 'operator:Anna', action: 'content.published', detail: { checks: { complaints: 6 } } },
      ])
      expect(await newSessionHas()).toBe(bundled)
      expect((await fyr('content', 'publish', folder)).out).toContain('was published before, with the same text')
      await edit(join(folder, 'complaints/sore-throat/en.yaml'), 'label: Sore throat', 'label: Throat that is sore')
      const other = await fyr('content', 'publish', folder)
      expect({ code: other.code, err: other.err }).toEqual({
        code: 1,
        err: expect.stringContaining('published already with another text'),
      })
    },
    LONG,
  )

  test(
    'activated for the deployment, new sessions begin with it; one command leads back; each is an audit entry and a log line',
    async () => {
      await publishChanged(world, '2027.2.0')
      const { out } = await fyr('content', 'activate', '2027.2.0', '--as', 'Anna')
      expect(out).toBe(
        `New sessions begin with release 2027.2.0 now; until now it was release ${bundled}.\nBack: fyr content activate --back\n`,
      )
      await expect.poll(() => newSessionHas(), { timeout: 30_000 }).toBe('2027.2.0')
      expect(await listed('2027.2.0')).toMatchObject({ active: [{ configuration: null, by: 'operator:Anna' }] })
      expect((await entriesOf(DEPLOYMENT, '2027.2.0')).at(-1)).toMatchObject({
        actor: 'operator:Anna',
        action: 'content.activated',
        detail: { from: bundled, to: '2027.2.0', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
      })
      expect(world.log()).toContain(`"version":"2027.2.0","before":"${bundled}","by":"operator:Anna"`)

      expect(await json('content', 'activate', '--back')).toMatchObject({
        version: bundled,
        before: '2027.2.0',
        changed: true,
        by: `operator:${userInfo().username}`,
      })
      await expect.poll(() => newSessionHas(), { timeout: 30_000 }).toBe(bundled)
      expect(await json('content', 'activate', bundled)).toMatchObject({ changed: false })
      const recorded = await json<{ action: string }[]>('audit', 'list', '--deployment')
      expect(recorded.filter(({ action }) => action === 'content.activated')).toHaveLength(3)
    },
    LONG,
  )

  test(
    'activated for one configuration, only its sessions begin with it; the entry is in its account’s chain',
    async () => {
      const other = await world.clinic()
      const place = ['--configuration', other.slug]
      await publishChanged(world, '2027.3.0')
      await json('content', 'activate', '2027.3.0', ...place, '--as', 'Anna')
      await expect.poll(() => newSessionHas(other), { timeout: 30_000 }).toBe('2027.3.0')
      expect(await newSessionHas()).toBe(bundled)
      expect((await entriesOf(other.accountId, other.configurationId)).at(-1)).toMatchObject({
        actor: 'operator:Anna',
        action: 'content.activated',
        detail: { configuration: other.slug, from: null, to: '2027.3.0' },
      })
      await expect.poll(() => world.log()).toContain(`"configuration":"${other.slug}","version":"2027.3.0"`)
      expect(await listed('2027.3.0')).toMatchObject({ active: [{ configuration: other.slug, by: 'operator:Anna' }] })
      await publishChanged(world, '2027.4.0')
      await json('content', 'activate', '2027.4.0', ...place)
      expect(await json('content', 'activate', '--back', ...place)).toMatchObject({ version: '2027.3.0' })
      expect(await json('content', 'activate', '--follow', ...place)).toMatchObject({
        version: null,
        before: '2027.3.0',
      })
      await expect.poll(() => newSessionHas(other), { timeout: 30_000 }).toBe(bundled)
      const verified = await fyr('content', 'verify')
      expect({ code: verified.code, broken: verified.out.includes('broken') }).toEqual({ code: 0, broken: false })
    },
    LONG,
  )

  test('what makes no sense is refused, and nothing changes', { timeout: LONG }, async () => {
    const refused = async (says: string, ...args: string[]) => {
      const run = await fyr('content', 'activate', ...args)
      expect([args, run.code, run.err]).toEqual([args, 1, expect.stringContaining(says)])
    }
    await refused('There is no published release 1999.1', '1999.1')
    await refused('There is no configuration nowhere', bundled, '--configuration', 'nowhere')
    await refused('nothing else was active before', '--back', '--configuration', clinic.slug)
    await refused('Say which release')
    await refused('Say which release', bundled, '--back')
    await refused('--follow needs --configuration', '--follow')
    await refused('--as must be a name', bundled, '--as', ' ')
    const set = await fyr('configuration', 'change', clinic.slug, '--set', `contentVersion=${bundled}`)
    expect([set.code, set.err]).toEqual([1, expect.stringContaining('fyr content activate')])
    expect(await newSessionHas()).toBe(bundled)
  })
})
