import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { verifyChain } from '../../src/events/verify.ts'
import { expectProblem, send } from '../world/call.ts'
import { answered, auditOf, CHEST_PAIN, Clinician, linkTo, SORE_THROAT } from '../world/clinician.ts'
import { type Node, spawnNode } from '../world/nodes.ts'
import { Patient } from '../world/patient.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'

let world: World
let clinic: Clinic
/** Patients answer on the first; the second has seen nothing of them and has only the database to go by. */
let first: Node
let second: Node
beforeAll(async () => {
  world = await newWorld()
  clinic = await world.clinic()
  const environment = {
    DATABASE_URL: world.databaseUrl,
    MASTER_KEY: world.masterKey.toString('base64'),
    PUBLIC_URL: world.url.replace('127.0.0.1', 'localhost'),
    REQUESTS_PER_SECOND_PER_KEY: '0',
    REQUESTS_PER_SECOND_PER_USER: '0',
    INVALID_KEYS_PER_MINUTE: '0',
  }
  ;[first, second] = await Promise.all([spawnNode(environment), spawnNode(environment)])
})
afterAll(async () => {
  await Promise.all([first.stop(), second.stop()])
  await world.close()
})

describe('over two nodes', () => {
  test('a token issued on one is used on the other, and the visit holds on both', async () => {
    const { sessionId } = await answered(first.url, clinic, CHEST_PAIN)
    const { token } = await linkTo(first.url, clinic, sessionId, 'dr.two')
    const clinician = new Clinician(second.url, clinic.slug)
    expect((await clinician.open(token)).status).toBe(201)
    const elsewhere = new Clinician(first.url, clinic.slug)
    Object.assign(elsewhere, { cookie: clinician.cookie, visitId: clinician.visitId })
    expect(await elsewhere.picture()).toEqual(await clinician.picture())
    expect((await elsewhere.call('POST', '/close', { json: {} })).status).toBe(204)
    expectProblem(await clinician.call('GET', '/picture'), 401, 'visit-missing')
    const mine = (await auditOf(world, sessionId)).filter(({ actor }) => actor === 'clinician:dr.two')
    expect(mine.map(({ action }) => action)).toEqual([
      'visit.opened',
      'session.viewed',
      'session.viewed',
      'visit.closed',
    ])
    expect(await verifyChain(world.app.core, clinic.accountId, [])).toMatchObject({ ok: true })
  })

  test('A14: an expired token is expired on every node', async () => {
    const { sessionId } = await answered(first.url, clinic, SORE_THROAT)
    const { token } = await linkTo(second.url, clinic, sessionId)
    await world.sql('update link_tokens set expires_at = now() where session_id = $1', [sessionId])
    for (const { url } of [first, second])
      expectProblem(await new Clinician(url, clinic.slug).open(token), 410, 'link-expired')
  })

  test('what the patient answers on one node is seen on the other', async () => {
    const patient = new Patient(first.url)
    await patient.enterOpen(clinic.slug)
    const { token } = await linkTo(first.url, clinic, patient.now.sessionId)
    const clinician = new Clinician(second.url, clinic.slug)
    await clinician.open(token)
    const before = await clinician.picture()
    await patient.answerThrough(CHEST_PAIN, (asked) => asked === 'matter')
    await patient.answer('matter', 'pressure on my chest')
    const after = await clinician.picture()
    expect(after.version).not.toBe(before.version)
    expect(after).toMatchObject({ matter: 'pressure on my chest', patient: { age: 67, sex: 'Male' } })
  })
})

describe('what was tampered with is not shown', () => {
  const opened = async () => {
    const { sessionId } = await answered(first.url, clinic, SORE_THROAT)
    const clinician = new Clinician(second.url, clinic.slug)
    await clinician.open((await linkTo(first.url, clinic, sessionId)).token)
    return { sessionId, clinician }
  }
  const expectRefused = async (clinician: Clinician) => {
    const before = second.log().length
    const reply = await clinician.call('GET', '/picture')
    expectProblem(reply, 500, 'internal')
    expect(reply.text).not.toMatch(/throat|Monday|sealed/i)
    await vi.waitFor(() => expect(second.log().slice(before)).toContain('"kind":"seal-broken"'), 40_000)
  }

  test('F35: a changed byte in an answer, the matter, the outcome or the key: 500, a security event, no data', async () => {
    for (const [table, column, key] of [
      ['answers', 'sealed', 'session_id'],
      ['sessions', 'sealed_matter', 'id'],
      ['sessions', 'sealed_outcome', 'id'],
      ['sessions', 'sealed_key', 'id'],
    ] as const) {
      const { sessionId, clinician } = await opened()
      const last = `octet_length(${column}) - 1`
      await world.sql(
        `update ${table} set ${column} = set_byte(${column}, ${last}, 255 - get_byte(${column}, ${last})) where ${key} = $1`,
        [sessionId],
      )
      await expectRefused(clinician)
    }
  })

  test('F35: an answer of another session in its place is not opened', async () => {
    const [mine, theirs] = [await opened(), await opened()]
    await world.sql(
      `update answers a set sealed = b.sealed from answers b where a.session_id = $1 and b.session_id = $2 and a.seq = b.seq`,
      [mine.sessionId, theirs.sessionId],
    )
    await expectRefused(mine.clinician)
  })

  test('F35: answers of one session that an insider puts in another order, or says twice, are not opened', async () => {
    const swapped = await opened()
    await world.sql(
      `update answers a set sealed = b.sealed from answers b
       where a.session_id = $1 and b.session_id = $1 and (a.seq, b.seq) in ((1, 2), (2, 1))`,
      [swapped.sessionId],
    )
    await expectRefused(swapped.clinician)

    const repeated = await opened()
    await world.sql(
      `update answers a set sealed = b.sealed from answers b where a.session_id = $1 and b.session_id = $1 and (a.seq, b.seq) = (2, 1)`,
      [repeated.sessionId],
    )
    await expectRefused(repeated.clinician)
  })

  test('F35: fields of one session that an insider swaps are not opened in each other’s place', async () => {
    const json = { text: '{"told":"matter"}', extendedData: { told: 'extended' } }
    const path = '/api/v1/session'
    const made = await send(`${first.url}${path}`, 'POST', { key: clinic.key, json })
    const { sessionId } = made.body as { sessionId: string }
    const read = () => send(`${second.url}${path}/${sessionId}`, 'GET', { key: clinic.key })
    expect((await read()).text).toContain('matter')
    const swap =
      'update sessions set sealed_given_matter = sealed_extended_data, sealed_extended_data = sealed_given_matter where id = $1'
    await world.sql(swap, [sessionId])
    const reply = await read()
    expectProblem(reply, 500, 'internal')
    expect(reply.text).not.toMatch(/told|extended/)

    const mine = await opened()
    await world.sql(
      'update sessions s set sealed_matter = (select a.sealed from answers a where a.session_id = s.id order by seq limit 1) where id = $1',
      [mine.sessionId],
    )
    await expectRefused(mine.clinician)
  })

  test('F35: a key with all it opens, handed to another session of the same account, opens nothing there', async () => {
    const [mine, theirs] = [await opened(), await opened()]
    await world.sql(
      `update sessions a set sealed_key = b.sealed_key, sealed_matter = b.sealed_matter, sealed_outcome = b.sealed_outcome
       from sessions b where a.id = $1 and b.id = $2`,
      [mine.sessionId, theirs.sessionId],
    )
    await world.sql(
      `update answers a set sealed = b.sealed from answers b where a.session_id = $1 and b.session_id = $2 and a.seq = b.seq`,
      [mine.sessionId, theirs.sessionId],
    )
    await expectRefused(mine.clinician)
  })

  test('A52: rows that an insider hands to another account cannot be opened there', async () => {
    const { sessionId, clinician } = await opened()
    const thief = await world.clinic()
    for (const table of ['answers', 'user_cookies', 'link_tokens', 'visits'])
      await world.sql(`update ${table} set account_id = $2 where session_id = $1`, [sessionId, thief.accountId])
    const adopt =
      'update visits v set configuration_id = $2, key_id = k.id from api_keys k where v.session_id = $1 and k.configuration_id = $2'
    await world.sql(adopt, [sessionId, thief.configurationId])
    const move = 'update sessions set account_id = $2, configuration_id = $3 where id = $1'
    await world.sql(move, [sessionId, thief.accountId, thief.configurationId])
    await expectRefused(clinician)
  })

  test('A52: a visit that an insider points at another account’s session shows nothing', async () => {
    const { clinician } = await opened()
    const thief = await world.clinic()
    const theirs = await answered(first.url, thief, SORE_THROAT)
    await world.sql('update visits set session_id = $2 where id = $1', [clinician.visitId, theirs.sessionId])
    expectProblem(await clinician.call('GET', '/picture'), 401, 'visit-missing')
  })
})
