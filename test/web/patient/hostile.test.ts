import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect } from 'vitest'
import { type Chromium, launchChromium, test } from '../../world/browser.ts'
import { eventually, Visitor } from '../../world/visitor.ts'
import { newWorld, type World } from '../../world/world.ts'

let world: World
let chromium: Chromium
beforeAll(async () => {
  ;[world, chromium] = await Promise.all([newWorld(), launchChromium()])
})
afterAll(async () => {
  await chromium?.close()
  await world?.close()
})

/** A page of another site, at another origin of this machine. */
async function siteWith(html: string): Promise<{ origin: string; close: () => void }> {
  const server = createServer((_request, reply) => reply.setHeader('content-type', 'text/html').end(html))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close() }
}

test('this browser blocks a cross-origin read, so what it lets through here was allowed', async () => {
  const clinic = await world.clinic()
  const site = await siteWith('<!doctype html><title>Elsewhere</title>')
  const context = await chromium.newContext()
  const page = await context.newPage()
  await page.goto(site.origin)
  const address = `${world.url.replace('127.0.0.1', 'localhost')}/api/triage/v1/configurations/${clinic.slug}`
  const read = await page.evaluate(
    (url) =>
      fetch(url).then(
        (reply) => reply.text(),
        () => 'blocked',
      ),
    address,
  )
  expect(read).toBe('blocked')
  await context.close()
  site.close()
})

test('the accessibility check finds a fault that is planted', async () => {
  const clinic = await world.clinic()
  const visitor = await Visitor.arrives(chromium, world)
  await visitor.open(clinic)
  await visitor.sees('.welcome')
  expect(await visitor.violations()).toEqual([])
  await visitor.page.evaluate(() => {
    const faint = document.createElement('button')
    faint.style.cssText = 'color:#bbb;background:#ccc'
    faint.textContent = 'Hard to read'
    const nameless = document.createElement('input')
    document.querySelector('main')?.append(faint, nameless)
  })
  const found = (await visitor.violations()).join()
  expect(found).toContain('color-contrast')
  expect(found).toContain('label')
  await visitor.leaves()
})

test('a violation of the content security policy is noticed: a planted script does not run and is reported', async () => {
  const clinic = await world.clinic()
  const visitor = await Visitor.arrives(chromium, world)
  await visitor.open(clinic)
  await visitor.sees('.welcome')
  await visitor.page.evaluate(() => {
    const image = new Image()
    image.src = 'https://elsewhere.example/x.png'
  })
  await eventually(() => visitor.complaints.join()).toContain('Content Security Policy')
  await visitor.context.close()
})

test('A42: messages to the page do nothing, whoever sends them', async () => {
  const clinic = await world.clinic()
  const visitor = await Visitor.arrives(chromium, world)
  await visitor.open(clinic)
  await visitor.start()
  const before = await visitor.page.evaluate(() => document.body.innerHTML)
  await visitor.page.evaluate(async () => {
    const junk = [
      null,
      1,
      'close',
      {},
      { type: 'close' },
      { source: 'fyr', version: 1, type: 'resize', height: 1e9 },
      { source: 'fyr', type: 'navigate', url: 'https://evil.example' },
    ]
    for (const message of junk) {
      window.postMessage(message, '*')
      dispatchEvent(new MessageEvent('message', { data: message, origin: 'https://good.example.evil.com' }))
      dispatchEvent(new MessageEvent('message', { data: message, origin: 'null' }))
    }
    await new Promise((done) => setTimeout(done, 200))
  })
  expect(await visitor.page.evaluate(() => document.body.innerHTML)).toBe(before)
  expect(visitor.page.url()).toBe(`${visitor.origin}/t/${clinic.slug}`)
  await visitor.leaves()
})

const CORPUS = [
  '<script>window.hit=1</script>',
  '"><img src=x onerror="window.hit=1">',
  "'-window.hit=1-'",
  '<svg onload=window.hit=1>',
  '</script><script>window.hit=1</script>',
  'javascript:window.hit=1',
  '{{constructor.constructor("window.hit=1")()}}',
  '<iframe srcdoc="<script>parent.hit=1</script>">',
  '\u202Egpj.exe <b>bold</b> &lt;b&gt; \u0000'.replace('\u0000', ''),
]

test('A43: markup in names, words, answers and the address stays words, and no policy is violated', async () => {
  const clinic = await world.clinic({ name: `Clinic ${CORPUS[0]}${CORPUS[4]}` })
  const visitor = await Visitor.arrives(chromium, world)
  await visitor.page.goto(`${visitor.origin}/t/${clinic.slug}?lang=${encodeURIComponent(CORPUS[1] ?? '')}`)
  await visitor.sees('.welcome')
  await eventually(() => visitor.page.locator('.bar-name').innerText()).toContain('<script>')
  await visitor.start()
  await visitor.goes('.result', { issue_type: 'admin', matter: CORPUS.join('\n') })
  await visitor.page.reload()
  await visitor.sees('.result')
  expect(await visitor.page.evaluate(() => 'hit' in window)).toBe(false)
  await eventually(() => visitor.page.locator('script').count()).toBe(2) // the facts and the app
  await visitor.leaves()
})

test('A43: what is given over the interface is shown as it was given, and harms nobody', async () => {
  const clinic = await world.clinic({ type: 'INVITED' })
  const text = CORPUS.join(' ')
  const reply = await fetch(`${world.url}/api/v1/session`, {
    method: 'POST',
    headers: { 'X-Service-API-Key': clinic.key, 'content-type': 'application/json' },
    body: JSON.stringify({ text, patient: { age: 50, sex: 'Female' }, userIsPatient: true }),
  })
  const { url } = (await reply.json()) as { url: string }
  const visitor = await Visitor.arrives(chromium, world, { language: 'fi' })
  await visitor.page.goto(url)
  await visitor.start()
  await visitor.goes('matter', { age: '50', sex: 'female' })
  await visitor.choose('issue_type', 'regular')
  await eventually(() => visitor.page.locator('textarea').inputValue()).toBe(text)
  await visitor.press('form.ask .primary')
  await visitor.sees('.own-words')
  await eventually(() => visitor.page.locator('.own-words').innerText()).toContain('<script>')
  expect(await visitor.page.evaluate(() => 'hit' in window)).toBe(false)
  await visitor.leaves()
})
