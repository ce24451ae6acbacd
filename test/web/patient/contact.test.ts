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

const WEEK = {
  age: '40',
  complaints: 'sore-throat',
  pain_severity: '7',
  throat_cough: 'true',
  throat_duration: '4 days',
  course: 'same',
}
const PROMISE = 'contacts you'

test('D30: a number that the clinic needs is asked for before sending, with the keyboard alone, and the result promises contact', async () => {
  const clinic = await world.clinic({ contact: 'required' })
  const visitor = await Visitor.arrives(chromium, world, { keyboard: true })
  await continuesAt(visitor, clinic, '.review', WEEK)
  await visitor.isAccessible()
  await visitor.press('.review .primary')
  await eventually(() => visitor.page.locator('.actions [role=alert]').innerText()).toContain('needs a number')
  await visitor.picture('contact-required')
  await visitor.write('.contact input[type=tel]', 'nope')
  await visitor.press('.review .primary')
  await eventually(() => visitor.page.locator('.actions [role=alert]').innerText()).toContain('telephone number')
  await visitor.write('.contact input[type=tel]', '+358 40 555 0199')
  await visitor.write('.contact input:not([type])', 'After four')
  await visitor.press('.review .primary')
  await visitor.sees('.result')
  await eventually(() => visitor.page.locator('.result').innerText()).toContain(PROMISE)
  await visitor.isAccessible()
  await visitor.picture('contact-promised')
  const [row] = await world.sql('select status, sealed_contact from sessions order by created_at desc limit 1')
  expect(row).toEqual({ status: 'Ended', sealed_contact: expect.any(Buffer) })
  await visitor.leaves()
})

test('D30: without a number nothing is promised: the result says to call the medical advice number or book', async () => {
  const clinic = await world.clinic({ contact: 'optional', clinicPhone: null, adviceNumber: '116 117' })
  const visitor = await Visitor.arrives(chromium, world)
  await continuesAt(visitor, clinic, '.review', WEEK)
  await visitor.isAccessible()
  await visitor.picture('contact-optional')
  await visitor.press('.review .primary')
  await visitor.sees('.result')
  const text = await visitor.page.locator('.result').innerText()
  expect(text).not.toContain(PROMISE)
  expect(text).toContain('has no number to reach you at')
  await eventually(() => visitor.page.locator('.result a[href="tel:116117"]').innerText()).toContain(
    'Call medical advice',
  )
  await visitor.isAccessible()
  await visitor.picture('contact-not-promised')
  await visitor.leaves()
})

test('D31: the card of level 3 calls medical advice where the clinic has no number', { tags: 'slice' }, async () => {
  const clinic = await world.clinic({ clinicPhone: null, adviceNumber: '116 117' })
  const visitor = await Visitor.arrives(chromium, world)
  await continuesAt(visitor, clinic, '.alarm', { ...WEEK, fluid_intake: 'hardly' })
  const card = visitor.page.locator('[role=alertdialog]')
  await eventually(() => card.locator('a').first().getAttribute('href')).toBe('tel:116117')
  await eventually(() => card.locator('a').first().innerText()).toContain('Call medical advice')
  await eventually(() => card.locator('a').nth(1).getAttribute('href')).toBe('tel:112')
  // What to do comes before what it rests on.
  const order = await card.innerText()
  expect(order.indexOf('Call medical advice')).toBeLessThan(order.indexOf('You told us'))
  await visitor.picture('advice-card')
  await visitor.leaves()
})

test('a clinic that does not ask shows no field for it', async () => {
  const visitor = await Visitor.arrives(chromium, world)
  await continuesAt(visitor, await world.clinic(), '.review', WEEK)
  expect(await visitor.page.locator('.contact').count()).toBe(0)
  await visitor.leaves()
})
