import { afterAll, beforeAll, expect, test } from 'vitest'
import { newWorld, type World } from '../../world/world.ts'
import { type Chromium, launchChromium } from '../browser.ts'
import { eventually, Visitor } from './visitor.ts'

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

async function answersStored(): Promise<number> {
  const [row] = await world.sql(
    'select count(*)::int as n from answers where session_id = (select id from sessions order by created_at desc limit 1)',
  )
  return Number(row?.n)
}

test('an early answer changed in place makes later ones obsolete, and says which (keyboard, Swedish)', async () => {
  const clinic = await world.clinic()
  const visitor = await Visitor.arrives(chromium, world, { language: 'sv', keyboard: true })
  await visitor.open(clinic)
  await visitor.start()
  await visitor.goes('fluid_intake', { ...THROAT, fever: 'measured', temperature: '38,6' })
  await visitor.press('.ledger > .plain')
  expect(await visitor.page.locator('.ledger').innerText()).toContain('38,6 °C')
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
  expect(await visitor.page.locator('.ledger').innerText()).not.toContain('38,6')
  expect(await visitor.question()).toBe('fluid_intake')
  await visitor.isAccessible()
  await visitor.picture('changed')
  await visitor.leaves()
})

test('keeping an answer as it was leads back to where the focus came from', async () => {
  const clinic = await world.clinic()
  const visitor = await Visitor.arrives(chromium, world, { keyboard: true })
  await visitor.open(clinic)
  await visitor.start()
  await visitor.goes('sex', THROAT)
  await visitor.press('[data-change="age"]')
  await visitor.sees('.edit')
  expect(await visitor.page.locator('.edit .field.number').inputValue()).toBe('34')
  await visitor.press('.edit .actions-quiet .quiet')
  await eventually(() => visitor.page.evaluate(() => document.activeElement?.getAttribute('data-change'))).toBe('age')
  await visitor.leaves()
})

test('back asks the last question again with its answer in it', async () => {
  const clinic = await world.clinic()
  const visitor = await Visitor.arrives(chromium, world)
  await visitor.open(clinic)
  await visitor.start()
  await visitor.goes('issue_type', { ...THROAT, sex: 'male' })
  await visitor.press('.actions-quiet .quiet')
  await visitor.sees('form[data-question="sex"]')
  expect(await visitor.page.locator('input[value="male"]').isChecked()).toBe(true)
  await visitor.leaves()
})

test('a reload leads back to the same question; a new visit asks before it shows anything', async () => {
  const clinic = await world.clinic()
  const visitor = await Visitor.arrives(chromium, world, { language: 'fi' })
  await visitor.open(clinic)
  await visitor.start()
  await visitor.goes('matter', THROAT)
  await visitor.page.reload()
  await visitor.sees('form[data-question="matter"]')

  const again = await Visitor.arrives(chromium, world, { context: visitor.context })
  await again.open(clinic)
  await again.sees('.welcome')
  expect(await again.page.locator('.welcome').innerText()).toContain('Olet aloittanut')
  await again.isAccessible()
  await again.picture('welcome-again')
  await again.press('.welcome .primary')
  await again.sees('form[data-question="matter"]')
  expect(again.complaints).toEqual([])
  await visitor.leaves()
})

test('F25: a second tab that lags behind adopts what was answered in the first, and nothing is doubled', async () => {
  const clinic = await world.clinic()
  const first = await Visitor.arrives(chromium, world)
  await first.open(clinic)
  await first.start()
  await first.goes('sex', THROAT)
  const second = await Visitor.arrives(chromium, world, { context: first.context })
  await second.open(clinic)
  await second.press('.welcome .primary')
  await second.sees('form[data-question="sex"]')
  await first.answer({ sex: 'female' })
  await second.choose('sex', 'male')
  await second.page.locator('form.ask .primary').click()
  await second.sees('form[data-question="issue_type"]')
  expect(await second.page.locator('.notice').innerText()).toContain('another window')
  await second.isAccessible()
  expect(await second.page.locator('.ledger').innerText()).toContain('Female')
  expect(await answersStored()).toBe(3)
  await first.leaves()
})

test('someone who begins anew in another tab ends what the first tab may do, and it says so', async () => {
  const clinic = await world.clinic()
  const first = await Visitor.arrives(chromium, world, { language: 'no' })
  await first.open(clinic)
  await first.start()
  await first.goes('sex', THROAT)
  const second = await Visitor.arrives(chromium, world, { context: first.context })
  await second.open(clinic)
  await second.press('.welcome .secondary')
  await second.press('.welcome .actions .primary')
  await second.sees('form[data-question="for_whom"]')
  await first.choose('sex', 'male')
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
  await phone.goes('sex', THROAT)

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
  await tablet.sees('form[data-question="sex"]')
  await tablet.answer({ sex: 'female' })
  await phone.choose('sex', 'male')
  await phone.page.locator('form.ask .primary').click()
  await phone.sees('form[data-question="issue_type"]')
  await phone.leaves()
  await tablet.leaves()
})

test('F01 F02: ten seconds without a connection lose nothing and double nothing; the page says what happens', async () => {
  const clinic = await world.clinic()
  const visitor = await Visitor.arrives(chromium, world, { language: 'fi' })
  await visitor.open(clinic)
  await visitor.start()
  await visitor.goes('sex', THROAT)
  await visitor.context.setOffline(true)
  await visitor.choose('sex', 'female')
  await visitor.page.locator('form.ask .primary').click()
  await visitor.sees('.connection')
  expect(await visitor.page.locator('.connection').innerText()).toContain('Ei yhteyttä')
  await visitor.isAccessible()
  await visitor.picture('offline')
  for (const impatience of [1, 2])
    await visitor.page.locator('form.ask .primary').click({ force: true, clickCount: impatience })
  await visitor.page.waitForTimeout(10_000)
  await visitor.context.setOffline(false)
  await visitor.sees('form[data-question="issue_type"]')
  await eventually(() => visitor.page.locator('.connection').count()).toBe(0)
  expect(await answersStored()).toBe(3)
  await visitor.leaves()
})

test('F02: an answer whose reply was lost is sent again under its own id, also after a reload', async () => {
  const clinic = await world.clinic()
  const visitor = await Visitor.arrives(chromium, world)
  await visitor.open(clinic)
  await visitor.start()
  await visitor.goes('sex', THROAT)
  const ids: unknown[] = []
  await visitor.page.route('**/session/answers', async (route) => {
    ids.push(route.request().postDataJSON().id)
    await route.fetch() // it reaches the service, but the reply never comes back
    await route.abort()
  })
  await visitor.choose('sex', 'female')
  await visitor.page.locator('form.ask .primary').click()
  await visitor.sees('.connection')
  await visitor.page.unroute('**/session/answers')
  visitor.page.on('request', (request) => {
    if (request.url().endsWith('/session/answers')) ids.push(request.postDataJSON().id)
  })
  await visitor.page.reload()
  await visitor.sees('form[data-question="issue_type"]')
  expect(new Set(ids).size).toBe(1)
  expect(await answersStored()).toBe(3)
  await visitor.leaves()
})

test('the language changes half-way: answers stay, every word follows, and the choice is remembered', async () => {
  const clinic = await world.clinic()
  const visitor = await Visitor.arrives(chromium, world, { language: 'en', keyboard: true })
  await visitor.open(clinic)
  await visitor.start()
  await visitor.goes('issue_type', THROAT)
  await visitor.page.locator('.language select').selectOption('fi')
  await eventually(() => visitor.heading()).toBe('Mihin tarvitset apua?')
  expect(await visitor.page.locator('.ledger').innerText()).toContain('Nainen')
  expect(await visitor.page.locator('form.ask .primary').innerText()).toBe('Jatka')
  expect(await visitor.page.locator('html').getAttribute('lang')).toBe('fi')
  await visitor.page.reload()
  await visitor.sees('form[data-question="issue_type"]')
  const html = await (await visitor.context.request.get(`${visitor.origin}/t/${clinic.slug}`)).text()
  expect(html).toContain('<html lang="fi"')
  await visitor.goes('.result', { ...THROAT, issue_type: 'admin' })
  expect(await visitor.page.locator('.result').innerText()).toContain('Mitä seuraavaksi tapahtuu')
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
  await visitor.open(clinic)
  await visitor.start()
  await visitor.goes('.alarm', { ...THROAT, emergency_signs: null })
  await visitor.page.getByRole('button', { name: 'I answered wrong' }).click()
  await visitor.sees('.edit form[data-question="emergency_signs"]')
  // The alarm stands until the answer is changed.
  expect(await visitor.page.locator('.alarm-strip').count()).toBe(1)
  await visitor.isAccessible()
  await visitor.choose('emergency_signs', 'none')
  await visitor.press('.edit .primary')
  await visitor.sees('form[data-question="emergency_more"]')
  expect(await visitor.page.locator('.alarm, .alarm-strip').count()).toBe(0)
  await visitor.leaves()
})

test('what a change did, and an alarm that stands, are in sight with the next question', async () => {
  const clinic = await world.clinic()
  const visitor = await Visitor.arrives(chromium, world)
  await visitor.open(clinic)
  await visitor.start()
  await visitor.goes('medicines', { ...THROAT, fever: 'measured', temperature: '38.6', emergency_more: 'accident' })
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
  await visitor.open(clinic)
  await visitor.start()
  await visitor.goes('.review', THROAT)
  await visitor.press('[data-change="fever"]')
  await visitor.sees('.edit')
  await visitor.choose('fever', 'measured')
  await visitor.press('.edit .primary')
  await visitor.sees('form[data-question="temperature"]')
  expect(await visitor.page.locator('.now .notice').innerText()).toBe('Changed. That brings up a few more questions.')
  await visitor.leaves()
})
