// @module-tag thorough
import { createServer, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { Frame, FrameLocator } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { type Chromium, launchChromium, test } from '../../world/browser.ts'
import { newAuthority } from '../../world/certificates.ts'
import { freePort } from '../../world/ports.ts'
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

const ELSEWHERE = 'http://127.0.0.1:1'
const addressOf = (slug: string): string => `${world.url.replace('127.0.0.1', 'localhost')}/t/${slug}`

/** Shows a page in a frame and keeps what it says, with the origin it says it from. */
const framing = (address: string, attributes = ''): string => `<!doctype html><title>Clinic</title><body>
<iframe src="${address}" width="380" height="500" ${attributes}></iframe>
<script>window.heard = []; addEventListener('message', (event) => {
  heard.push({ origin: event.origin, ...event.data })
  if (event.data.type === 'resize') document.querySelector('iframe').height = event.data.height
})</script>`

/** A page of another site, at an origin of this machine that is known before the page is. */
async function site(port: number, html: string): Promise<Server> {
  const server = createServer((_request, reply) => reply.setHeader('content-type', 'text/html').end(html))
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  return server
}

const CALM = ['self', 'female', 'admin', 'none', 'false']

/** Answers an administrative matter within a frame, to its end. */
async function answersWithin(frame: FrameLocator): Promise<void> {
  for (let steps = 0; steps < 25 && (await frame.locator('.result').count()) === 0; steps++) {
    if (await frame.locator('.review').count()) {
      await frame.locator('.review .primary').click()
      await frame.locator('.result').waitFor()
      return
    }
    const screen = await frame.locator('form.ask').first().getAttribute('data-screen')
    if (await frame.locator('.sign-rows').count()) {
      await frame.locator('form.ask').evaluate(() => new Promise((read) => setTimeout(read, 700)))
      await frame.locator('.row:has(input[value="none"])').click()
    } else {
      const fields = frame.locator('form.ask [data-question]')
      // An answer may call for another question.
      for (let at = 0; at < (await fields.count()); at++) {
        const field = fields.nth(at)
        const calm = field.locator(`.row:has(:is(${CALM.map((value) => `[value="${value}"]`).join(', ')}))`)
        const row = (await calm.count()) > 0 ? calm : field.locator('.row')
        // What most leave folded is unfolded first.
        const folded = field.locator('.control > details:not([open]) > summary')
        if (await folded.count()) await folded.click()
        if (await row.count()) await row.first().click()
        if (await field.locator('.field.number').count()) await field.locator('.field.number').fill('40')
      }
      const isSkipped = (await frame.locator('form.ask [data-question]:only-of-type textarea').count()) > 0
      await frame.locator(isSkipped ? '.actions-quiet button:last-child' : 'form.ask .primary').click()
    }
    await frame.locator(`form.ask:not([data-screen="${screen}"]), .review, .result`).first().waitFor()
  }
}

type Heard = { type: string; origin: string; source: string; height?: number; sessionId?: string }

test('embedded where it is allowed: the journey works and the page around it hears ready, resize, completed and closed', async () => {
  const port = await freePort()
  const clinic = await world.clinic({ allowedOrigins: [`http://127.0.0.1:${port}`] })
  const host = await site(port, framing(addressOf(clinic.slug)))
  const visitor = await Visitor.arrives(chromium, world, { width: 420 })
  await visitor.page.goto(`http://127.0.0.1:${port}`)
  const frame = visitor.page.frameLocator('iframe')
  await frame.locator('.welcome .primary').click()
  await frame.locator('form.ask').waitFor()
  const entries = await visitor.page.evaluate(() => history.length)
  await answersWithin(frame)
  // The page around us keeps its own Back.
  expect(await visitor.page.evaluate(() => history.length)).toBe(entries)
  await visitor.picture('embedded')
  const overflow = await insideOf(visitor).evaluate(() => document.documentElement.scrollHeight - innerHeight)
  expect(overflow).toBeLessThanOrEqual(1)
  await frame.getByRole('button', { name: 'Close' }).click()
  const hears = () => visitor.page.evaluate(() => (window as unknown as { heard: Heard[] }).heard)
  const kinds = async () => [...new Set((await hears()).map(({ type }) => type))].sort()
  await eventually(kinds).toEqual(['closed', 'completed', 'ready', 'resize'])
  const heard = await hears()
  const { origin } = new URL(addressOf(clinic.slug))
  expect(heard.filter((one) => one.origin !== origin || one.source !== 'fyr')).toEqual([])
  const [row] = await world.sql('select id from sessions where account_id = $1', [clinic.accountId])
  expect(heard.find(({ type }) => type === 'completed')?.sessionId).toBe(row?.id)
  expect(JSON.stringify(heard)).not.toMatch(/female|admin/)
  await visitor.leaves()
  host.close()
})

const insideOf = (visitor: Visitor): Frame => {
  const frame = visitor.page.frames()[1]
  if (!frame) throw new Error('There is no frame.')
  return frame
}

test('embedded over https the cookie is kept apart for each site, and a reload of the frame loses nothing', async () => {
  const [front, hostPort] = [await freePort(), await freePort()]
  const secure = await newWorld({ PUBLIC_URL: `https://localhost:${front}` })
  const authority = newAuthority()
  const clinic = await secure.clinic({ allowedOrigins: [`https://127.0.0.1:${hostPort}`] })
  const address = `https://localhost:${front}/t/${clinic.slug}`
  const proxy = createSecureServer(authority.issue(['localhost']), (request, reply) => {
    const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => name !== 'host'))
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', async () => {
      const body = chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}
      const answer = await fetch(`${secure.url}${request.url}`, {
        method: request.method ?? 'GET',
        headers: headers as Record<string, string>,
        ...body,
      })
      const kept = [...answer.headers].filter(
        ([name]) => !['content-encoding', 'content-length', 'set-cookie'].includes(name),
      )
      reply.writeHead(answer.status, { ...Object.fromEntries(kept), 'set-cookie': answer.headers.getSetCookie() })
      reply.end(Buffer.from(await answer.arrayBuffer()))
    })
  }).listen(front, '127.0.0.1')
  const host = createSecureServer(authority.issue(['127.0.0.1']), (_request, reply) =>
    reply.setHeader('content-type', 'text/html').end(framing(address)),
  ).listen(hostPort, '127.0.0.1')

  const context = await chromium.newContext({ ignoreHTTPSErrors: true, locale: 'en' })
  const visitor = await Visitor.arrives(chromium, secure, { context })
  await visitor.page.goto(`https://127.0.0.1:${hostPort}`)
  const frame = visitor.page.frameLocator('iframe')
  await frame.locator('.welcome .primary').click()
  await frame.locator('[data-question="for_whom"]').waitFor()
  const cookie = (await context.cookies()).find(({ name }) => name === '__Host-fyr-user')
  expect(cookie).toMatchObject({ secure: true, httpOnly: true, sameSite: 'None', path: '/' })
  expect(cookie?.partitionKey).toContain('127.0.0.1')
  for (const value of ['self', 'female']) await frame.locator(`.row:has(input[value="${value}"])`).click()
  await frame.locator('.field.number').fill('40')
  await frame.locator('form.ask .primary').click()
  await frame.locator('[data-question="matter"]').waitFor()
  await insideOf(visitor).goto(address)
  // The frame may not keep a note of its own here, so it asks before it goes on; the answers are there.
  await frame.locator('.welcome .primary, [data-question="matter"]').first().waitFor()
  if (await frame.locator('.welcome').count()) await frame.locator('.welcome .primary').first().click()
  await frame.locator('[data-question="matter"]').waitFor()
  await visitor.leaves()
  proxy.close()
  host.close()
  await secure.close()
})

test.each([
  ['an origin that is not listed', ''],
  ['a sandbox without an origin', 'sandbox="allow-scripts"'],
])('A41: embedding from %s shows nothing of the page', async (_name, attributes) => {
  const port = await freePort()
  const allowedOrigins = attributes ? [`http://127.0.0.1:${port}`] : [ELSEWHERE]
  const clinic = await world.clinic({ allowedOrigins })
  // In a sandbox our own page would have no origin; a sandboxed parent has none that could be listed.
  const inner = framing(addressOf(clinic.slug))
  const html = attributes
    ? `<!doctype html><title>x</title><iframe ${attributes} srcdoc='${inner.replaceAll("'", '&#39;')}'></iframe>`
    : inner
  const host = await site(port, html)
  const context = await chromium.newContext()
  const page = await context.newPage()
  const blocked: string[] = []
  page.on('console', (message) => blocked.push(message.text()))
  await page.goto(`http://127.0.0.1:${port}`)
  await eventually(() => blocked.join()).toMatch(/frame-ancestors/)
  for (const frame of page.frames()) expect(await frame.locator('.welcome').count()).toBe(0)
  await context.close()
  host.close()
})

test('A41: a listed site cannot lend us to another: every ancestor must be listed', { tags: 'slice' }, async () => {
  const [listedPort, outerPort] = [await freePort(), await freePort()]
  const clinic = await world.clinic({ allowedOrigins: [`http://127.0.0.1:${listedPort}`] })
  const listed = await site(listedPort, framing(addressOf(clinic.slug)))
  const outer = await site(outerPort, framing(`http://127.0.0.1:${listedPort}`))
  const context = await chromium.newContext()
  const page = await context.newPage()
  const blocked: string[] = []
  page.on('console', (message) => blocked.push(message.text()))
  await page.goto(`http://127.0.0.1:${outerPort}`)
  await eventually(() => blocked.join()).toMatch(/frame-ancestors/)
  await context.close()
  listed.close()
  outer.close()
})

test('A41: every answer says who may frame it, pages of trouble included', { tags: 'slice' }, async () => {
  const clinic = await world.clinic({ allowedOrigins: [ELSEWHERE] })
  const paths = [
    `/t/${clinic.slug}`,
    `/s/${clinic.slug}`,
    '/t/nobody',
    '/emergency.html',
    '/assets/none.js',
    '/api/triage/v1/session',
    '/nowhere',
  ]
  for (const path of paths) {
    const reply = await fetch(`${world.url}${path}`)
    const policy = reply.headers.get('content-security-policy') ?? ''
    expect(policy, path).toContain(`frame-ancestors ${path.includes(clinic.slug) ? ELSEWHERE : "'none'"}`)
  }
})

test('in a frame the page around follows to each new question, and is left alone before the user touches anything', async () => {
  const port = await freePort()
  const clinic = await world.clinic({ allowedOrigins: [`http://127.0.0.1:${port}`] })
  const around = framing(addressOf(clinic.slug))
    .replace('<iframe', '<p style="height:700px">Above</p><iframe')
    .replace('<script>', '<p style="height:2000px">Below</p><script>')
  const host = await site(port, around)
  const visitor = await Visitor.arrives(chromium, world, { width: 420, height: 600 })
  await visitor.page.goto(`http://127.0.0.1:${port}`)
  const frame = visitor.page.frameLocator('iframe')
  await frame.locator('.welcome').waitFor()
  expect(await visitor.page.evaluate(() => scrollY)).toBe(0)
  await frame.locator('.welcome .primary').click()
  for (const [question, ...choices] of [
    ['for_whom', 'self', 'male'],
    ['matter'],
    ['complaints', 'general'],
    ['major_bleeding', 'stroke_signs_last_day'],
  ] as const) {
    await frame.locator(`[data-question="${question}"]`).waitFor()
    await eventually(() => isInSight(visitor)).toBe(true)
    for (const choice of choices)
      await frame.locator(`.row:has(input:is([value="${choice}"], [name="${choice}"]))`).first().click()
    if (question === 'for_whom') await frame.locator('.field.number').fill('50')
    await frame.locator('form.ask .primary').click()
  }
  await frame.locator('.alarm').waitFor()
  await eventually(() => isInSight(visitor)).toBe(true)
  await visitor.leaves()
  host.close()
})

/** Whether the first words within the frame are in the window of the page around it. */
async function isInSight(visitor: Visitor): Promise<boolean> {
  const box = await visitor.page.frameLocator('iframe').locator('.eyebrow, .alarm-sign').first().boundingBox()
  return box !== null && box.y > -2 && box.y + box.height < 602
}
