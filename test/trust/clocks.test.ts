import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changeAccount } from '../../src/account/provision.ts'
import { send } from '../world/call.ts'
import { Clinician, linkTo } from '../world/clinician.ts'
import { type Node, spawnNode } from '../world/nodes.ts'
import { Patient } from '../world/patient.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'

/** Sets the clock on the wall of a process: from its start by some minutes, and back by an hour when it is told to. */
const CLOCK = `data:text/javascript,${encodeURIComponent(
  `const Real = Date
   let shift = Number(process.env.CLOCK_MINUTES) * 60_000
   process.on('SIGUSR2', () => { shift -= 3_600_000 })
   const now = () => Real.now() + shift
   globalThis.Date = class Date extends Real {
     constructor(...given) { given.length === 0 ? super(now()) : super(...given) }
     static now() { return now() }
   }
   const real = Temporal.Now.zonedDateTimeISO
   const shifted = (zone) => real(zone ?? Temporal.Now.timeZoneId()).add({ milliseconds: shift })
   Temporal.Now.zonedDateTimeISO = shifted
   Temporal.Now.instant = () => shifted('UTC').toInstant()
   Temporal.Now.plainDateTimeISO = (zone) => shifted(zone).toPlainDateTime()
   Temporal.Now.plainDateISO = (zone) => shifted(zone).toPlainDate()
   Temporal.Now.plainTimeISO = (zone) => shifted(zone).toPlainTime()`,
)}`

let world: World
let clinic: Clinic
let nodes: Node[]

beforeAll(async () => {
  world = await newWorld()
  clinic = await world.clinic()
  const node = (minutes: number) =>
    spawnNode({
      DATABASE_URL: world.databaseUrl,
      MASTER_KEY: world.masterKey.toString('base64'),
      REQUESTS_PER_SECOND_PER_KEY: '0',
      REQUESTS_PER_SECOND_PER_USER: '0',
      INVALID_KEYS_PER_MINUTE: '0',
      CLOCK_MINUTES: String(minutes),
      NODE_OPTIONS: `--import ${CLOCK}`,
    })
  nodes = await Promise.all([node(10), node(-10), node(0)])
  for (const { url } of nodes) await send(`${url}/api/v1/accessControl`, 'GET', { key: clinic.key }) // known before the step
  nodes[2]?.process.kill('SIGUSR2')
})
afterAll(async () => {
  await Promise.all(nodes.map((one) => one.stop()))
  await world.close()
})

/** Asks the same of every node: the one ten minutes ahead, the one ten behind, and the one that was set back by an hour. */
const onEach = <T>(ask: (url: string) => Promise<T>): Promise<T[]> => Promise.all(nodes.map(({ url }) => ask(url)))

const [IN_FIVE_MINUTES, FIVE_MINUTES_AGO] = [`now() + interval '5 minutes'`, `now() - interval '5 minutes'`]
const each = (value: unknown) => [value, value, value]

test('the nodes’ clocks are wrong, as their logs show', async () => {
  await onEach((url) => send(`${url}/nothing-here`, 'GET'))
  const minutesOff = (node: Node) => {
    const [, at = ''] = /.*"time":"([^"]+)".*"msg":"request"/s.exec(node.log()) ?? []
    return Math.round((Date.parse(at) - Date.now()) / 60_000)
  }
  await expect.poll(() => nodes.map(minutesOff)).toEqual([10, -10, -60])
})

describe('F26 the database’s clock decides on every node', () => {
  test('when a link to decision support ends', async () => {
    for (const [moment, status] of [
      [IN_FIVE_MINUTES, 201],
      [FIVE_MINUTES_AGO, 410],
    ] as const) {
      const results = await onEach(async (url) => {
        const made = await send(`${url}/api/v1/session`, 'POST', { key: clinic.key })
        const { sessionId } = made.body as { sessionId: string }
        const { token } = await linkTo(url, clinic, sessionId)
        await world.sql(`update link_tokens set expires_at = ${moment} where session_id = $1`, [sessionId])
        return (await new Clinician(url, clinic.slug).open(token)).status
      })
      expect(results).toEqual(each(status))
    }
  })

  test('when a visit ends', async () => {
    for (const [moment, status] of [
      [IN_FIVE_MINUTES, 200],
      [FIVE_MINUTES_AGO, 401],
    ] as const) {
      const results = await onEach(async (url) => {
        const made = await send(`${url}/api/v1/session`, 'POST', { key: clinic.key })
        const { sessionId } = made.body as { sessionId: string }
        const clinician = new Clinician(url, clinic.slug)
        await clinician.open((await linkTo(url, clinic, sessionId)).token)
        await world.sql(`update visits set alive_until = ${moment} where session_id = $1`, [sessionId])
        return (await clinician.call('GET', '/picture')).status
      })
      expect(results).toEqual(each(status))
    }
  })

  test('when a user’s cookie ends, also while the session is in the node’s memory', async () => {
    const patients = await onEach(async (url) => {
      const patient = new Patient(url)
      await patient.enterOpen(clinic.slug)
      return patient
    })
    const ids = patients.map(({ now }) => now.sessionId)
    const all = (ask: (patient: Patient) => Promise<{ status: number }>) =>
      Promise.all(patients.map(async (patient) => (await ask(patient)).status))
    await world.sql(`update user_cookies set expires_at = ${IN_FIVE_MINUTES} where session_id = any($1)`, [ids])
    expect(await all((patient) => patient.answer('for_whom', 'self'))).toEqual(each(200))
    expect(await all((patient) => patient.look())).toEqual(each(200))
    await world.sql(`update user_cookies set expires_at = ${FIVE_MINUTES_AGO} where session_id = any($1)`, [ids])
    expect(await all((patient) => patient.answer('age', 34))).toEqual(each(401))
    expect(await all((patient) => patient.look())).toEqual(each(401))
  })

  test('when a session can no longer be entered or continued', async () => {
    for (const [moment, entered, continued] of [
      [IN_FIVE_MINUTES, 200, 200],
      [FIVE_MINUTES_AGO, 410, 410],
    ] as const) {
      const results = await onEach(async (url) => {
        const made = await send(`${url}/api/v1/session`, 'POST', { key: clinic.key })
        const { sessionId, url: link } = made.body as { sessionId: string; url: string }
        await world.sql(`update sessions set enter_until = ${moment} where id = $1`, [sessionId])
        const first = await new Patient(url).enter(link)
        const patient = new Patient(url)
        await patient.enterOpen(clinic.slug)
        await world.sql(`update sessions set active_until = ${moment} where id = $1`, [patient.now.sessionId])
        return [first.status, (await patient.answer('for_whom', 'self')).status]
      })
      expect(results).toEqual(each([entered, continued]))
    }
  })

  test('when a key ends, also one that the node knows', async () => {
    const { key, accountId } = await world.clinic()
    const ask = () => onEach(async (url) => (await send(`${url}/api/v1/accessControl`, 'GET', { key })).status)
    await world.sql(`update api_keys set expires_at = ${IN_FIVE_MINUTES} where account_id = $1`, [accountId])
    expect(await ask()).toEqual(each(200))
    await world.sql(`update api_keys set expires_at = ${FIVE_MINUTES_AGO} where account_id = $1`, [accountId])
    await expect.poll(ask, { timeout: 20_000 }).toEqual(each(403)) // once what it knows is too old
  })

  test('whether it is open', async () => {
    const [row] = await world.sql('select (extract(epoch from now()) * 1000)::float8 as now')
    const now = Temporal.Instant.fromEpochMilliseconds(Math.floor(Number(row?.now)))
    const zone = zoneInTheDay(now)
    const at = (minutes: number) => now.add({ minutes }).toZonedDateTimeISO(zone).toPlainTime().toString().slice(0, 5)
    const daily = (from: string, to: string) =>
      Object.fromEntries(
        ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'].map((day) => [
          day,
          [{ from, to }],
        ]),
      )
    for (const [from, to, open] of [
      [at(-4), at(6), true],
      [at(6), at(60), false],
      [at(-90), at(-4), false],
    ] as const) {
      const { accountId, key } = await world.clinic()
      await changeAccount(world.app.core, accountId, {
        timeZone: zone,
        monitoredHours: { week: daily(from, to), exceptions: [] },
      })
      const told = await onEach(async (url) => {
        const { body } = await send(`${url}/api/v1/accessControl`, 'GET', { key })
        return (body as { open: boolean }).open
      })
      expect(told, `${from}–${to}`).toEqual(each(open))
    }
  })

  test('what moment is told and audited', async () => {
    await onEach(async (url) => {
      const made = await send(`${url}/api/v1/session`, 'POST', { key: clinic.key })
      const { sessionId, sessionCreatedTimestamp: at } = made.body as {
        sessionId: string
        sessionCreatedTimestamp: string
      }
      await send(`${url}/api/v1/session/${sessionId}`, 'GET', { key: clinic.key })
      const rows = await world.sql(
        `select abs(extract(epoch from at - $2)) < 60 and abs(extract(epoch from now() - at)) < 60 as fits
         from audit_entries where subject = $1`,
        [sessionId, at],
      )
      expect(rows).toEqual([{ fits: true }, { fits: true }])
    })
  })
})

/** A place where the day has some hours before and after this moment. */
function zoneInTheDay(now: Temporal.Instant): string {
  const zones = ['Pacific/Auckland', 'Asia/Tokyo', 'Europe/Helsinki', 'America/New_York', 'Pacific/Honolulu']
  const hourIn = (zone: string) => now.toZonedDateTimeISO(zone).hour
  return zones.find((zone) => hourIn(zone) >= 4 && hourIn(zone) < 18) ?? 'Europe/Helsinki'
}
