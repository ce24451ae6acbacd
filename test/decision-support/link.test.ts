import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eraseSession } from '../../src/session/upkeep/erase.ts'
import { expectProblem, type Reply, send } from '../world/call.ts'
import { answered, auditOf, Clinician, linkTo, SORE_THROAT, visiting } from '../world/clinician.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'

let world: World
let clinic: Clinic
let sessionId: string
beforeAll(async () => {
  world = await newWorld()
  clinic = await world.clinic()
  sessionId = (await answered(world.url, clinic, SORE_THROAT)).sessionId
})
afterAll(() => world.close())

const visitor = (slug = clinic.slug) => new Clinician(world.url, slug)
const age = (token: 'link_tokens' | 'visits', set: string) =>
  world.sql(`update ${token} set ${set} where session_id = $1`, [sessionId])

/** What a stranger could tell two refusals apart by. */
const seen = ({ status, headers, body }: Reply) => {
  const { requestId: _, ...problem } = body as Record<string, unknown>
  return { status, type: headers['content-type'], problem }
}

describe('the link', () => {
  test('A14: a token works at 4:59 by the database’s clock, and not at 5:00 or 5:01', async () => {
    const { token } = await linkTo(world.url, clinic, sessionId)
    await age('link_tokens', `expires_at = now() + interval '1 second'`)
    expect((await visitor().open(token)).status).toBe(201)
    for (const past of [`now()`, `now() - interval '1 second'`]) {
      await age('link_tokens', `expires_at = ${past}`)
      expectProblem(await visitor().open(token), 410, 'link-expired')
    }
  })

  test('A14: a token that runs out between being looked at and being used opens nothing', async () => {
    const { token } = await linkTo(world.url, clinic, sessionId)
    await world.sql('begin')
    await world.sql('select 1 from audit_heads where account_id = $1 for update', [clinic.accountId])
    const opening = visitor().open(token)
    const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await expect.poll(() => world.sql(waiting), { timeout: 20_000, interval: 20 }).not.toEqual([])
    await age('link_tokens', `expires_at = now() - interval '1 second'`)
    await world.sql('commit')
    expectProblem(await opening, 410, 'link-expired')
  })

  test('a token is exchanged any number of times, each a visit of its own', async () => {
    const { token } = await linkTo(world.url, clinic, sessionId)
    const visitors = [visitor(), visitor(), visitor()]
    for (const one of visitors) expect((await one.open(token)).status).toBe(201)
    expect(new Set(visitors.map(({ visitId }) => visitId)).size).toBe(3)
    expect((await visitors[0]?.call('POST', '/close', { json: {} }))?.status).toBe(204)
    expectProblem((await visitors[0]?.call('GET', '/picture')) as Reply, 401, 'visit-missing')
    expect((await visitors[1]?.call('GET', '/picture'))?.status).toBe(200)
  })

  test('A15: guessed, changed, cut and foreign tokens are refused alike, and tell nothing apart', async () => {
    const { token } = await linkTo(world.url, clinic, sessionId)
    const other = await world.clinic()
    const flipped = token.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
    const [slug, secret] = token.split('.')
    const tries = [
      () => visitor().open(flipped),
      () => visitor().open(`${clinic.slug}.${'A'.repeat(43)}`),
      () => visitor().open(token.slice(0, -1)),
      () => visitor().open(`${token}=`),
      () => visitor().open(`${other.slug}.${secret}`),
      () => visitor(other.slug).open(token),
      () => visitor('no-such-clinic').open(token),
      () => visitor().open(secret ?? ''),
      () => visitor().open(''),
      () => visitor().open(`${slug}.${secret?.toLowerCase()}`),
    ]
    const refusals = await Promise.all(tries.map((one) => one()))
    for (const refusal of refusals) expect(seen(refusal)).toEqual(seen(refusals[0] as Reply))
    expectProblem(refusals[0] as Reply, 404, 'link-not-found')
    expect((await visitor().open(token)).status).toBe(201)
  })

  test('A15: a token of an erased session is like one that never was, and visits to it end', async () => {
    const erased = await answered(world.url, clinic, SORE_THROAT)
    const { token } = await linkTo(world.url, clinic, erased.sessionId)
    const clinician = visitor()
    await clinician.open(token)
    await eraseSession(world.app.core, clinic.accountId, erased.sessionId, 'operator')
    expectProblem(await visitor().open(token), 404, 'link-not-found')
    expectProblem(await clinician.call('GET', '/picture'), 401, 'visit-missing')
    expect(await world.sql('select 1 from visits where session_id = $1', [erased.sessionId])).toEqual([])
  })

  test('a token of a disabled configuration opens nothing', async () => {
    const closed = await world.clinic()
    const told = await answered(world.url, closed, SORE_THROAT)
    const { token } = await linkTo(world.url, closed, told.sessionId)
    const before = new Clinician(world.url, closed.slug)
    await before.open(token)
    await world.sql('update configurations set enabled = false where id = $1', [closed.configurationId])
    expectProblem(await new Clinician(world.url, closed.slug).open(token), 404, 'link-not-found')
    expectProblem(await before.call('GET', '/picture'), 401, 'visit-missing')
    expectProblem(await before.call('POST', '/alive', { json: {} }), 401, 'visit-missing')
  })

  test('A17: fetching the page, by whoever and however often, uses nothing up and begins nothing', async () => {
    const { link, token } = await linkTo(world.url, clinic, sessionId)
    const address = `${world.url}${new URL(link).pathname}`
    const count = () =>
      world.sql('select (select count(*) from visits)::int as visits, (select max(seq) from audit_entries)::int as seq')
    const before = await count()
    for (let time = 0; time < 20; time++) {
      const bot = { headers: { 'user-agent': 'LinkScanner/1.0 (bot)' } }
      expect((await send(address, time % 2 ? 'HEAD' : 'GET', bot)).status).toBe(200)
    }
    expect(await count()).toEqual(before)
    expect((await visitor().open(token)).status).toBe(201)
    const actions = (await auditOf(world, sessionId)).map(({ action }) => action)
    expect(actions.filter((action) => action === 'visit.opened').length).toBeGreaterThan(0)
  })

  test('an address without such a configuration is a page that says so', async () => {
    const reply = await send(`${world.url}/decision-support/nowhere`, 'GET', { headers: { 'accept-language': 'sv' } })
    expect(reply.status).toBe(404)
    expect(reply.text).toContain('Den här adressen används inte')
  })
})

describe('the visit', () => {
  test('ends 5 minutes after the last sign of life', async () => {
    const clinician = await visiting(world, clinic, sessionId)
    const left = async () => {
      const [row] = await world.sql(
        `select extract(epoch from alive_until - now())::int as s from visits where id = $1`,
        [clinician.visitId],
      )
      return Number(row?.s)
    }
    await world.sql(`update visits set alive_until = now() + interval '2 seconds' where id = $1`, [clinician.visitId])
    expect((await clinician.call('POST', '/alive', { json: {} })).status).toBe(200)
    expect(await left()).toBeGreaterThan(290)
    await world.sql(`update visits set alive_until = now() where id = $1`, [clinician.visitId])
    for (const path of ['/picture', '/summary', '/pdf', '/fhir'])
      expectProblem(await clinician.call('GET', path), 401, 'visit-missing')
    expectProblem(await clinician.call('POST', '/alive', { json: {} }), 401, 'visit-missing')
  })

  test('ends after 5 hours at most, however lively the page', async () => {
    const clinician = await visiting(world, clinic, sessionId)
    const [fresh] = await world.sql(
      'select extract(epoch from ends_at - opened_at)::int as s from visits where id = $1',
      [clinician.visitId],
    )
    expect(fresh?.s).toBe(5 * 3_600)
    await world.sql(`update visits set ends_at = now() + interval '3 seconds' where id = $1`, [clinician.visitId])
    const reply = await clinician.call('POST', '/alive', { json: {} })
    expect((reply.body as { secondsLeft: number }).secondsLeft).toBeLessThan(4)
    const [row] = await world.sql('select alive_until <= ends_at as within from visits where id = $1', [
      clinician.visitId,
    ])
    expect(row?.within).toBe(true)
  })

  test('shows one session only: the cookie of one visit is no key to another', async () => {
    const other = await answered(world.url, clinic, SORE_THROAT)
    const [mine, theirs] = [await visiting(world, clinic, sessionId), await visiting(world, clinic, other.sessionId)]
    expect((await mine.picture()).session.sessionId).toBe(sessionId)
    mine.visitId = theirs.visitId
    expectProblem(await mine.call('GET', '/picture'), 401, 'visit-missing')
    mine.cookie = `${theirs.cookie.split('=')[0]}=${mine.cookie.split('=')[1]}`
    expectProblem(await mine.call('GET', '/picture'), 401, 'visit-missing')
  })

  test('A02: an API key opens no visit, and a visit opens no interface', async () => {
    const clinician = await visiting(world, clinic, sessionId)
    const path = `${world.url}/api/decision-support/v1/picture`
    expectProblem(await send(path, 'GET', { key: clinic.key }), 401, 'visit-missing')
    expectProblem(await send(path, 'GET', { headers: { authorization: `Bearer ${clinic.key}` } }), 401, 'visit-missing')
    const session = `${world.url}/api/v1/session/${sessionId}`
    expectProblem(await send(session, 'GET', { headers: { cookie: clinician.cookie } }), 401, 'key-missing')
  })

  test('A40: changes by cookie are taken from our own page only', async () => {
    const clinician = await visiting(world, clinic, sessionId)
    const judgement = { id: crypto.randomUUID(), urgency: 'Level2', reason: 'forged' }
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
    ])
      expectProblem(
        await clinician.call('POST', '/judgements', { json: judgement, headers }),
        403,
        'cross-site-request',
      )
    expectProblem(
      await clinician.call('POST', '/close', { json: {}, headers: { 'sec-fetch-site': 'cross-site' } }),
      403,
      'cross-site-request',
    )
    const { token } = await linkTo(world.url, clinic, sessionId)
    const forged = await send(`${world.url}/api/decision-support/v1/visits`, 'POST', {
      json: { token, configuration: clinic.slug },
      headers: { 'sec-fetch-site': 'cross-site', origin: 'https://elsewhere.example' },
    })
    expectProblem(forged, 403, 'cross-site-request')
    expect((await clinician.picture()).judgements).toEqual([])
  })

  test('in a frame the secret is told to the page, on top it is not', async () => {
    const { token } = await linkTo(world.url, clinic, sessionId)
    const [top, framed] = [visitor(), visitor()]
    await top.open(token)
    await framed.open(token, { embedded: true })
    expect(top.secret).toBeNull()
    expect(framed.secret).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect((await framed.picture()).session.sessionId).toBe(sessionId)
  })

  test('A46: nothing of it is kept by caches, and no address with a pretended ending shows it', async () => {
    const clinician = await visiting(world, clinic, sessionId)
    const replies = await Promise.all(
      ['/picture', '/summary', '/pdf', '/fhir'].map((path) => clinician.call('GET', path)),
    )
    for (const { headers, status } of replies) {
      expect(status).toBe(200)
      expect(headers['cache-control']).toBe('no-store')
      expect(headers['access-control-allow-origin']).toBeUndefined()
    }
    for (const path of ['/picture/a.css', '/picture.css', '/summary/x.js'])
      expectProblem(await clinician.call('GET', path), 404, 'not-found')
    expect((await send(`${world.url}/decision-support/${clinic.slug}/a.css`, 'GET')).status).toBe(404)
  })
})

describe('over https', () => {
  let secure: World
  beforeAll(async () => {
    secure = await newWorld({ PUBLIC_URL: 'https://fyr.example' })
  })
  afterAll(() => secure.close())

  test('the cookie is bound to the host; in a frame it is kept apart for each embedding site', async () => {
    const place = await secure.clinic()
    const told = await answered(secure.url, place, SORE_THROAT)
    const { link, token } = await linkTo(secure.url, place, told.sessionId)
    expect(link).toBe(`https://fyr.example/decision-support/${place.slug}#token=${token}`)
    const flags = async (embedded: boolean) => {
      const clinician = new Clinician(secure.url, place.slug)
      const reply = await clinician.open(token, { embedded })
      const [name, ...rest] = String(reply.headers['set-cookie']?.[0]).split('; ')
      expect(name).toMatch(new RegExp(`^__Host-fyr-visit-${clinician.visitId}=[A-Za-z0-9_-]{43}$`))
      return rest.sort()
    }
    expect(await flags(false)).toEqual(['HttpOnly', 'Max-Age=360', 'Path=/', 'SameSite=Lax', 'Secure'])
    expect(await flags(true)).toEqual(['HttpOnly', 'Max-Age=360', 'Partitioned', 'Path=/', 'SameSite=None', 'Secure'])
  })
})

describe('guessing', () => {
  test('A08: wrong tokens from one address are refused after a while; an ended visit is no guess', async () => {
    const guarded = await newWorld({ INVALID_KEYS_PER_MINUTE: '5' })
    try {
      const place = await guarded.clinic()
      const told = await answered(guarded.url, place, SORE_THROAT)
      const ended = await visiting(guarded, place, told.sessionId)
      await ended.call('POST', '/close', { json: {} })
      for (let time = 0; time < 10; time++) expectProblem(await ended.call('GET', '/picture'), 401, 'visit-missing')
      const statuses: number[] = []
      for (let time = 0; time < 10; time++) {
        const guess = await new Clinician(guarded.url, place.slug).open(`${place.slug}.${'B'.repeat(43)}`)
        statuses.push(guess.status)
      }
      expect(statuses.slice(0, 5)).toEqual([404, 404, 404, 404, 404])
      expect(statuses.at(-1)).toBe(429)
    } finally {
      await guarded.close()
    }
  })
})
