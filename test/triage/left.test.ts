import { Writable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newLogger } from '../../src/log.ts'
import { startUpkeep } from '../../src/session/upkeep/upkeep.ts'
import { Patient } from '../world/patient.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})
afterAll(() => world.close())

/** A patient who stands before the emergency card. */
async function alarmed(clinic: Clinic): Promise<Patient> {
  const patient = new Patient(world.url)
  await patient.enterOpen(clinic.slug)
  await patient.answerThrough({ overdose_or_poisoning: true }, (_asked, view) => view.alarm !== null)
  expect(patient.now.alarm?.level).toBe('Level1')
  return patient
}

/** The same, gone for this many minutes. */
async function left(clinic: Clinic, minutes: number): Promise<string> {
  const { sessionId } = (await alarmed(clinic)).now
  await world.sql(`update sessions set last_active_at = now() - $2 * interval '1 minute' where id = $1`, [
    sessionId,
    minutes,
  ])
  return sessionId
}

const statusesOf = async (...ids: string[]) => {
  const rows = await world.sql('select id, status from sessions where id = any($1)', [ids])
  return ids.map((id) => rows.find((row) => row.id === id)?.status)
}

const setDocument = ({ configurationId }: Clinic, part: object) =>
  world.sql('update configurations set document = document || $2::jsonb, revision = revision + 1 where id = $1', [
    configurationId,
    JSON.stringify(part),
  ])

const switchOff = ({ configurationId }: Clinic) =>
  world.sql('update configurations set enabled = false, revision = revision + 1 where id = $1', [configurationId])

async function measured(name: string): Promise<number> {
  const page = await (await fetch(world.metricsUrl)).text()
  return Number(new RegExp(`^${name} (.*)$`, 'm').exec(page)?.[1] ?? Number.NaN)
}

describe('H5: the clinic learns of every emergency that was left', () => {
  test('sessions that cannot be opened, however many and however old, hold up no other, in any account', async () => {
    const [broken, whole] = [await world.clinic(), await world.clinic()]
    const first = await left(broken, 180)
    await world.sql(`update sessions set sealed_key = '\\x00' where id = $1`, [first])
    await world.sql(
      `insert into sessions (account_id, id, configuration_id, status, enter_until, active_until, language, content_version, version, secret_hash, sealed_key,
         started_at, alarm_level, last_active_at)
       select account_id, gen_random_uuid(), configuration_id, status, enter_until, active_until, language, content_version, version, secret_hash, sealed_key,
         started_at, alarm_level, last_active_at from sessions, generate_series(1, 120) where id = $1`,
      [first],
    )
    const [sameAccount, otherAccount] = [await left(broken, 60), await left(whole, 60)]
    expect(await world.endLeft()).toBe(2)
    expect(await statusesOf(first, sameAccount, otherAccount)).toEqual(['StartedChat', 'Ended', 'Ended'])

    expect(await measured('fyr_left_alarm_endings_total\\{outcome="failed"\\}')).toBe(121)
    expect(await measured('fyr_left_alarm_overdue_seconds')).toBeGreaterThan(149 * 60)
    const line = world
      .log()
      .split('\n')
      .find((one) => one.includes('could not be ended'))
    expect(JSON.parse(line ?? '{}')).toMatchObject({ level: 50, failed: 121 })
    for (const id of [first, sameAccount, otherAccount, broken.accountId]) expect(line).not.toContain(id)
    await world.sql('update sessions set alarm_level = null where account_id = $1', [broken.accountId])
    expect(await world.endLeft()).toBe(0)
    expect(await measured('fyr_left_alarm_overdue_seconds')).toBe(0)
  })

  test('D13: a configuration that was switched off, or is not valid any more, still has its emergencies ended', async () => {
    const [off, faulty] = [await world.clinic(), await world.clinic()]
    const ids = [await left(off, 60), await left(faulty, 60)]
    await switchOff(off)
    await setDocument(faulty, { languages: 'all of them', theme: null, name: 7 })
    expect(await world.endLeft()).toBe(2)
    expect(await statusesOf(...ids)).toEqual(['Ended', 'Ended'])
  })

  test('D13: who stands at the card when the configuration is switched off can still stop there, but not answer', async () => {
    const clinic = await world.clinic()
    const patient = await alarmed(clinic)
    await switchOff(clinic)
    const asked = patient.asked
    expect((await patient.answer(asked, null)).status).toBe(404)
    expect((await patient.stop()).status).toBe(200)
    expect(patient.now.step).toMatchObject({ kind: 'outcome', outcome: { level: 'Level1' } })
    expect((await patient.look()).status).toBe(404)
  })

  test('D13: what was answered to the end can be sent when the configuration is not valid any more', async () => {
    const clinic = await world.clinic()
    const patient = new Patient(world.url)
    await patient.enterOpen(clinic.slug)
    await patient.answerThrough({ issue_type: 'admin' })
    await setDocument(clinic, { emergencyNumber: 'call someone' })
    expect((await patient.finish()).status).toBe(200)
    expect(await statusesOf(patient.now.sessionId)).toEqual(['Ended'])
  })

  test('a stored document with a text, or a number beyond all bounds, where minutes belong keeps nobody waiting', async () => {
    const [text, vast, whole] = [await world.clinic(), await world.clinic(), await world.clinic()]
    const ids = [await left(text, 31), await left(vast, 24 * 60 + 1), await left(whole, 31)]
    await setDocument(text, { standingAlarmMinutes: 'half an hour' })
    await world.sql(
      `update configurations set document = jsonb_set(document, '{standingAlarmMinutes}', '1e400') where id = $1`,
      [vast.configurationId],
    )
    await world.endLeft()
    expect(await statusesOf(...ids)).toEqual(['Ended', 'Ended', 'Ended'])
  })

  test('housekeeping that hangs does not keep emergencies waiting', async () => {
    await world.sql('begin')
    await world.sql('lock table accounts in access exclusive mode')
    let [rounds, failures] = [0, 0]
    const heard = new Writable({
      write: (_line, _encoding, next) => {
        failures++
        next()
      },
    })
    const done = Promise.withResolvers<void>()
    const endLeft = async () => {
      if (++rounds === 3) done.resolve()
    }
    const upkeep = startUpkeep(world.app.core, newLogger({ LOG_LEVEL: 'warn' }, heard), {
      checkpointFile: null,
      objects: null,
      endLeft,
      forgetOld: () => {},
      backUp: async () => {},
      everyMs: 20,
    })
    await done.promise
    expect(failures).toBe(0) // housekeeping still waits for its first look at the accounts
    await world.sql('rollback')
    await upkeep.stop()
  })
})
