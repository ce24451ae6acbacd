// @module-tag thorough
import { afterAll, beforeAll, expect } from 'vitest'
import { type Chromium, launchChromium, test } from '../../world/browser.ts'
import { continuesAt } from '../../world/continues.ts'
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

const THROAT = { age: '34', sex: 'female', matter: 'my throat is sore', complaints: 'sore-throat' }

/** What was answered on one screen is stored as one entry. */
async function screensStored(): Promise<number> {
  const [row] = await world.sql(
    'select count(*)::int as n from answers where session_id = (select id from sessions order by created_at desc limit 1)',
  )
  return Number(row?.n)
}

test('an early answer changed in place makes later ones obsolete, and says which (keyboard, Swedish)', async () => {
  const clinic = await world.clinic()
  const visitor = await Visitor.arrives(chromium, world, { language: 'sv', keyboard: true })
  await continuesAt(visitor, clinic, 'background', { ...THROAT, fever: 'measured', temperature: '38,6' })
  await visitor.press('.ledger > .plain')
  await eventually(() => visitor.page.locator('.ledger').innerText()).toContain('38,6 °C')
  await visitor.press('[data-change="fever"]')
  await visitor.sees('.edit')
  await visitor.isAccessible()
  await visitor.picture('edit-in-place')
  expect(await visitor.page.evaluate(() => document.activeElement?.closest('.edit') !== null)).toBe(true)
  await visitor.choose('fever', 'no')
  await visitor.press('.edit .primary')
  await visitor.sees('.notice')
  const said = await visitor.page.locator('.notice').innerText()
  expect(said).toContain('gäller inte längre')
  expect(said).toContain('temperatur')
  await eventually(() => visitor.page.locator('.ledger').innerText()).not.toContain('38,6')
  // Without fever the look of the throat decides what else is asked.
  expect(await visitor.question()).toBe('throat_look')
  await visitor.isAccessible()
  await visitor.picture('changed')
  await visitor.leaves()
})

test('keeping an answer as it was leads back to where the focus came from', async () => {
  const clinic = await world.clinic()
  const visitor = await Visitor.arrives(chromium, world, { keyboard: true })
  await continuesAt(visitor, clinic, 'matter', THROAT)
  await visitor.press('.ledger > .plain')
  await visitor.press('[data-change="age"]')
  await visitor.sees('.edit')
  await eventually(() => visitor.page.locator('.edit .field.number').inputValue()).toBe('34')
  await visitor.press('.edit .actions-quiet .quiet')
  await eventually(() => visitor.page.evaluate(() => document.activeElement?.getAttribute('data-change'))).toBe('age')
  await visitor.leaves()
})

test('back asks the last screen again with its answers in it', { tags: 'slice' }, async () => {
  const clinic = await world.clinic()
  const visitor = await Visitor.arrives(chromium, world)
  await continuesAt(visitor, clinic, 'issue_type', { ...THROAT, sex: 'male' })
  await visitor.press('.actions-quiet .quiet')
  await visitor.sees('sex')
  await eventually(() => visitor.page.locator('input[value="self"]').isChecked()).toBe(true)
  await eventually(() => visitor.page.locator('.field.number').inputValue()).toBe('34')
  await eventually(() => visitor.page.locator('input[value="male"]').isChecked()).toBe(true)
  await visitor.leaves()
})

test('a reload leads back to the same question; a new visit asks before it shows anything', async () => {
  const clinic = await world.clinic()
  const visitor = await Visitor.arrives(chromium, world, { language: 'fi' })
  await continuesAt(visitor, clinic, 'matter', THROAT)
  await visitor.page.reload()
  await visitor.sees('matter')

  const again = await Visitor.arrives(chromium, world, { context: visitor.context })
  await again.open(clinic)
  await again.sees('.welcome')
  await eventually(() => again.page.locator('.welcome').innerText()).toContain('Olet aloittanut')
  await again.isAccessible()
  await again.picture('welcome-again')
  await again.press('.welcome .primary')
  await again.sees('matter')
  expect(again.complaints).toEqual([])
  await visitor.leaves()
})

test('F25: a second tab that lags behind adopts what was answered in the first, and nothing is doubled', async () => {
  const clinic = await world.clinic()
  const first = await Visitor.arrives(chromium, world)
  await first.open(clinic)
  await first.start()
  const second = await Visitor.arrives(chromium, world, { context: first.context })
  await second.open(clinic)
  await second.press('.welcome .primary')
  await second.sees('sex')
  await first.answer(THROAT)
  await second.fillIn({ ...THROAT, sex: 'male' })
  await second.page.locator('form.ask .primary').click()
  await second.sees('issue_type')
  await eventually(() => second.page.locator('.notice').innerText()).toContain('another window')
  await second.isAccessible()
  await eventually(() => second.page.locator('.ledger').innerText()).toContain('Female')
  expect(await screensStored()).toBe(1)
  await first.leaves()
})

test('someone who begins anew in another tab ends what the first tab may do, and it says so', {
  tags: 'slice',
}, async () => {
  const clinic = await world.clinic()
  const first = await Visitor.arrives(chromium, world, { language: 'no' })
  await continuesAt(first, clinic, 'matter', THROAT)
  const second = await Visitor.arrives(chromium, world, { context: first.context })
  await second.open(clinic)
  await second.press('.welcome .secondary')
  await second.press('.welcome .actions .primary')
  await second.sees('for_whom')
  await first.fillIn(THROAT)
  await first.page.locator('form.ask .primary').click()
  await first.sees('.notice-page')
  expect(await first.heading()).toBe('Startet på nytt i et annet vindu')
  await first.isAccessible()
  await first.leaves()
})

test('a second device takes over after telling the age; a wrong one does not', async () => {
  const clinic = await world.clinic({ type: 'INVITED' })
  const reply = await fetch(`${world.url}/api/v1/session`, {
    method: 'POST',
    headers: { 'X-Service-API-Key': clinic.key },
  })
  const { url } = (await reply.json()) as { url: string }
  const phone = await Visitor.arrives(chromium, world, { language: 'sv' })
  await phone.page.goto(url)
  await phone.start()
  await phone.goes('matter', THROAT)

  const tablet = await Visitor.arrives(chromium, world, { language: 'sv', width: 768 })
  await tablet.page.goto(url)
  await tablet.press('.welcome .primary')
  await tablet.sees('.field.number')
  expect(await tablet.heading()).toBe('Du började på en annan enhet')
  await tablet.isAccessible()
  await tablet.picture('takeover')
  await tablet.write('.field.number', '71')
  await tablet.press('form.ask .primary')
  await tablet.sees('.fault')
  await tablet.isAccessible()
  await tablet.write('.field.number', '34')
  await tablet.press('form.ask .primary')
  await tablet.sees('matter')
  await tablet.answer(THROAT)
  const next = await tablet.question()
  await phone.fillIn({ ...THROAT, issue_type: 'admin' })
  await phone.page.locator('form.ask .primary').click()
  await eventually(() => phone.question()).toBe(next)
  await phone.leaves()
  await tablet.leaves()
})

test('F01 F02: ten seconds without a connection lose nothing and double nothing; the page says what happens', async () => {
  const clinic = await world.clinic()
  const visitor = await Visitor.arrives(chromium, world, { language: 'fi' })
  await visitor.open(clinic)
  await visitor.start()
  await visitor.context.setOffline(true)
  await visitor.fillIn(THROAT)
  await visitor.page.locator('form.ask .primary').click()
  await visitor.sees('.connection')
  await eventually(() => visitor.page.locator('.connection').innerText()).toContain('Ei yhteyttä')
  await visitor.isAccessible()
  await visitor.picture('offline')
  for (const impatience of [1, 2])
    await visitor.page.locator('form.ask .primary').click({ force: true, clickCount: impatience })
  await visitor.page.waitForTimeout(10_000)
  await visitor.context.setOffline(false)
  await visitor.sees('issue_type')
  await eventually(() => visitor.page.locator('.connection').count()).toBe(0)
  expect(await screensStored()).toBe(1)
  await visitor.leaves()
})

test('F02: an answer whose reply was lost is sent again under its own id, also after a reload', {
  tags: 'slice',
}, async () => {
  const clinic = await world.clinic()
  const visitor = await Visitor.arrives(chromium, world)
  await visitor.open(clinic)
  await visitor.start()
  const ids: unknown[] = []
  await visitor.page.route('**/session/answers', async (route) => {
    ids.push(route.request().postDataJSON().id)
    await route.fetch() // it reaches the service, but the reply never comes back
    await route.abort()
  })
  await visitor.fillIn(THROAT)
  await visitor.page.locator('form.ask .primary').click()
  await visitor.sees('.connection')
  await visitor.page.unroute('**/session/answers')
  visitor.page.on('request', (request) => {
    if (request.url().endsWith('/session/answers')) ids.push(request.postDataJSON().id)
  })
  await visitor.page.reload()
  await visitor.sees('issue_type')
  expect(new Set(ids).size).toBe(1)
  expect(await screensStored()).toBe(1)
  await visitor.leaves()
})

test('the language changes half-way: answers stay, every word follows, and the choice is remembered', async () => {
  const clinic = await world.clinic()
  const visitor = await Visitor.arrives(chromium, world, { language: 'en', keyboard: true })
  await continuesAt(visitor, clinic, 'issue_type', THROAT)
  await visitor.page.locator('.language select').selectOption('fi')
  await eventually(() => visitor.heading()).toBe('Mistä on kyse?')
  await eventually(() => visitor.page.locator('.ledger').innerText()).toContain('Nainen')
  await eventually(() => visitor.page.locator('form.ask .primary').innerText()).toBe('Jatka')
  await eventually(() => visitor.page.locator('html').getAttribute('lang')).toBe('fi')
  await visitor.page.reload()
  await visitor.sees('issue_type')
  const html = await (await visitor.context.request.get(`${visitor.origin}/t/${clinic.slug}`)).text()
  expect(html).toContain('<html lang="fi"')
  await visitor.goes('.result', { ...THROAT, issue_type: 'admin' })
  await eventually(() => visitor.page.locator('.result').innerText()).toContain('Mitä seuraavaksi tapahtuu')
  await visitor.leaves()
})

/** Whether this is in the window, below the bar. */
async function isInSight(visitor: Visitor, selector: string): Promise<boolean> {
  const box = await visitor.page.locator(selector).first().boundingBox()
  const height = visitor.page.viewportSize()?.height ?? 0
  return box !== null && box.y >= 64 && box.y + box.height <= height
}

test('an answer that brought the emergency card by mistake is changed from the card itself', async () => {
  const clinic = await world.clinic()
  const visitor = await Visitor.arrives(chromium, world)
  await continuesAt(visitor, clinic, '.alarm', { ...THROAT, stroke_signs_last_day: null })
  await visitor.page.getByRole('button', { name: 'I answered wrong' }).click()
  await visitor.sees('.edit [data-question="stroke_signs_last_day"]')
  // The alarm stands until the answer is changed.
  await eventually(() => visitor.page.locator('.alarm-strip').count()).toBe(1)
  await visitor.isAccessible()
  await visitor.page.locator('.edit .row:has(input[value="none"])').click()
  await visitor.press('.edit .primary')
  await visitor.sees('.now form.ask')
  await eventually(() => visitor.page.locator('.alarm, .alarm-strip').count()).toBe(0)
  await visitor.leaves()
})

test('what a change did, and an alarm that stands, are in sight with the next question', async () => {
  const clinic = await world.clinic()
  const visitor = await Visitor.arrives(chromium, world)
  await continuesAt(visitor, clinic, 'background', {
    ...THROAT,
    fever: 'measured',
    temperature: '38.6',
    stroke_signs_last_day: 'true',
  })
  await eventually(() => isInSight(visitor, '.alarm-strip')).toBe(true)
  await visitor.press('.ledger > .plain')
  await visitor.press('[data-change="fever"]')
  await visitor.sees('.edit')
  await visitor.choose('fever', 'no')
  await visitor.press('.edit .primary')
  await visitor.sees('.now .notice')
  await eventually(() => isInSight(visitor, '.now .notice')).toBe(true)
  expect(await isInSight(visitor, '.now h1')).toBe(true)
  await visitor.leaves()
})

test('a change at the review that opens further questions says so', async () => {
  const clinic = await world.clinic()
  const visitor = await Visitor.arrives(chromium, world)
  await continuesAt(visitor, clinic, '.review', THROAT)
  await visitor.press('[data-change="fever"]')
  await visitor.sees('.edit')
  await visitor.choose('fever', 'measured')
  await visitor.press('.edit .primary')
  await visitor.sees('temperature')
  await eventually(() => visitor.page.locator('.now .notice').innerText()).toBe(
    'Changed. That brings up a few more questions.',
  )
  await visitor.leaves()
})

test('another danger of the same level brings the emergency card again; the same one in another language does not', async () => {
  const clinic = await world.clinic()
  const visitor = await Visitor.arrives(chromium, world)
  await continuesAt(visitor, clinic, '.alarm', { ...THROAT, breathless_no_sentence: 'true' })
  const before = await visitor.page.locator('.alarm').innerText()
  await visitor.press('.alarm-choices button')
  await visitor.sees('.alarm-strip')
  await visitor.page.locator('.language select').selectOption('fi')
  await eventually(() => visitor.page.locator('html').getAttribute('lang')).toBe('fi')
  await visitor.page.locator('.language select').selectOption('en')
  await eventually(() => visitor.page.locator('form.ask .primary').first().innerText()).toBe('Continue')
  await eventually(() => visitor.page.locator('.alarm').count()).toBe(0)

  await visitor.press('[data-change="major_bleeding"]')
  await visitor.sees('.edit')
  await visitor.page.locator('.edit [data-question="breathless_no_sentence"] .row').click()
  await visitor.choose('major_bleeding', 'true')
  await visitor.press('.edit .primary')
  await visitor.sees('.alarm[role="alertdialog"]')
  await eventually(() => visitor.page.locator('.alarm').innerText()).not.toBe(before)
  await eventually(() => visitor.page.evaluate(() => document.activeElement?.className)).toContain('alarm')
  await visitor.leaves()
})

test('an alarm that was taken back and comes up once more shows its card once more', async () => {
  const clinic = await world.clinic()
  const visitor = await Visitor.arrives(chromium, world)
  await visitor.open(clinic)
  await visitor.start()
  const danger = { ...THROAT, breathless_no_sentence: 'true' }
  await visitor.goes('.alarm', danger)
  await visitor.press('.alarm-choices button')
  await visitor.sees('.alarm-strip')
  await visitor.press('.now .actions-quiet .quiet')
  await visitor.sees('breathless_no_sentence')
  await visitor.answer(danger)
  await visitor.sees('.alarm[role="alertdialog"]')
  await visitor.leaves()
})
