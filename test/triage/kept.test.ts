import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Patient } from '../world/patient.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'

let world: World
let clinic: Clinic
beforeAll(async () => {
  world = await newWorld()
  clinic = await world.clinic()
})
afterAll(() => world.close())

/** A patient in the middle of an interview that this node answered last, so that it knows the session by heart. */
async function known(body: Record<string, unknown> = {}, place: Clinic = clinic): Promise<Patient> {
  const patient = new Patient(world.url)
  await patient.enterOpen(place.slug, body)
  await patient.answerThrough({}, (asked) => asked === 'complaints')
  return patient
}

const stored = async (patient: Patient) =>
  (await world.sql('select count(*)::int as count from answers where session_id = $1', [patient.now.sessionId]))[0]
    ?.count

// What is changed straight in the database is what another node would have written.
describe('a session that a node knows by heart is answered as the database has it', () => {
  test('A13: a browser signed out elsewhere can neither answer nor have its last answer said again', async () => {
    const patient = await known()
    const id = randomUUID()
    await patient.answer('complaints', ['general'], { id })
    await world.sql('update user_cookies set signed_out_at = now() where session_id = $1', [patient.now.sessionId])
    expect((await patient.answer('major_bleeding', false)).status).toBe(401)
    for (const version of [patient.now.version, patient.now.version - 1])
      expect((await patient.answer('complaints', ['general'], { id, version })).status).toBe(401)
    expect((await patient.answer('major_bleeding', 'nonsense')).status).toBe(401)
    expect(await stored(patient)).toBe(3)
  })

  test('A13: a credential that has run out, or was issued for the other kind, is refused', async () => {
    for (const credential of ['cookie', 'bearer']) {
      const patient = await known({ credential })
      await world.sql("update user_cookies set expires_at = now() - interval '1 second' where session_id = $1", [
        patient.now.sessionId,
      ])
      expect((await patient.answer('complaints', ['general'])).status).toBe(401)
      expect(await stored(patient)).toBe(2)
    }
    const [browser, headless] = [await known(), await known({ credential: 'bearer' })]
    const secret = browser.cookie?.split('=')[1] ?? ''
    browser.cookie = `fyr-user=${headless.bearer}`
    ;[browser.bearer, headless.bearer] = [null, secret]
    for (const patient of [browser, headless]) {
      expect((await patient.look()).status).toBe(401)
      expect((await patient.answer('complaints', ['general'])).status).toBe(401)
    }
  })

  test('a session that has expired or been erased elsewhere takes no answer', async () => {
    for (const [change, status] of [
      ["active_until = now() - interval '1 second'", 410],
      ['erased_at = now()', 401],
    ] as const) {
      const patient = await known()
      await world.sql(`update sessions set ${change} where id = $1`, [patient.now.sessionId])
      const reply = await patient.call('POST', '/session/answers', {
        id: randomUUID(),
        answers: [{ question: 'complaints', value: ['general'] }],
        version: patient.now.version,
      })
      expect(reply.status, change).toBe(status)
      expect(await stored(patient)).toBe(2)
    }
  })

  test('a configuration switched off elsewhere takes no answer; one that was changed is read again', async () => {
    const other = await world.clinic()
    const patient = await known({}, other)
    const change = (what: string) =>
      world.sql(`update configurations set ${what}, revision = revision + 1 where id = $1`, [other.configurationId])
    await change('enabled = false')
    expect((await patient.answer('complaints', ['general'])).status).toBe(404)
    await change('enabled = true')
    expect((await patient.answer('complaints', ['general'])).status).toBe(200)
    await change(`document = document || '{"languages": ["fi"], "defaultLanguage": "fi"}'`)
    expect((await patient.answer('major_bleeding', false)).status).toBe(200)
    expect(patient.now.language).toBe('fi')
  })

  test('a language chosen elsewhere stays chosen', async () => {
    const patient = await known()
    await world.sql("update sessions set language = 'sv' where id = $1", [patient.now.sessionId])
    await patient.answer('complaints', ['general'])
    expect(patient.now.language).toBe('sv')
    expect(await world.sql('select language from sessions where id = $1', [patient.now.sessionId])).toEqual([
      { language: 'sv' },
    ])
  })

  test('a file that was uploaded in between is shown', async () => {
    const patient = await known()
    await patient.call('POST', '/session/files', { id: randomUUID(), name: 'letter.pdf', size: 100 })
    await patient.answer('complaints', ['general'])
    expect(patient.now.files).toMatchObject([{ name: 'letter.pdf' }])
  })
})
