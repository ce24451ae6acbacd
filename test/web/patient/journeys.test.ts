// @module-tag thorough
import { afterAll, beforeAll, expect } from 'vitest'
import { type Chromium, launchChromium, test } from '../../world/browser.ts'
import { sliceOf } from '../../world/sweep.ts'
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

test('an adult meets the emergency card mid-way, goes on, and reads what to do (English, pointer)', {
  tags: 'slice',
}, async () => {
  const clinic = await world.clinic({ clinicPhone: '+358 9 123 456' })
  const visitor = await Visitor.arrives(chromium, world)
  await visitor.open(clinic)
  await visitor.isAccessible()
  await visitor.picture('welcome')
  await visitor.start()
  await visitor.goes('.alarm', {
    age: '58',
    sex: 'male',
    matter: 'Pain when I climb the stairs',
    chest_pressure_5_minutes: 'true',
  })

  const card = visitor.page.locator('[role=alertdialog]')
  expect(await card.evaluate((element) => element === document.activeElement)).toBe(true)
  await eventually(() => card.getByRole('link').first().getAttribute('href')).toBe('tel:112')
  await visitor.isAccessible()
  await visitor.picture('alarm')
  await visitor.goes('.review', {})
  await eventually(() => visitor.page.locator('.alarm-strip').isVisible()).toBe(true)
  await visitor.isAccessible()
  await visitor.goes('.result')
  await eventually(() => visitor.page.locator('.verdict a').first().getAttribute('href')).toBe('tel:112')
  await visitor.isAccessible()
  await visitor.leaves()
})

test('stopping at the emergency card ends the session at that level', { tags: 'slice' }, async () => {
  const clinic = await world.clinic()
  const visitor = await Visitor.arrives(chromium, world)
  await visitor.open(clinic)
  await visitor.start()
  await visitor.goes('.alarm', { major_bleeding: 'true' })
  await visitor.page.getByRole('button', { name: 'Stop here' }).click()
  await visitor.sees('.result')
  await eventually(() => visitor.page.locator('.result').innerText()).toContain('You stopped before the end')
  const [row] = await world.sql('select status, urgency from sessions order by created_at desc limit 1')
  expect(row?.status).toBe('Ended')
  expect(Number(row?.urgency)).toBeLessThanOrEqual(2)
  await visitor.isAccessible()
  await visitor.leaves()
})

test('a parent answers for an infant, weeks old, with the keyboard alone (Finnish)', async () => {
  const clinic = await world.clinic()
  const visitor = await Visitor.arrives(chromium, world, { language: 'fi', keyboard: true })
  await visitor.open(clinic)
  await eventually(() => visitor.page.locator('html').getAttribute('lang')).toBe('fi')
  await visitor.start()
  const infant = { for_whom: 'other', age: '7 weeks', sex: 'female' }
  await visitor.goes('matter', infant)
  await eventually(() => visitor.page.locator('.ledger').innerText()).toContain('7 viikkoa')
  // The focus is on the new question, so that it is read at once.
  expect(await visitor.page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
  await visitor.goes('.result', {
    ...infant,
    matter: 'Vauvalla on kuumetta',
    complaints: 'child-fever',
    fever: 'measured',
    temperature: '38,6',
  })
  await eventually(() => visitor.page.locator('.result').innerText()).toMatch(/Koska kerroit/)
  await visitor.isAccessible()
  await visitor.leaves()
})

test('someone answers for an old parent, in the dark theme on a wide screen (Swedish)', async () => {
  const clinic = await world.clinic()
  const visitor = await Visitor.arrives(chromium, world, { language: 'sv', dark: true, width: 1280, height: 900 })
  await visitor.open(clinic)
  await visitor.isAccessible()
  await visitor.start()
  await visitor.goes('.review', {
    for_whom: 'other',
    age: '86',
    sex: 'female',
    matter: 'mamma har ont i magen sedan i går',
    complaints: 'abdominal-pain',
  })
  await visitor.isAccessible()
  await visitor.goes('.result')
  await eventually(() => visitor.page.locator('.result').innerText()).toMatch(/Vad som händer nu/)
  await visitor.isAccessible()
  await visitor.leaves()
})

test('Sex Other explains itself, asks only what it must, and goes on (Norwegian, keyboard)', async () => {
  const clinic = await world.clinic()
  const visitor = await Visitor.arrives(chromium, world, { language: 'no', keyboard: true })
  await visitor.open(clinic)
  await eventually(() => visitor.page.locator('html').getAttribute('lang')).toBe('nb')
  await visitor.start()
  const why = visitor.page.locator('[data-question="sex"] .disclosure')
  expect(await why.evaluate((details) => (details as HTMLDetailsElement).open)).toBe(true)
  const asked = await visitor.goes('.result', {
    age: '29',
    sex: 'other',
    matter: 'vondt i magen',
    complaints: 'abdominal-pain',
    anatomy: 'womb',
  })
  expect(asked).toContain('anatomy')
  await visitor.leaves()
})

test.each(
  sliceOf([
    ['prescription', 'en'],
    ['certificate', 'fi'],
    ['admin', 'no'],
  ] as const),
)('%s is passed on without a medical interview (%s)', async (matter, language) => {
  const clinic = await world.clinic()
  const visitor = await Visitor.arrives(chromium, world, { language, width: 320, height: 700 })
  await visitor.open(clinic)
  await visitor.start()
  await visitor.goes('.result', { issue_type: matter, matter: 'x y z' })
  await visitor.isAccessible()
  const [row] = await world.sql('select urgency, issue_type from sessions order by created_at desc limit 1')
  expect(row).toEqual({
    urgency: null,
    issue_type: matter === 'prescription' ? 'Prescription' : matter === 'certificate' ? 'Certificate' : 'Admin',
  })
  await visitor.leaves()
})

test('after the result another matter begins calmly, and nothing of the first one is in it', async () => {
  const clinic = await world.clinic()
  const visitor = await Visitor.arrives(chromium, world)
  await visitor.open(clinic)
  await visitor.start()
  const danger = { age: '61', sex: 'male', matter: 'my chest', major_bleeding: 'true' }
  await visitor.goes('.alarm', danger)
  await visitor.page.getByRole('button', { name: 'Stop here' }).click()
  await visitor.sees('.result')
  await visitor.isAccessible()
  await visitor.page.locator('.leaving').scrollIntoViewIfNeeded()
  await visitor.picture('another-matter')
  await visitor.page.getByRole('button', { name: 'Ask about another matter' }).click()
  // Until it has begun there is a way back.
  await visitor.page.getByRole('button', { name: 'See the last result' }).click()
  await visitor.sees('.result')
  await visitor.page.getByRole('button', { name: 'Ask about another matter' }).click()
  await eventually(() => visitor.page.locator('.welcome .actions').innerText()).toContain('no longer shown')
  await visitor.sees('.welcome .actions .primary')
  await eventually(() => visitor.page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
  expect(await visitor.page.evaluate(() => scrollY)).toBeLessThan(200)
  await visitor.start()
  expect(await visitor.page.locator('.ledger').count()).toBe(0)
  // The very danger that was read and put aside in the first matter is a new one here.
  await visitor.goes('.alarm[role="alertdialog"]', danger)
  expect(await world.sql('select 1 from sessions where account_id = $1', [clinic.accountId])).toHaveLength(2)
  await visitor.leaves()
})
