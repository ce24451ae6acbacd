// @module-tag thorough
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { send } from '../world/call.ts'
import { commandLine } from '../world/command.ts'
import { sliceOf } from '../world/sweep.ts'
import { newWorld, type World } from '../world/world.ts'

let world: World
let folder: string

beforeAll(async () => {
  world = await newWorld()
  folder = mkdtempSync(join(tmpdir(), 'fyr-cli-'))
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await world.close()
})

const { fyr, json } = commandLine(() => world)

const statusOf = async (key: string) => (await send(`${world.url}/api/v1/accessControl`, 'GET', { key })).status

describe('B27: what does not make sense is refused with a pointer, and nothing changes', () => {
  beforeAll(async () => {
    const { id } = await json<{ id: string }>('account', 'create', '--name', 'Strict clinic')
    await json('configuration', 'create', '--slug', 'strict-clinic', '--account', id, '--country', 'FI')
  })

  async function refused(pointer: string, ...args: string[]): Promise<void> {
    const run = await fyr(...args, '--json')
    const told = JSON.parse(run.err) as { errors?: { pointer: string }[] }
    expect([args.join(' '), run.code, told.errors?.map((error) => error.pointer)]).toEqual([
      args.join(' '),
      1,
      expect.arrayContaining([pointer]),
    ])
  }

  test('origins with a wildcard', async () => {
    const set = (value: string) => ['configuration', 'change', 'strict-clinic', '--set', `allowedOrigins=${value}`]
    await refused('/allowedOrigins/0', ...set('["*"]'))
    await refused('/allowedOrigins/1', ...set('["https://clinic.example.org","https://*.example.org"]'))
    await refused('/allowedOrigins', ...set('"*"'))
    const { document } = await json<{ document: object }>('configuration', 'show', 'strict-clinic')
    expect(document).toMatchObject({ allowedOrigins: [] })
  })

  test('time zones that do not exist', async () => {
    await refused('/timeZone', 'account', 'create', '--name', 'Nowhere', '--time-zone', 'Mars/Olympus')
    await refused('/timeZone', 'account', 'change', 'Strict clinic', '--time-zone', 'Europe/Helsinky')
    expect(await json('account', 'show', 'Strict clinic')).toMatchObject({ timeZone: 'Europe/Helsinki' })
    expect((await fyr('account', 'list')).out).not.toContain('Nowhere')
  })

  test('hours that overlap, and caps that are none; good ones are taken and can be taken away', async () => {
    const file = join(folder, 'hours.json')
    const change = ['account', 'change', 'Strict clinic']
    const closed = { tuesday: [], wednesday: [], thursday: [], friday: [], saturday: [], sunday: [] }
    const write = (monday: object[]) =>
      writeFileSync(file, JSON.stringify({ week: { monday, ...closed }, exceptions: [] }))
    write([
      { from: '08:00', to: '12:00' },
      { from: '11:00', to: '16:00' },
    ])
    await refused('/monitoredHours/week/monday', ...change, '--hours', file)
    await refused('/cap', ...change, '--cap', 'weekly:10')
    await refused('/cap', ...change, '--cap', 'daily:0')
    write([{ from: '08:00', to: '12:00' }])
    expect(await json(...change, '--hours', file, '--cap', 'daily:20')).toMatchObject({
      monitoredHours: { week: { monday: [{ from: '08:00', to: '12:00' }] } },
      cap: { kind: 'daily', most: 20 },
    })
    const { out } = await fyr('account', 'show', 'Strict clinic')
    expect(out).toContain('mon 08:00–12:00')
    expect(out).toContain('20 a day')
    expect(await json(...change, '--hours', 'none', '--cap', 'none')).toMatchObject({ monitoredHours: null, cap: null })
  })
})

test('from an empty database to a working key, in three commands', async () => {
  const account = await json<{ id: string }>('account', 'create', '--name', 'My clinic', '--time-zone', 'Europe/Oslo')
  await json(
    'configuration',
    'create',
    '--slug',
    'my-clinic',
    '--account',
    account.id,
    '--country',
    'no',
    '--set',
    'defaultLanguage=no',
  )
  const issued = await json<{ key: string; id: string; configuration: string }>(
    'key',
    'issue',
    '--configuration',
    'my-clinic',
  )
  expect(issued).toEqual({
    key: expect.stringMatching(/^fyr_\w{38}$/),
    id: expect.any(String),
    configuration: 'my-clinic',
    sandbox: false,
  })
  expect(await statusOf(issued.key)).toBe(200)
  expect(await json('account', 'show', 'My clinic')).toMatchObject({
    timeZone: 'Europe/Oslo',
    configurations: ['my-clinic'],
  })
  const { out } = await fyr('key', 'list', '--configuration', 'my-clinic')
  expect(out).toContain(issued.id)
  expect(out).not.toContain(issued.key)
})

describe('keys', () => {
  test('rotate with an overlap, then revoke: each takes effect on the running service', async () => {
    const { slug, key } = await world.clinic()
    const [old] = await json<{ id: string }[]>('key', 'list', '--configuration', slug)
    const fresh = await json<{ key: string; id: string; oldUntil: string }>(
      'key',
      'rotate',
      old?.id ?? '',
      '--overlap',
      '1h',
    )
    expect([await statusOf(key), await statusOf(fresh.key)]).toEqual([200, 200])
    expect(Date.parse(fresh.oldUntil) - Date.now()).toBeGreaterThan(3_500_000)
    await json('key', 'revoke', fresh.id)
    expect(await eventually(async () => (await statusOf(fresh.key)) === 403)).toBe(true)
    expect(await statusOf(key)).toBe(200)
    const { code, err } = await fyr('key', 'rotate', fresh.id)
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('works no more') })
  })

  test('a key that is rotated twice has two successors, and each rotation tells all that work, and until when', async () => {
    const { slug } = await world.clinic()
    const [old] = await json<{ id: string; hint: string }[]>('key', 'list', '--configuration', slug)
    const first = await json<{ id: string }>('key', 'rotate', old?.id ?? '', '--overlap', '1h')
    const { code, out } = await fyr('key', 'rotate', old?.id ?? '', '--overlap', '7d')
    expect(code).toBe(0)
    const until = /The old one works until (.*)\./.exec(out)?.[1] ?? ''
    expect(Date.parse(until) - Date.now()).toBeLessThan(3_600_000) // an end once told is not put off
    const told = out.slice(out.indexOf(`All that work for ${slug} now`))
    expect(told).toMatch(new RegExp(`^${old?.id} .* until ${until} `, 'm'))
    expect(told).toMatch(new RegExp(`^${first.id} .* yes `, 'm'))
    await json('key', 'revoke', first.id)
    const { id, working } = await json<{ id: string; working: object[] }>('key', 'rotate', old?.id ?? '')
    expect(working).toHaveLength(3)
    expect(working).toContainEqual(expect.objectContaining({ id: old?.id, expiresAt: expect.any(String) }))
    expect(working).toContainEqual(expect.objectContaining({ id, works: true, expiresAt: null }))
  })

  test('a key may end by itself', async () => {
    const { slug } = await world.clinic()
    const { key } = await json<{ key: string }>('key', 'issue', '--configuration', slug, '--expires', '1s')
    expect(await eventually(async () => (await statusOf(key)) === 403)).toBe(true)
  })
})

async function eventually(claim: () => Promise<boolean>): Promise<boolean> {
  for (let attempt = 0; attempt < 100; attempt++) {
    if (await claim()) return true
    await new Promise((done) => setTimeout(done, 100))
  }
  return false
}

test('a configuration is shown, changed, disabled and enabled; faults are told with their place', async () => {
  const { slug, key } = await world.clinic()
  await json(
    'configuration',
    'change',
    slug,
    '--set',
    'retentionDays=7',
    '--set',
    'clinicPhone=+358 9 123',
    '--set',
    'languages=["fi","sv"]',
    '--set',
    'defaultLanguage=sv',
  )
  expect(await json('configuration', 'show', slug)).toMatchObject({
    isValid: true,
    document: { retentionDays: 7, clinicPhone: '+358 9 123', languages: ['fi', 'sv'], defaultLanguage: 'sv' },
  })
  await json('configuration', 'disable', slug)
  expect(await eventually(async () => (await statusOf(key)) === 404)).toBe(true)
  await json('configuration', 'enable', slug)
  expect(await eventually(async () => (await statusOf(key)) === 200)).toBe(true)
  const wrong = await fyr('configuration', 'change', slug, '--set', 'retentionDays=0')
  expect({ code: wrong.code, err: wrong.err }).toEqual({ code: 1, err: expect.stringContaining('/retentionDays') })
  const unknown = await fyr('configuration', 'change', slug, '--set', 'colour=red')
  expect({ code: unknown.code, err: unknown.err }).toEqual({
    code: 1,
    err: expect.stringContaining('There is no field colour'),
  })
  const file = join(folder, 'configuration.json')
  writeFileSync(file, JSON.stringify({ emergencyNumber: '911' }))
  expect(await json('configuration', 'change', slug, '--from', file)).toMatchObject({
    document: { emergencyNumber: '911', retentionDays: 7 },
  })
  const { accountId } = await world.clinic()
  const taken = await fyr('configuration', 'create', '--slug', slug, '--account', accountId, '--country', 'FI')
  expect({ code: taken.code, err: taken.err }).toEqual({ code: 1, err: expect.stringContaining('/slug is taken') })
})

test('whom people call is said when a configuration is made, by country or number by number, and never assumed', async () => {
  const { accountId } = await world.clinic()
  const create = (slug: string, ...more: string[]) => [
    'configuration',
    'create',
    '--slug',
    slug,
    '--account',
    accountId,
    ...more,
  ]
  const silent = await fyr(...create('silent-clinic'))
  expect({ code: silent.code, err: silent.err }).toEqual({ code: 1, err: expect.stringContaining('--country') })
  expect((await fyr(...create('silent-clinic', '--set', 'emergencyNumber=112'))).code).toBe(1)
  expect((await fyr(...create('silent-clinic', '--country', 'XX'))).err).toContain('FI, NO, SE, DK, UK')
  expect(await json(...create('oslo-clinic', '--country', 'NO'))).toMatchObject({
    document: { emergencyNumber: '113', adviceNumber: '116 117', crisisLine: '116 123', poisonLine: '22 59 13 00' },
  })
  expect(await json(...create('turku-clinic', '--country', 'fi', '--set', 'adviceNumber=02 313 8800'))).toMatchObject({
    document: { adviceNumber: '02 313 8800', crisisLine: { default: '09 2525 0111', sv: '09 2525 0112' } },
  })
  const said = [
    'emergencyNumber=113',
    'adviceNumber=116117',
    'crisisLine=null',
    'poisonLine={"default":"111","sv":"112"}',
  ]
  expect(await json(...create('own-clinic', ...said.flatMap((one) => ['--set', one])))).toMatchObject({
    isValid: true,
    document: {
      emergencyNumber: '113',
      adviceNumber: '116117',
      crisisLine: null,
      poisonLine: { default: '111', sv: '112' },
    },
  })
  expect((await fyr('configuration', 'change', 'own-clinic', '--set', 'crisisLine={"sv":"112"}')).code).toBe(1)
})

test('a configuration made before there were such numbers works on', async () => {
  const { slug, key } = await world.clinic()
  await world.sql(
    `update configurations set document = document - 'adviceNumber' - 'crisisLine' - 'poisonLine' - 'contact' where slug = $1`,
    [slug],
  )
  expect(await json('configuration', 'show', slug)).toMatchObject({ isValid: true })
  await json('configuration', 'change', slug, '--set', 'emergencyNumber=113')
  expect(await statusOf(key)).toBe(200)
})

test('the operator finds a session by the reference that its patient reads from the page', async () => {
  const { key } = await world.clinic()
  const made = await send(`${world.url}/api/v1/session`, 'POST', { key, json: {} })
  const { sessionId } = made.body as { sessionId: string }
  const short = `${sessionId.slice(0, 4)} ${sessionId.slice(4, 8)}`.toUpperCase()
  expect(await json('session', 'show', short)).toMatchObject({ sessionId })
  expect(await json('session', 'show', sessionId.slice(0, 8))).toMatchObject({ sessionId })
  expect((await fyr('session', 'show', '00000000')).code).toBe(1)
  expect((await fyr('session', 'erase', short, '--yes')).code).toBe(1) // erasing takes the whole id
})

test('an account is taken out of service and put back', async () => {
  const { accountId, key } = await world.clinic()
  const active = async () => (await send(`${world.url}/api/v1/accessControl`, 'GET', { key })).body
  await json('account', 'change', accountId, '--no-active')
  expect(await active()).toMatchObject({ active: false })
  await json('account', 'change', accountId, '--active', '--name', 'Renamed', '--time-zone', 'Europe/Stockholm')
  expect(await active()).toMatchObject({ active: true })
  expect(await json('account', 'show', accountId)).toMatchObject({
    name: 'Renamed',
    timeZone: 'Europe/Stockholm',
    active: true,
  })
  expect((await fyr('account', 'change', accountId)).code).toBe(1)
  expect((await fyr('account', 'change', accountId, '--time-zone', 'Mars/Olympus')).code).toBe(1)
})

test('a session is listed, shown without what the patient said, and erased for good', async () => {
  const { slug, key } = await world.clinic()
  const made = await send(`${world.url}/api/v1/session`, 'POST', {
    key,
    json: { text: 'My secret matter', patient: { age: 44 } },
  })
  const { sessionId } = made.body as { sessionId: string }
  const list = await fyr('session', 'list', '--configuration', slug)
  const shown = await fyr('session', 'show', sessionId)
  expect(list.out).toContain(sessionId)
  expect(shown.out).toMatch(/status +Created/)
  expect(`${list.out}${shown.out}`).not.toMatch(/secret|\bage\b/i)
  expect((await fyr('session', 'erase', sessionId)).code).toBe(1) // nobody is there to be asked
  expect(await json('session', 'erase', sessionId, '--yes')).toEqual({ id: sessionId, erased: true })
  expect((await send(`${world.url}/api/v1/session/${sessionId}`, 'GET', { key })).status).toBe(404)
  expect((await fyr('session', 'show', sessionId)).code).toBe(1)
})

test('audit: entries are listed, chains verified with a checkpoint, and tampering ends with 1', async () => {
  const { accountId, key } = await world.clinic()
  for (let at = 0; at < 5; at++) await send(`${world.url}/api/v1/session`, 'POST', { key })
  const entries = await json<{ seq: number; action: string }[]>('audit', 'list', '--account', accountId)
  expect(entries.map(({ action }) => action)).toContain('session.created')
  const file = join(folder, 'checkpoints.jsonl')
  writeFileSync(file, (await fyr('audit', 'checkpoint')).out)
  expect(readFileSync(file, 'utf8')).toContain(accountId)
  const whole = await fyr('audit', 'verify', '--account', accountId, '--checkpoint', file)
  expect({ code: whole.code, out: whole.out }).toEqual({
    code: 0,
    out: expect.stringMatching(/^whole .*8 entries, against 1 checkpoint/),
  })
  await world.sql('alter table audit_entries disable trigger audit_entries_stay')
  await world.sql(`update audit_entries set actor = 'nobody' where account_id = $1 and seq = 4`, [accountId])
  await world.sql('alter table audit_entries enable trigger audit_entries_stay')
  const broken = await fyr('audit', 'verify', '--account', accountId, '--checkpoint', file)
  expect({ code: broken.code, out: broken.out }).toEqual({
    code: 1,
    out: expect.stringMatching(/^broken .*first at entry 4/),
  })
  expect((await fyr('audit', 'verify', '--checkpoint', join(folder, 'nothing'))).code).toBe(1)
})

test('A19 what others wrote cannot steer the terminal', { tags: 'slice' }, async () => {
  const { accountId, key } = await world.clinic()
  const { body } = await send(`${world.url}/api/v1/session`, 'POST', { key })
  const { sessionId } = body as { sessionId: string }
  const odd = encodeURIComponent('\u001b[2J\r\nfake line \u202e')
  await send(`${world.url}/api/v1/session/${sessionId}/decisionSupportLink?auditUserIdentifier=${odd}`, 'GET', { key })
  const { out } = await fyr('audit', 'list', '--account', accountId)
  expect(out).toContain('\\u{1b}[2J\\u{d}\\u{a}fake line \\u{202e}')
  expect(out.split('\n').some((line) => line.startsWith('fake line'))).toBe(false)
})

describe('usage', () => {
  test('every command explains itself', async () => {
    const top = await fyr('--help')
    expect(top.code).toBe(0)
    const commands = [...top.out.matchAll(/^ {2}([a-z][a-z-]*)(?: \[\w+\])?(?: <\w+>)? {2,}/gm)].map(
      ([, name = '']) => name,
    )
    expect(commands).toEqual(
      expect.arrayContaining([
        'serve',
        'account',
        'configuration',
        'apply',
        'export-config',
        'key',
        'session',
        'audit',
        'settings',
      ]),
    )
    for (const name of sliceOf(commands, 5)) {
      const { code, out } = await fyr(name, '--help')
      expect({ name, code, explains: out.startsWith(`Usage: fyr ${name}`) }).toEqual({ name, code: 0, explains: true })
    }
  })

  test('who reads only the first line gets it, and no stack trace', async () => {
    const { stdout, stderr } = await promisify(execFile)('sh', ['-c', 'node bin/fyr.mjs --help | head -1'])
    expect([stdout, stderr]).toEqual(['Usage: fyr [options] [command]\n', ''])
  })

  test('wrong usage ends with 2, a refusal with 1 and with --json as JSON on the error stream', {
    tags: 'slice',
  }, async () => {
    expect((await fyr('frobnicate')).code).toBe(2)
    expect((await fyr('key', 'issue')).code).toBe(2)
    const refused = await fyr('key', 'issue', '--configuration', 'nothing-here', '--json')
    expect({ code: refused.code, out: refused.out }).toEqual({ code: 1, out: '' })
    expect(JSON.parse(refused.err)).toEqual({ error: 'There is no configuration nothing-here.' })
  })

  test('settings are listed without their secrets, and faults are told', { tags: 'slice' }, async () => {
    const { out, code } = await fyr('settings')
    expect(code).toBe(0)
    expect(out).toMatch(/MASTER_KEY +\(hidden\)/)
    expect(out).not.toContain(world.masterKey.toString('base64'))
  })
})
