// @module-tag thorough
import { afterAll, beforeAll, expect } from 'vitest'
import { type Chromium, launchChromium, test } from '../../world/browser.ts'
import { continuesAt } from '../../world/continues.ts'
import { integrator } from '../../world/stage.ts'
import { eventually, type Options, type Picks, Visitor } from '../../world/visitor.ts'
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

async function arrives(
  matter: string,
  options: Options = {},
  place = 'complaints',
  picks: Picks = {},
): Promise<Visitor> {
  const clinic = await world.clinic({ crisisLine: '0800 123 456' })
  const visitor = await Visitor.arrives(chromium, world, options)
  await continuesAt(visitor, clinic, place, { age: '44', sex: 'female', matter, ...picks })
  return visitor
}

const proposal = (visitor: Visitor, id: string) => visitor.page.locator(`[data-proposal="${id}"]`)

test('both numbers of a blood pressure are shown to whoever confirms them', async () => {
  const visitor = await arrives('My blood pressure is 174/101')
  await eventually(() => proposal(visitor, 'pressure_reading').innerText()).toMatch(/174.*101/s)
})

test('what was heard is shown, corrected and removed with a touch; what stays is not asked again', async () => {
  const visitor = await arrives('Sore throat for three days, fever of 38.5')
  const { page } = visitor
  await eventually(() => page.locator('h1').innerText()).toBe('Have we understood it right?')
  await visitor.choose('complaints', 'sore-throat')
  await eventually(() => proposal(visitor, 'duration').innerText()).toContain('3 days')
  await eventually(() => proposal(visitor, 'fever').innerText()).toContain('38.5 °C')
  await visitor.isAccessible()
  await visitor.picture('understood')

  await proposal(visitor, 'fever')
    .getByRole('button', { name: /^Change/ })
    .click()
  await page.locator('[data-question="temperature"] .field.number').fill('')
  await visitor.press('form.ask .primary')
  await eventually(() => page.locator('.fault').innerText()).toContain('number')
  await page.locator('[data-question="temperature"] .field.number').fill('39')
  await proposal(visitor, 'duration')
    .getByRole('button', { name: /^Remove/ })
    .click()
  await visitor.isAccessible()
  await visitor.picture('understood-changed')
  const [request] = await Promise.all([page.waitForRequest('**/session/answers'), visitor.press('form.ask .primary')])
  expect(request.postDataJSON().answers).toEqual([
    { question: 'complaints', value: ['sore-throat'] },
    { question: 'fever', value: 'measured' },
    { question: 'temperature', value: 39 },
  ])
  await eventually(() => page.locator('h1').innerText()).not.toBe('Have we understood it right?')
  // A fact that was confirmed is of the details, but danger comes first.
  await eventually(() => page.locator('main').innerText()).toContain('2 of 4: Danger signs')
  const asked = await visitor.goes('.review')
  expect(asked).not.toContain('fever')
  await eventually(() => page.locator('.review').innerText()).toContain('39 °C')
  await visitor.leaves()
})

test('one complaint and nothing else is one touch (keyboard, Finnish)', async () => {
  const visitor = await arrives('kurkku kipeä', { language: 'fi', keyboard: true })
  await eventually(() => visitor.page.locator('h1').innerText()).toBe('Ymmärsimmekö oikein?')
  expect(await visitor.page.locator('.proposals').count()).toBe(0)
  await visitor.isAccessible()
  await visitor.press('form.ask .primary')
  await eventually(() => visitor.question()).toBe('major_bleeding')
  await visitor.leaves()
})

test('words of suicide are met with a kind word and a number to call, before anything else', {
  tags: 'slice',
}, async () => {
  const visitor = await arrives('I want to kill myself', {}, 'suicide_or_violence_now')
  const { page } = visitor
  await eventually(() => page.locator('form.ask .notice').innerText()).toContain(
    'You do not have to be alone with such thoughts.',
  )
  await eventually(() => page.locator('form.ask .notice a').getAttribute('href')).toBe('tel:0800123456')
  await visitor.isAccessible()
  await visitor.picture('heard')
  // The card that follows names the line as well, and it can be called from there.
  await visitor.goes('.warning', { suicidal_thoughts: 'true' })
  await eventually(() => page.locator('.warning a.callable').getAttribute('href')).toBe('tel:0800123456')
  await visitor.isAccessible()
  // And it stays in reach while the questions go on.
  await visitor.press('.warning .primary')
  await eventually(() => page.locator('.line-strip a').getAttribute('href')).toBe('tel:0800123456')
  await visitor.isAccessible()
  await visitor.picture('line-in-reach')
  await visitor.leaves()
})

test('D32: signs that the integrator told are shown for one confirmation; a touch turns one round', async () => {
  const clinic = await world.clinic()
  const { url } = await integrator({ world, urls: [world.url] }, clinic).post('/session', {
    signs: { muffled_voice: true, mouth_hardly_opens: false },
  })
  const visitor = await Visitor.arrives(chromium, world, { width: 320 })
  const { page } = visitor
  await page.goto(String(url))
  await visitor.start()
  await visitor.goes('complaints', { age: '44', sex: 'female', matter: null })
  await eventually(() => proposal(visitor, 'muffled_voice').innerText()).toContain('Yes')
  await eventually(() => proposal(visitor, 'mouth_hardly_opens').innerText()).toContain('No')
  await visitor.isAccessible()
  await visitor.picture('told')
  await proposal(visitor, 'muffled_voice')
    .getByRole('button', { name: /^Change/ })
    .click()
  await visitor.choose('complaints', 'sore-throat')
  const [request] = await Promise.all([page.waitForRequest('**/session/answers'), visitor.press('form.ask .primary')])
  expect(request.postDataJSON().answers).toEqual([
    { question: 'complaints', value: ['sore-throat'] },
    { question: 'muffled_voice', value: false },
    { question: 'mouth_hardly_opens', value: false },
  ])
  await visitor.leaves()
})
