// @module-tag thorough
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Checkpoints, linesOf } from '../../src/events/checkpoint.ts'
import { expectProblem, type Reply, send } from '../world/call.ts'
import { answered, CHEST_PAIN, type Clinician, SORE_THROAT, visiting } from '../world/clinician.ts'
import { commandLine } from '../world/command.ts'
import { picture, upload } from '../world/handoff.ts'
import { Patient } from '../world/patient.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'
import { keptRows } from './kept-rows.ts'

/** Where patients answer, and a node on the same database that has seen nothing of them. */
let world: World
let other: World
const { fyr } = commandLine(() => world)
beforeAll(async () => {
  world = await newWorld()
  other = await newWorld({}, { url: world.databaseUrl, drop: async () => {} })
})
afterAll(async () => {
  await other.close()
  await world.close()
})

type Checked = {
  accountId: string
  ok: boolean
  fault?: string
  notAsRecorded?: { session: string; what: string }[]
}

/** What the operator is told, with the exit code. */
async function verified(...options: string[]): Promise<{ code: number | null; checked: Checked[] }> {
  const { code, out, err } = await fyr('audit', 'verify', ...options, '--json')
  if (!out) throw new Error(err)
  return { code, checked: JSON.parse(out) }
}

/** The account is whole, or exactly this session of it is named, and of it what is said. */
async function expectNamed({ accountId }: Clinic, session: string, what: RegExp): Promise<void> {
  const { code, checked } = await verified('--account', accountId)
  const named = checked[0]?.notAsRecorded?.filter((one) => one.session === session).map((one) => one.what) ?? []
  expect({ code, ok: checked[0]?.ok, named: named.join('; ') }).toEqual({
    code: 1,
    ok: false,
    named: expect.stringMatching(what),
  })
}

async function expectWhole({ accountId }: Clinic): Promise<void> {
  const { code, checked } = await verified('--account', accountId)
  expect({ code, checked }).toMatchObject({ code: 0, checked: [{ ok: true, notAsRecorded: [] }] })
}

/** No data, a problem that says nothing, and a marked line in the log. */
async function expectRefused(read: () => Promise<Reply>): Promise<void> {
  const before = other.log().length
  const reply = await read()
  expectProblem(reply, 500, 'internal')
  expect(reply.text).not.toMatch(/Level|throat|chest|urgency|nurse|jpg/i)
  expect(other.log().slice(before)).toContain('"kind":"seal-broken"')
}

const byKey =
  ({ key }: Clinic, sessionId: string, path = '') =>
  () =>
    send(`${other.url}/api/v1/session/${sessionId}${path}`, 'GET', { key })

const seen =
  (clinician: Clinician, path = '/picture') =>
  () =>
    clinician.call('GET', path)

const kept = (table: string, where: string, values: unknown[]) => keptRows(world, table, where, values)

describe('(a) what an ended session came to', () => {
  const CHANGES = [
    'urgency = 8',
    'urgency = null',
    `completed_at = completed_at - interval '1 hour'`,
    `started_at = started_at - interval '1 hour'`,
    `created_at = created_at - interval '1 hour'`,
    `issue_type = 'Admin'`,
    'patient_age = 17',
    `patient_sex = 'Female'`,
    'user_is_patient = not user_is_patient',
    `status = 'StartedChat'`,
    'sealed_outcome = null',
    'sealed_matter = null',
    'content_version = null',
    `given = '{"age": 5}'`,
    'version = version + 1',
  ]

  test('a change of any of it is refused at every door, and named', { tags: 'slice' }, async () => {
    const clinic = await world.clinic()
    const { sessionId, patient } = await answered(world.url, clinic, CHEST_PAIN)
    const clinician = await visiting(other, clinic, sessionId)
    const honest = await clinician.picture()
    await expectWhole(clinic)
    const putBack = await kept('sessions', 't.id = $1', [sessionId])
    const elsewhere = new Patient(other.url)
    Object.assign(elsewhere, { cookie: patient.cookie, bearer: patient.bearer })
    for (const change of CHANGES) {
      await world.sql(`update sessions set ${change} where id = $1`, [sessionId])
      for (const read of [
        byKey(clinic, sessionId),
        byKey(clinic, sessionId, '/summary'),
        byKey(clinic, sessionId, '/fhir'),
        seen(await visiting(other, clinic, sessionId)),
      ])
        await expectRefused(read)
      expect({ change, status: (await elsewhere.look()).status }).toEqual({ change, status: 500 })
      await putBack()
    }
    expect({ ...(await clinician.picture()), version: '' }).toEqual({ ...honest, version: '' })
    await world.sql('update sessions set urgency = 8 where id = $1', [sessionId])
    await expectNamed(clinic, sessionId, /was changed/)
  })

  test('what lists find it by, put elsewhere or taken away, is named', async () => {
    const clinic = await world.clinic()
    const { sessionId } = await answered(world.url, clinic, CHEST_PAIN)
    const putBack = await kept('session_marks', 't.session_id = $1', [sessionId])
    for (const change of ['delete from session_marks', `update session_marks set mark = '\\x00'`]) {
      await world.sql(`${change} where session_id = $1`, [sessionId])
      await expectNamed(clinic, sessionId, /what lists find it by was changed/)
      await putBack()
    }
    await expectWhole(clinic)
  })

  test('a session that ended on record and is put back whole to what it was before, is named', async () => {
    const clinic = await world.clinic()
    const patient = new Patient(world.url)
    await patient.enterOpen(clinic.slug)
    await patient.answerThrough(SORE_THROAT)
    const putBack = await kept('sessions', 't.id = $1', [patient.now.sessionId])
    await patient.finish()
    await putBack()
    await expectNamed(clinic, patient.now.sessionId, /ended on record/)
  })

  test('a session that is taken away, hidden as if erased, or kept from being ended for its alarm, is named', async () => {
    const clinic = await world.clinic()
    const patient = new Patient(world.url)
    await patient.enterOpen(clinic.slug)
    await patient.answerThrough({ major_bleeding: true }, (_asked, { alarm }) => alarm !== null)
    const { sessionId } = patient.now
    const putBack = await kept('sessions', 't.id = $1', [sessionId])
    await expectWhole(clinic)
    for (const [change, what] of [
      ['update sessions set alarm_level = null where id = $1', /alarm/],
      ['update sessions set erased_at = now() where id = $1', /no entry says that it was erased/],
      ['delete from sessions where id = $1', /is gone/],
    ] as const) {
      await world.sql(change, [sessionId])
      await expectNamed(clinic, sessionId, what)
      await putBack()
    }
    await expectWhole(clinic)
  })
})

test('(b) the author, level, moment, place or words of a judgement, changed: refused, and named', async () => {
  const clinic = await world.clinic()
  const [one, two] = [
    (await answered(world.url, clinic, CHEST_PAIN)).sessionId,
    (await answered(world.url, clinic, SORE_THROAT)).sessionId,
  ]
  const ids: string[] = []
  for (const [session, who, urgency] of [
    [one, 'nurse.kari', 'Level2'],
    [one, 'dr.b', 'Level5'],
    [two, 'dr.c', 'Level5'],
  ] as const) {
    const clinician = await visiting(world, clinic, session, who)
    const json = { id: crypto.randomUUID(), urgency, reason: `${who} says so` }
    expect((await clinician.call('POST', '/judgements', { json })).status).toBe(201)
    ids.push(json.id)
  }
  const told = (await byKey(clinic, one, '/judgements')()).body
  expect(told).toMatchObject([
    { auditUserIdentifier: 'nurse.kari', urgency: 'Level2', reason: 'nurse.kari says so' },
    { auditUserIdentifier: 'dr.b', urgency: 'Level5' },
  ])
  await expectWhole(clinic)
  const putBack = await kept('judgements', 't.account_id = $1', [clinic.accountId])
  for (const change of [
    `audit_user_identifier = 'dr.b'`,
    'audit_user_identifier = null',
    'level = 8',
    'session_level = 8',
    `at = at - interval '1 day'`,
    `id = gen_random_uuid()`,
    `sealed_reason = (select sealed_reason from judgements where id = '${ids[1]}')`,
    'sealed_reason = null',
  ]) {
    await world.sql(`update judgements set ${change} where id = $1`, [ids[0]])
    await expectRefused(byKey(clinic, one, '/judgements'))
    await expectRefused(seen(await visiting(other, clinic, one)))
    await putBack()
  }
  await world.sql('update judgements set level = 8 where id = $1', [ids[0]])
  await expectNamed(clinic, one, new RegExp(`judgement ${ids[0]} was changed`))
  await world.sql('delete from judgements where id = $1', [ids[0]])
  await expectNamed(clinic, one, new RegExp(`judgement ${ids[0]} is gone`))
  await putBack()
  await world.sql('update judgements set session_id = $2 where id = $1', [ids[2], one])
  await expectRefused(byKey(clinic, one, '/judgements'))
  await expectNamed(clinic, one, new RegExp(`judgement ${ids[2]} was not made on record`))
  await putBack()
  expect((await byKey(clinic, one, '/judgements')()).body).toEqual(told)
})

test('(c) two files of one session swapped, or what is told of one changed: refused, and named', async () => {
  const clinic = await world.clinic()
  const patient = new Patient(world.url)
  await patient.enterOpen(clinic.slug)
  const first = await upload(patient, 'arm.jpg', await picture(40, 40, 1))
  const second = await upload(patient, 'watch.jpg', await picture(60, 60, 50))
  await patient.answerThrough(SORE_THROAT)
  await patient.finish()
  const { sessionId } = patient.now
  const file = byKey(clinic, sessionId, `/files/${first}`)
  expect((await file()).status).toBe(200)
  await expectWhole(clinic)
  const putBack = await kept('uploads', 't.session_id = $1', [sessionId])
  const exchanged = (column: string) =>
    `update uploads a set ${column} = b.${column} from uploads b
     where a.session_id = $1 and b.session_id = $1 and a.id <> b.id and $2::text is not null`
  const ofFirst = (change: string) => `update uploads set ${change} where session_id = $1 and id = $2::uuid`
  const swapIds = `update uploads a set id = b.id from uploads b where a.session_id = $1 and b.session_id = $1 and a.id <> b.id and $2::text is not null`

  for (const change of [exchanged('sealed_bytes'), exchanged('sealed_name'), ofFirst('sealed_bytes = sealed_name')]) {
    await world.sql(change, [sessionId, first])
    await expectRefused(file)
    await putBack()
  }
  await world.sql('alter table uploads drop constraint uploads_pkey')
  await world.sql(swapIds, [sessionId, first])
  await expectRefused(file)
  await putBack()
  await world.sql('alter table uploads add primary key (account_id, session_id, id)')

  for (const change of [
    exchanged('sealed_name'),
    ofFirst(`mime_type = 'application/pdf'`),
    ofFirst(`flags = '{encrypted}'`),
    ofFirst('stored_size = 5'),
    ofFirst(`created_at = created_at - interval '1 day'`),
  ]) {
    await world.sql(change, [sessionId, first])
    for (const read of [
      seen(await visiting(other, clinic, sessionId)),
      byKey(clinic, sessionId, '/files'),
      byKey(clinic, sessionId, '/fhir'),
      byKey(clinic, sessionId, '/pdf'),
    ])
      await expectRefused(read)
    await putBack()
  }
  await world.sql(exchanged('sealed_name'), [sessionId, first])
  await expectNamed(
    clinic,
    sessionId,
    new RegExp(
      `file ${first} was changed.*file ${second} was changed|file ${second} was changed.*file ${first} was changed`,
    ),
  )
  await putBack()
  await world.sql(ofFirst('removed_at = now()'), [sessionId, first])
  await expectNamed(clinic, sessionId, new RegExp(`file ${first} is gone`))
  await putBack()
  await expectWhole(clinic)
})

describe('(d) answers cut off at the end', () => {
  for (const isEnded of [true, false])
    test(`of ${isEnded ? 'an ended session' : 'one that goes on'}: refused, and named`, async () => {
      const clinic = await world.clinic()
      const patient = new Patient(world.url)
      await patient.enterOpen(clinic.slug)
      await patient.answerThrough(CHEST_PAIN, isEnded ? undefined : (asked) => asked === 'cold_sweat')
      if (isEnded) await patient.finish()
      const { sessionId, version } = patient.now
      await expectWhole(clinic)
      await world.sql('delete from answers where session_id = $1 and seq > $2', [sessionId, version - 2])
      await expectRefused(byKey(clinic, sessionId, '/summary'))
      await expectRefused(seen(await visiting(other, clinic, sessionId)))
      await expectNamed(clinic, sessionId, new RegExp(`${version - 2} of ${version} answers`))
      await world.sql('update sessions set version = $2 where id = $1', [sessionId, version - 2])
      await expectRefused(byKey(clinic, sessionId, '/summary'))
      await expectNamed(clinic, sessionId, /was changed/)
    })

  test('and its row put back whole to what it was then: named once somebody has read more', async () => {
    const clinic = await world.clinic()
    const patient = new Patient(world.url)
    await patient.enterOpen(clinic.slug)
    await patient.answerThrough(CHEST_PAIN, (asked) => asked === 'cold_sweat')
    const { sessionId, version } = patient.now
    const putBack = await kept('sessions', 't.id = $1', [sessionId])
    await patient.answer('cold_sweat', true)
    expect((await byKey(clinic, sessionId, '/summary')()).status).toBe(200)
    await putBack()
    await world.sql('delete from answers where session_id = $1 and seq > $2', [sessionId, version])
    await expectNamed(clinic, sessionId, new RegExp(`${version} answers, and ${version + 1} were read`))
  })
})

describe('(e) a whole account removed with its chain', () => {
  /** Everything of an account, from every table, by somebody who writes to the database. */
  async function vanish(accountId: string): Promise<void> {
    const tables = await world.sql(
      `select table_name from information_schema.columns where table_schema = 'public' and column_name = 'account_id'`,
    )
    await world.sql('alter table audit_entries disable trigger user')
    for (const { table_name: table } of tables)
      await world.sql(`delete from ${table} where account_id = $1`, [accountId])
    await world.sql('alter table audit_entries enable trigger user')
    await world.sql('delete from accounts where id = $1', [accountId])
  }
  const ofAccount = ({ checked }: { checked: Checked[] }, accountId: string) =>
    checked.find((one) => one.accountId === accountId)

  test('is named without any checkpoint, and with one also when the deployment’s own chain was cut to hide it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fyr-insider-'))
    const file = join(folder, 'checkpoints.jsonl')
    const [deployment] = await world.sql(`select seq from audit_heads where account_id = $1`, [ZEROS])
    const clinic = await world.clinic()
    await answered(world.url, clinic, SORE_THROAT)
    writeFileSync(file, linesOf(await new Checkpoints(world.app.core, null, () => {}).write(new Date())))
    expect(ofAccount(await verified('--checkpoint', file), clinic.accountId)).toMatchObject({ ok: true })

    await vanish(clinic.accountId)
    const without = await verified()
    expect(ofAccount(without, clinic.accountId)).toMatchObject({ ok: false, fault: expect.stringContaining('gone') })
    expect(without.code).toBe(1)

    const cut = [ZEROS, deployment?.seq]
    await world.sql('alter table audit_entries disable trigger user')
    await world.sql('delete from audit_entries where account_id = $1 and seq > $2', cut)
    await world.sql('alter table audit_entries enable trigger user')
    await world.sql(
      `update audit_heads h set seq = $2, hash = e.hash from audit_entries e where h.account_id = $1 and e.account_id = $1 and e.seq = $2`,
      cut,
    )
    const withOne = await verified('--checkpoint', file)
    expect(ofAccount(withOne, clinic.accountId)).toMatchObject({ ok: false, fault: expect.stringContaining('gone') })
    expect(ofAccount(withOne, ZEROS)).toMatchObject({ ok: false })
    rmSync(folder, { recursive: true })
  })

  test('and one that nobody made on record is named too', async () => {
    const id = crypto.randomUUID()
    await world.sql(
      `insert into accounts (id, name, sealed_key) select $1, 'Nobody', sealed_key from accounts limit 1`,
      [id],
    )
    expect(ofAccount(await verified(), id)).toMatchObject({ ok: false })
    await world.sql('delete from accounts where id = $1', [id])
  })
})

test('a key or a visit that somebody put in, or brought back, is named once it is there or was used', async () => {
  const clinic = await world.clinic()
  const { sessionId } = await answered(world.url, clinic, SORE_THROAT)
  const clinician = await visiting(world, clinic, sessionId, 'dr.a')
  await clinician.picture()
  await expectWhole(clinic)
  await world.sql(`update visits set audit_user_identifier = 'dr.b' where id = $1`, [clinician.visitId])
  await clinician.picture()
  await expectNamed(clinic, sessionId, new RegExp(`visit ${clinician.visitId}, which was not opened by them`))

  const another = await world.clinic()
  const putBack = await kept('api_keys', 't.account_id = $1', [another.accountId])
  await world.sql('update api_keys set id = gen_random_uuid() where account_id = $1', [another.accountId])
  expect((await verified('--account', another.accountId)).checked[0]?.fault).toMatch(/not issued on record/)
  await putBack()
  await expectWhole(another)
})

const ZEROS = '00000000-0000-0000-0000-000000000000'
