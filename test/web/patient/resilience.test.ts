import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { Route } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { type Chromium, launchChromium, test } from '../../world/browser.ts'
import { continuesAt } from '../../world/continues.ts'
import { eventually, Visitor } from '../../world/visitor.ts'
import { newWorld, type World } from '../../world/world.ts'

const MOST_KB = 60

let world: World
let chromium: Chromium
beforeAll(async () => {
  ;[world, chromium] = await Promise.all([newWorld(), launchChromium()])
})
afterAll(async () => {
  await chromium?.close()
  await world?.close()
})

test('F12: however busy the service is, the emergency text and the number are served', async () => {
  const busy = await newWorld({ REQUESTS_IN_FLIGHT: '1' })
  const clinic = await busy.clinic({ emergencyNumber: '113' })
  const { port } = new URL(busy.url)
  await fetch(`${busy.url}/t/${clinic.slug}`)
  const path = `/api/triage/v1/configurations/${clinic.slug}/emergency-check`
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n`
  const held = Array.from({ length: 8 }, () => connect(Number(port), '127.0.0.1')) // as many as may be on their way
  for (const socket of held) socket.write(head)
  await eventually(async () => (await fetch(`${busy.url}/t/${clinic.slug}`)).status).toBe(503)

  const page = await fetch(`${busy.url}/t/${clinic.slug}`, { headers: { 'accept-language': 'no' } })
  expect(page.status).toBe(503)
  expect(page.headers.get('content-type')).toContain('text/html')
  const html = await page.text()
  expect(html).toContain('Hvis det kan stå om livet, ring med en gang.')
  expect(html).toContain('href="tel:113"')

  const fallback = await fetch(`${busy.url}/emergency.html`)
  expect(fallback.status).toBe(200)
  const text = await fallback.text()
  for (const words of ['call now', 'soita heti', 'ring med en gang', 'ring genast', 'tel:112'])
    expect(text).toContain(words)
  for (const socket of held) socket.destroy()
  await busy.close()
})

test('F12: with the database away a known page still comes with its own number and goes on by itself when it is back', async () => {
  const clinic = await world.clinic({ emergencyNumber: '113', name: 'Fjordklinikken' })
  const visitor = await Visitor.arrives(chromium, world, { language: 'no' })
  await visitor.open(clinic)
  await visitor.sees('.welcome')
  await world.sql('alter table configurations rename to configurations_away')
  try {
    await visitor.page.reload()
    await visitor.sees('.connection')
    await eventually(() => visitor.page.locator('body').innerText()).toContain('ring med en gang')
    await eventually(() => visitor.page.locator('.call-pill').getAttribute('href')).toBe('tel:113')
    await visitor.isAccessible()
    await visitor.picture('backend-away')
    const stranger = await fetch(`${world.url}/t/never-seen`)
    expect(await stranger.text()).toContain('tel:112')
    expect(stranger.status).toBe(500)
  } finally {
    await world.sql('alter table configurations_away rename to configurations')
  }
  await visitor.sees('.welcome')
  await visitor.leaves()
})

test('F12: a page that nobody opened before, asked for while the database is away, comes by itself when it is back', async () => {
  const clinic = await world.clinic()
  const visitor = await Visitor.arrives(chromium, world, { language: 'sv' })
  await world.sql('alter table configurations rename to configurations_away')
  try {
    await visitor.open(clinic)
    await eventually(() => visitor.page.locator('body').innerText()).toContain('ring genast')
    await visitor.isAccessible()
    await visitor.picture('never-opened-away')
  } finally {
    await world.sql('alter table configurations_away rename to configurations')
  }
  await visitor.sees('.welcome')
  await visitor.leaves()
})

test('when the script does not come, or may not run, the number and what to do stay in sight', async () => {
  const clinic = await world.clinic({ clinicPhone: '09 1234 567' })
  const visitor = await Visitor.arrives(chromium, world, { language: 'fi' })
  await visitor.page.route('**/assets/*.js', (route) => route.abort())
  await visitor.open(clinic)
  await visitor.sees('.static-danger')
  await eventually(() => visitor.page.locator('.static .call-button').getAttribute('href')).toBe('tel:112')
  const calls = visitor.page.locator('main a')
  expect(await calls.evaluateAll((links) => links.map((link) => link.getAttribute('href')))).toEqual([
    'tel:112',
    'tel:091234567',
  ])
  expect((await calls.last().innerText()).replaceAll('\u00a0', ' ')).toBe('Soita vastaanotolle 09 1234 567')
  await visitor.isAccessible()
  await visitor.picture('no-script')
  await visitor.context.close()

  const context = await chromium.newContext({ javaScriptEnabled: false, locale: 'sv' })
  const page = await context.newPage()
  await page.goto(`${visitor.origin}/t/${clinic.slug}`)
  await eventually(() => page.locator('main').innerText()).toContain('kräver JavaScript')
  expect(await page.locator('.static-wait').isVisible()).toBe(false)
  await eventually(() => page.locator('.call-button').getAttribute('href')).toBe('tel:112')
  await eventually(() => page.locator('main a[href="tel:091234567"]').isVisible()).toBe(true)
  await context.close()
})

test('with the service gone half-way the screen stays, the number stays, and the page says what happens', async () => {
  const clinic = await world.clinic()
  const visitor = await Visitor.arrives(chromium, world)
  await visitor.open(clinic)
  await visitor.start()
  await visitor.page.route('**/api/triage/**', (route) => route.abort())
  await visitor.fillIn()
  await visitor.page.locator('form.ask .primary').click()
  await visitor.sees('.connection')
  expect(await visitor.question()).toBe('for_whom')
  await eventually(() => visitor.page.locator('.call-pill').isVisible()).toBe(true)
  await visitor.page.unroute('**/api/triage/**')
  await visitor.page.locator('.connection button').click()
  await visitor.sees('matter')
  await visitor.leaves()
})

test('F12: while a danger waits for the connection the page says whom to call about it, and else it does not', async () => {
  const clinic = await world.clinic({ emergencyNumber: '113' })
  const visitor = await Visitor.arrives(chromium, world, { language: 'sv' })
  const goesOffline = () => visitor.page.route('**/session/answers', (route) => route.abort())
  const comesBack = async () => {
    const before = await visitor.mark()
    await visitor.page.unroute('**/session/answers')
    await visitor.page.locator('.connection button').click()
    await visitor.movesOn(before)
  }
  const bar = visitor.page.locator('.connection')
  const throat = { age: '34', sex: 'female', matter: 'ont i halsen', complaints: 'sore-throat' }
  await continuesAt(visitor, clinic, 'matter', throat)
  await goesOffline()
  await visitor.fillIn(throat)
  await visitor.press('form.ask .primary')
  await bar.waitFor()
  expect(await bar.locator('a').count()).toBe(0)
  await comesBack()
  await visitor.goes('major_bleeding', throat)
  await goesOffline()
  await visitor.none()
  await eventually(() => bar.locator('a').getAttribute('href')).toBe('tel:113')
  expect(await bar.innerText()).toContain('Om något tecken på fara stämmer')
  await visitor.isAccessible()
  await visitor.picture('offline-danger')
  await comesBack()
  await visitor.goes('sandpaper_rash_or_red_tongue', throat)
  await goesOffline()
  await visitor.choose('sandpaper_rash_or_red_tongue', 'true')
  await visitor.press('form.ask .primary')
  await eventually(() => bar.locator('a').getAttribute('href')).toBe('tel:113')
  await comesBack()
  await visitor.leaves()
})

test('a reply to starting that gets lost makes no second session, by the public address and by a link', async () => {
  const clinic = await world.clinic()
  const created = await fetch(`${world.url}/api/v1/session`, {
    method: 'POST',
    headers: { 'x-service-api-key': clinic.key },
  })
  const { url }: { url: string } = await created.json()
  for (const address of [`/t/${clinic.slug}`, new URL(url).pathname + new URL(url).hash]) {
    const visitor = await Visitor.arrives(chromium, world)
    const lose = async (route: Route) => {
      await fetch(route.request().url(), {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
        body: route.request().postData(),
      })
      await route.abort()
    }
    for (const path of ['**/sessions', '**/enter']) await visitor.page.route(path, lose, { times: 1 })
    await visitor.page.goto(visitor.origin + address)
    await visitor.page.locator('.welcome .primary').click()
    await visitor.sees('.welcome .fault')
    await visitor.page.reload()
    await visitor.start()
    await visitor.sees('for_whom')
    await visitor.leaves()
  }
  expect(await world.sql('select 1 from sessions where account_id = $1', [clinic.accountId])).toHaveLength(2)
})

test('on a slow line the start says that it is under way', async () => {
  const clinic = await world.clinic()
  const visitor = await Visitor.arrives(chromium, world)
  const line = Promise.withResolvers<void>()
  await visitor.page.route('**/sessions', async (route) => {
    await line.promise
    await route.continue()
  })
  await visitor.open(clinic)
  await visitor.press('.welcome .primary')
  await eventually(() => visitor.page.locator('.welcome .primary').innerText()).toBe('Starting …')
  line.resolve()
  await visitor.sees('for_whom')
  await visitor.leaves()
})

test('a service that cannot take anyone says so, and one with too many people says that', async () => {
  const clinic = await world.clinic()
  const visitor = await Visitor.arrives(chromium, world)
  let problem = 'content-unavailable'
  await visitor.page.route('**/sessions', (route) =>
    route.fulfill({ status: 503, contentType: 'application/problem+json', body: `{"type":"/problems/${problem}"}` }),
  )
  await visitor.open(clinic)
  const press = () => visitor.press('.welcome .primary')
  const fault = () => visitor.page.locator('.welcome .fault').textContent()
  await press()
  await eventually(fault).toContain('cannot be used at the moment')
  problem = 'overloaded'
  await press()
  await eventually(fault).toContain('Very many people')
})

test('an address nobody uses is said to be so, with a number to call', async () => {
  const reply = await fetch(`${world.url}/t/nobody`, { headers: { 'accept-language': 'sv' } })
  expect(reply.status).toBe(404)
  const html = await reply.text()
  expect(html).toContain('<html lang="sv">')
  expect(html).toContain('används inte')
  expect(html).toMatch(/tel:112|ring genast det lokala nödnumret/) // the number where all clinics have the same
})

test(`the page weighs at most ${MOST_KB} kB compressed, everything included, and comes compressed`, async () => {
  const clinic = await world.clinic()
  const html = await (await fetch(`${world.url}/t/${clinic.slug}`)).text()
  const files = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path)
  expect(files.some((path) => path.endsWith('.js')) && files.some((path) => path.endsWith('.css'))).toBe(true)
  let bytes = gzipSync(html).length
  for (const path of files) {
    const reply = await fetch(`${world.url}${path}`, { headers: { 'accept-encoding': 'gzip' } })
    expect(reply.headers.get('content-encoding'), path).toBe('gzip')
    expect(reply.headers.get('cache-control'), path).toContain('immutable')
    bytes += gzipSync(Buffer.from(await reply.arrayBuffer())).length
  }
  expect(bytes / 1024).toBeLessThanOrEqual(MOST_KB)
})
