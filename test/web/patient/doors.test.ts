// @module-tag thorough
import { afterAll, beforeAll, expect } from 'vitest'
import { DAYS } from '../../../src/account/hours.ts'
import { changeAccount } from '../../../src/account/provision.ts'
import { type Chromium, launchChromium, test } from '../../world/browser.ts'
import { continuesAt } from '../../world/continues.ts'
import { readPdf } from '../../world/pdf-reading.ts'
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

const CLOSED_WEEK = Object.fromEntries(DAYS.map((day) => [day, []]))

async function invited(key: string, given: object = {}): Promise<{ url: string; sessionId: string }> {
  const reply = await fetch(`${world.url}/api/v1/session`, {
    method: 'POST',
    headers: { 'X-Service-API-Key': key, 'content-type': 'application/json' },
    body: JSON.stringify(given),
  })
  return (await reply.json()) as { url: string; sessionId: string }
}

async function close(key: string, closedReason: string): Promise<void> {
  await fetch(`${world.url}/api/v1/accessControl/close`, {
    method: 'POST',
    headers: { 'X-Service-API-Key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ closedReason }),
  })
}

test('closed by hours: why, when it opens in the clinic’s own time, and a short emergency check that stores nothing', async () => {
  const clinic = await world.clinic({ clinicPhone: '+358 9 123 456' })
  const tomorrow = new Date(Date.now() + 86_400_000)
  const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Helsinki' }).format(tomorrow)
  await changeAccount(world.app.core, clinic.accountId, {
    monitoredHours: { week: CLOSED_WEEK, exceptions: [{ date: day, spans: [{ from: '08:00', to: '16:00' }] }] },
  })
  const visitor = await Visitor.arrives(chromium, world, { language: 'sv' })
  await visitor.open(clinic)
  await visitor.sees('.closed')
  const text = await visitor.page.locator('.closed').innerText()
  const weekday = new Intl.DateTimeFormat('sv-SE', { weekday: 'long', timeZone: 'Europe/Helsinki' }).format(tomorrow)
  expect(text).toContain('har inte öppet nu')
  expect(text).toMatch(new RegExp(`Öppnar ${weekday} .* 08:00`))
  await eventually(() => visitor.page.locator('.closed .call-button').first().getAttribute('href')).toBe('tel:112')
  await visitor.isAccessible()
  await visitor.picture('closed')

  await visitor.press('.closed button.secondary')
  await visitor.goes('.alarm', { age: '50', sex: 'male', stroke_signs_last_day: 'true' })
  await visitor.isAccessible()
  await visitor.picture('closed-alarm')
  // Nothing goes on after this card: it leads back, and does not offer to go on answering.
  await eventually(() => visitor.page.locator('.alarm-choices').innerText()).toBe('Tillbaka')
  await visitor.press('.alarm-choices button')
  await visitor.press('.closed button.secondary')
  await eventually(() => visitor.page.locator('.eyebrow').innerText()).toBe('Akutkontroll, steg 1')
  await visitor.answer()
  await eventually(() => visitor.page.locator('.eyebrow').innerText()).toBe('Akutkontroll, steg 2')
  await visitor.goes('.check-done', { age: '50', sex: 'male' })
  await visitor.isAccessible()
  await visitor.picture('closed-check-done')
  const done = await visitor.page.locator('.check-done').innerText()
  expect(done).toContain('ring +358 9 123 456')
  expect(done).toMatch(new RegExp(`Öppnar ${weekday} .* Kom tillbaka hit`))
  expect(await world.sql('select 1 from sessions where account_id = $1', [clinic.accountId])).toEqual([])
  await visitor.leaves()
})

test.each([
  ['CapLimitReached', 'fi', 'niin monta yhteydenottoa'],
  ['Other', 'no', 'tar ikke imot nye henvendelser'],
] as const)('closed for %s is said as it is (%s), also to who comes with a link', async (reason, language, words) => {
  const clinic = await world.clinic()
  const { url } = await invited(clinic.key)
  await close(clinic.key, reason)
  const visitor = await Visitor.arrives(chromium, world, { language, width: 320, height: 640 })
  await visitor.open(clinic)
  await visitor.sees('.closed')
  await eventually(() => visitor.page.locator('.closed').innerText()).toContain(words)
  await visitor.page.goto(url)
  await visitor.press('.welcome .primary')
  await visitor.sees('.closed')
  await visitor.isAccessible()
  await visitor.leaves()
})

test('an account out of service says so and still shows whom to call', { tags: 'slice' }, async () => {
  const clinic = await world.clinic()
  await changeAccount(world.app.core, clinic.accountId, { active: false })
  const visitor = await Visitor.arrives(chromium, world)
  await visitor.open(clinic)
  await visitor.sees('.closed')
  await eventually(() => visitor.page.locator('.closed').innerText()).toContain('does not use this service')
  await visitor.isAccessible()
  await visitor.leaves()
})

test('the gate that closes between opening the page and starting leads to the closed page', {
  tags: 'slice',
}, async () => {
  const clinic = await world.clinic()
  const visitor = await Visitor.arrives(chromium, world)
  await visitor.open(clinic)
  await visitor.sees('.welcome')
  await close(clinic.key, 'Other')
  await visitor.press('.welcome .primary')
  await visitor.sees('.closed')
  await visitor.leaves()
})

async function open(key: string): Promise<void> {
  await fetch(`${world.url}/api/v1/accessControl/open`, { method: 'POST', headers: { 'X-Service-API-Key': key } })
}

test('a closed page looks again when asked, says so while it stays closed, and goes on to the welcome page', async () => {
  const clinic = await world.clinic()
  await close(clinic.key, 'Other')
  const visitor = await Visitor.arrives(chromium, world)
  await visitor.open(clinic)
  await visitor.sees('.closed')
  await visitor.press('.look-again button')
  await eventually(() => visitor.page.locator('.look-again [role=status]').innerText()).toMatch(/^Still closed at /)
  await visitor.isAccessible()
  await open(clinic.key)
  await visitor.press('.look-again button')
  await visitor.sees('.welcome')
  await visitor.start()
  await visitor.leaves()
})

test('a closed page that comes into sight again looks again, but not under the hands of who is in the emergency check', async () => {
  const clinic = await world.clinic()
  await close(clinic.key, 'Other')
  const visitor = await Visitor.arrives(chromium, world)
  await visitor.open(clinic)
  await visitor.sees('.closed')
  await visitor.press('.closed .secondary')
  await visitor.sees('form.ask[data-screen]')
  await open(clinic.key)
  const comesIntoSight = () => visitor.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await comesIntoSight()
  await visitor.page.waitForTimeout(500)
  await visitor.sees('major_bleeding')
  await visitor.press('form.ask .quiet')
  await visitor.sees('.closed')
  // The page looks from the moment it is drawn, which may be a little after it can be seen.
  const looksAgain = async () => {
    await comesIntoSight()
    return visitor.isAt('.welcome')
  }
  await eventually(looksAgain).toBe(true)
  await visitor.leaves()
})

test('a closed page left open goes on to the welcome page when the promised opening has come', async () => {
  const clinic = await world.clinic()
  const at = Temporal.Now.zonedDateTimeISO('Europe/Helsinki').add({ minutes: 40 })
  const span = {
    from: at.toPlainTime().toString().slice(0, 5),
    to: at.add({ hours: 2 }).toPlainTime().toString().slice(0, 5),
  }
  await changeAccount(world.app.core, clinic.accountId, {
    monitoredHours: { week: CLOSED_WEEK, exceptions: [{ date: at.toPlainDate().toString(), spans: [span] }] },
  })
  const visitor = await Visitor.arrives(chromium, world)
  await visitor.page.clock.install()
  await visitor.open(clinic)
  await visitor.sees('.closed')
  await visitor.page.clock.fastForward('30:00')
  expect(await visitor.isAt('.closed')).toBe(true)
  await changeAccount(world.app.core, clinic.accountId, { monitoredHours: null })
  await visitor.page.clock.fastForward('11:00')
  await visitor.sees('.welcome')
  await visitor.leaves()
})

test('who comes back from an address that has used up its guesses meets the front door, not a wait without end', async () => {
  const limited = await newWorld({ INVALID_KEYS_PER_MINUTE: '1' })
  try {
    const clinic = await limited.clinic()
    const visitor = await Visitor.arrives(chromium, limited)
    await visitor.context.addCookies([{ name: 'fyr-user', value: 'A'.repeat(43), url: visitor.origin }])
    await visitor.open(clinic)
    await visitor.sees('.welcome')
    await visitor.open(clinic)
    await visitor.sees('.welcome')
    await visitor.leaves()
  } finally {
    await limited.close()
  }
})

test('A18: the secret of a link is in no address, no history, no referrer and no log', async () => {
  const clinic = await world.clinic({ type: 'INVITED' })
  const { url } = await invited(clinic.key, { patient: { age: 41 }, text: 'My back hurts' })
  const secret = url.split('#')[1] ?? ''
  expect(secret.length).toBeGreaterThan(40)
  const visitor = await Visitor.arrives(chromium, world)
  const referrers: string[] = []
  visitor.page.on('request', (request) => referrers.push(request.headers().referer ?? ''))
  await visitor.page.goto(url)
  await visitor.sees('.welcome')
  expect(visitor.page.url()).not.toContain('#')
  await visitor.page.reload()
  await visitor.start()
  await visitor.goes('age', {})
  await eventually(() => visitor.page.locator('.field.number').inputValue()).toBe('41')
  await visitor.goes('matter', { sex: 'male' })
  await eventually(() => visitor.page.locator('textarea').inputValue()).toBe('My back hurts')
  const kept = await visitor.page.evaluate(() => JSON.stringify([location.href, history.state, { ...sessionStorage }]))
  expect(kept).not.toContain(secret)
  expect(visitor.requests.join()).not.toContain(secret)
  expect(referrers.join()).not.toContain(secret)
  expect(world.log()).not.toContain(secret)
  await visitor.leaves()
})

test('a personal address without its secret, with a wrong one, or open to nobody, is explained', async () => {
  const clinic = await world.clinic({ type: 'INVITED' })
  const visitor = await Visitor.arrives(chromium, world, { language: 'fi' })
  await visitor.open(clinic)
  await visitor.sees('.notice-page')
  expect(await visitor.heading()).toBe('Tarvitset linkin')
  await visitor.isAccessible()
  await visitor.page.goto(`${visitor.origin}/s/${clinic.slug}`)
  await visitor.sees('.notice-page')
  expect(await visitor.heading()).toBe('Avaa linkkisi uudelleen')
  await visitor.page.goto(`${visitor.origin}/s/${clinic.slug}#${'x'.repeat(43)}`)
  await visitor.press('.welcome .primary')
  await visitor.sees('.notice-page')
  expect(await visitor.heading()).toBe('Tämä linkki ei toimi')
  await eventually(() => visitor.page.locator('.call-button').first().getAttribute('href')).toBe('tel:112')
  await visitor.picture('link-unknown')
  await visitor.leaves()
})

test('an expired session says so, keeps the number in sight, and lets the user start anew', async () => {
  const clinic = await world.clinic()
  const visitor = await Visitor.arrives(chromium, world, { language: 'no' })
  await visitor.open(clinic)
  await visitor.start()
  await visitor.fillIn()
  await world.sql("update sessions set active_until = now() - interval '1 minute' where account_id = $1", [
    clinic.accountId,
  ])
  await visitor.page.locator('form.ask .primary').click()
  await visitor.sees('.notice-page')
  expect(await visitor.heading()).toBe('Tiden gikk ut')
  await visitor.isAccessible()
  await visitor.picture('expired')
  await visitor.press('.notice-page .primary')
  await visitor.start()
  await visitor.leaves()
})

test('a finished session shows its result again, and signing out leaves nothing behind', async () => {
  const clinic = await world.clinic()
  const visitor = await Visitor.arrives(chromium, world)
  await continuesAt(visitor, clinic, '.result', { issue_type: 'admin', matter: 'Change my appointment' })
  await visitor.page.reload()
  await visitor.sees('.result')
  const other = await Visitor.arrives(chromium, world, { context: visitor.context })
  await other.open(clinic)
  await other.sees('.welcome')
  await eventually(() => other.page.locator('.welcome').innerText()).toContain('See the last result')
  await other.press('.welcome .primary')
  await other.sees('.result')
  await visitor.page.locator('.leaving > .secondary').click()
  await visitor.sees('.notice-page')
  expect(await visitor.heading()).toBe('You are signed out')
  await visitor.isAccessible()
  expect(await visitor.page.evaluate(() => sessionStorage.length)).toBe(0)
  const reply = await visitor.context.request.get(`${visitor.origin}/api/triage/v1/session`)
  expect(reply.status()).toBe(401)
  await visitor.leaves()
})

test('the result can be saved as a PDF, shared as a text, and printed without what surrounds it', async () => {
  const clinic = await world.clinic()
  const visitor = await Visitor.arrives(chromium, world)
  await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await continuesAt(visitor, clinic, '.result', { issue_type: 'admin', matter: 'A copy of my record' })
  const [download] = await Promise.all([
    visitor.page.waitForEvent('download'),
    visitor.page.locator('.leaving-row button').first().click(),
  ])
  const chunks: Buffer[] = []
  for await (const chunk of await download.createReadStream()) chunks.push(chunk)
  const pdf = readPdf(Buffer.concat(chunks)).text.join(' ')
  expect(pdf).toContain('Test clinic has received your answers.')
  expect(pdf).not.toContain('A copy of my record')
  await visitor.page.bringToFront()
  await visitor.page.locator('.leaving-row button').nth(1).click()
  await eventually(() => visitor.page.locator('.leaving [role=status]').innerText()).toMatch(/^Copied/)
  const text = await visitor.page.evaluate(() => navigator.clipboard.readText())
  expect(text).toContain('What happens next\n- Test clinic has received your answers.')
  expect(text).toContain('Call the clinic 116 117')
  expect(text).not.toContain('A copy of my record')
  await visitor.page.emulateMedia({ media: 'print' })
  expect(await visitor.page.locator('.leaving').isVisible()).toBe(false)
  await eventually(() => visitor.page.locator('.verdict').isVisible()).toBe(true)
  await eventually(() => visitor.page.locator('.bar').innerText()).toBe('Test clinic')
  await visitor.leaves()
})

test('a link goes on in the language its user agreed in, unless the clinic chose one for the session', async () => {
  const clinic = await world.clinic({ type: 'INVITED', defaultLanguage: 'en' })
  for (const [given, language] of [
    [{}, 'sv'],
    [{ languageCode: 'fi' }, 'fi'],
  ] as const) {
    const { url, sessionId } = await invited(clinic.key, given)
    const visitor = await Visitor.arrives(chromium, world, { language: 'sv' })
    await visitor.page.goto(url)
    await visitor.start()
    await eventually(() => visitor.page.locator('html').getAttribute('lang')).toBe(language)
    await eventually(() => visitor.heading()).toBe(language === 'sv' ? 'Om patienten' : 'Tiedot potilaasta')
    const [row] = await world.sql('select language from sessions where id = $1', [sessionId])
    expect(row?.language).toBe(language)
    await visitor.leaves()
  }
})

test('who was invited and came too late is told to ask for a new link, not to start anew', {
  tags: 'slice',
}, async () => {
  const clinic = await world.clinic({ type: 'INVITED' })
  const { url } = await invited(clinic.key)
  const visitor = await Visitor.arrives(chromium, world)
  await visitor.page.goto(url)
  await visitor.start()
  await world.sql("update sessions set active_until = now() - interval '1 minute' where account_id = $1", [
    clinic.accountId,
  ])
  await visitor.fillIn()
  await visitor.page.locator('form.ask .primary').click()
  await visitor.sees('.notice-page')
  await eventually(() => visitor.page.locator('.notice-page').innerText()).toContain('Ask the clinic for a new link.')
  expect(await visitor.page.locator('.notice-page .primary').count()).toBe(0)
  await visitor.leaves()
})

test('a result that can wait says who acts, and shows the clinic’s number calmly', async () => {
  const clinic = await world.clinic({ clinicPhone: '+358 9 123 456' })
  const visitor = await Visitor.arrives(chromium, world)
  await continuesAt(visitor, clinic, '.result', { issue_type: 'prescription', matter: 'My blood pressure pills' })
  await eventually(() => visitor.page.locator('.result').innerText()).toContain('If you hear nothing')
  const call = visitor.page.locator('.result section a[href="tel:+3589123456"]')
  await eventually(() => call.getAttribute('class')).toBe('secondary')
  await visitor.leaves()
})

test('where only invited people can start, the result offers no other matter', async () => {
  const clinic = await world.clinic({ type: 'INVITED' })
  const { url } = await invited(clinic.key)
  const visitor = await Visitor.arrives(chromium, world)
  await visitor.page.goto(url)
  await visitor.start()
  await visitor.goes('.result', { issue_type: 'admin' })
  expect(await visitor.page.getByRole('button', { name: 'another matter' }).count()).toBe(0)
  await visitor.leaves()
})
