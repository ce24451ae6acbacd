// @module-tag thorough
import { afterAll, beforeAll, expect } from 'vitest'
import { type Chromium, launchChromium, test } from '../../world/browser.ts'
import { continuesAt } from '../../world/continues.ts'
import { sliceOf } from '../../world/sweep.ts'
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

const TIRED = { age: '34', sex: 'male', matter: 'I am tired', complaints: 'general' }
const THROAT = { age: '34', sex: 'female', matter: 'my throat is sore', complaints: 'sore-throat' }

async function isAt(place: string, picks: Picks = THROAT, options: Options = {}): Promise<Visitor> {
  const visitor = await Visitor.arrives(chromium, world, options)
  await continuesAt(visitor, await world.clinic(), place, picks)
  return visitor
}

const isChosen = (visitor: Visitor, value: string) => visitor.page.locator(`.now input[value="${value}"]`).isChecked()

test('one choice alone on its screen goes on with a touch, says so before, and Back undoes it', async () => {
  const visitor = await isAt('fever', TIRED)
  await eventually(() => visitor.page.locator('.now .hint').first().innerText()).toContain('Back undoes it')
  await visitor.takes('fever', 'feels-hot')
  await eventually(() => visitor.page.locator('.ledger').innerText()).toContain('Probably: hot or shivering')
  await visitor.press('.now .actions-quiet .quiet')
  await visitor.sees('fever')
  expect(await isChosen(visitor, 'feels-hot')).toBe(true)
  // The same answer again is a touch as well.
  await visitor.takes('fever', 'feels-hot')
  await eventually(() => visitor.isAt('fever')).toBe(false)
  await visitor.leaves()
})

test('a double touch answers one question, not two', async () => {
  const visitor = await isAt('fever', TIRED)
  const sent: unknown[] = []
  visitor.page.on('request', (request) => {
    if (request.url().endsWith('/session/answers')) sent.push(request.postDataJSON().answers)
  })
  await visitor.page.waitForTimeout(700)
  await visitor.page.locator('.now .row').first().dblclick()
  await eventually(() => visitor.question()).not.toBe('fever')
  expect(sent).toEqual([[{ question: 'fever', value: 'no' }]])
  await visitor.leaves()
})

test.each(sliceOf(['Space', 'Enter']))(
  'the arrow keys look around and never go on; %s on what is chosen does',
  async (key) => {
    const visitor = await isAt('fever', TIRED, { keyboard: true })
    await visitor.page.waitForTimeout(700)
    await visitor.tabTo('[data-question="fever"] input')
    for (const value of ['feels-hot', 'measured', 'no', 'feels-hot']) {
      await visitor.page.keyboard.press('ArrowDown')
      expect(await isChosen(visitor, value)).toBe(true)
    }
    expect(await visitor.question()).toBe('fever')
    await visitor.page.keyboard.press(key)
    await eventually(() => visitor.question()).not.toBe('fever')
    await eventually(() => visitor.page.locator('.ledger').innerText()).toContain('Probably: hot or shivering')
    await visitor.leaves()
  },
)

test('an answer that calls for a follow-up opens it on the same screen; one that does not goes on', async () => {
  const visitor = await isAt('fever', TIRED)
  expect(await visitor.heading()).toBe('Any fever in the last day?')
  await visitor.page.waitForTimeout(700)
  await visitor.page.locator('.now .row:has(input[value="measured"])').click()
  await visitor.sees('temperature')
  expect(await visitor.question()).toBe('fever')
  await visitor.isAccessible()
  await visitor.page.locator('.now .row:has(input[value="feels-hot"])').click()
  await eventually(() => visitor.isAt('temperature')).toBe(false)
  await eventually(() => visitor.isAt('fever')).toBe(false)
  await visitor.leaves()
})

test('own words half written survive a reload and a change elsewhere, and are gone when they are sent', {
  tags: 'slice',
}, async () => {
  const visitor = await isAt('matter')
  const kept = () => visitor.page.evaluate(() => JSON.stringify(sessionStorage))
  await visitor.write('textarea', 'my throat has been')
  await visitor.page.reload()
  await visitor.sees('matter')
  await eventually(() => visitor.page.locator('textarea').inputValue()).toBe('my throat has been')
  await visitor.press('.ledger > .plain')
  await visitor.press('[data-change="age"]')
  await visitor.sees('.edit')
  await visitor.write('.edit .field.number', '35')
  await visitor.press('.edit .primary')
  await visitor.sees('matter')
  await eventually(() => visitor.page.locator('textarea').inputValue()).toBe('my throat has been')
  await visitor.answer({ matter: 'my throat has been sore' })
  expect(await kept()).not.toContain('my throat')
  await visitor.leaves()
})

test('the last words before sending survive a reload, and nothing of them stays after signing out', async () => {
  const visitor = await isAt('background', TIRED)
  await visitor.goes('.review', TIRED)
  await visitor.write('.review textarea', 'call me after four')
  await visitor.page.reload()
  await visitor.sees('.review')
  await eventually(() => visitor.page.locator('.review textarea').inputValue()).toBe('call me after four')
  await visitor.goes('.result')
  expect(await visitor.page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('after four')
  await visitor.page.locator('.leaving > .secondary').click()
  await visitor.sees('.notice-page')
  expect(await visitor.page.evaluate(() => sessionStorage.length)).toBe(0)
  await visitor.leaves()
})

test('what was asked before is not asked again at the review, and can be changed there', async () => {
  const visitor = await isAt('.review')
  await eventually(() => visitor.page.locator('.review').innerText()).toContain('No pictures')
  expect(await visitor.page.locator('.review textarea, .review input[type=file]').count()).toBe(0)
  await visitor.press('[data-change="anything_else"]')
  await visitor.write('.edit textarea', 'call me after four')
  await visitor.press('.edit .primary')
  await eventually(() => visitor.page.locator('.review').innerText()).toContain('call me after four')
  await visitor.isAccessible()
  await visitor.picture('review-after-notes')
  await visitor.leaves()
})

test('“I don’t know” belongs to its question, is undone by the same button, and is there again after Back', async () => {
  const visitor = await isAt('background')
  const unknown = visitor.page.locator('[data-question="background"] .unknown')
  await visitor.choose('background', 'medicine')
  await unknown.click()
  await eventually(() => unknown.getAttribute('aria-pressed')).toBe('true')
  expect(await visitor.page.locator('[data-question="background"] .control').isVisible()).toBe(false)
  await visitor.isAccessible()
  await unknown.click()
  expect(await isChosen(visitor, 'medicine')).toBe(true)
  await visitor.answer({ background: null })
  await visitor.press('.now .actions-quiet .quiet')
  await visitor.sees('background')
  await eventually(() => unknown.getAttribute('aria-pressed')).toBe('true')
  await visitor.leaves()
})

test('the scale of pain has words at its ends', async () => {
  const visitor = await isAt('pain_severity')
  await eventually(() => visitor.page.locator('.scale-end').allInnerTexts()).toEqual([
    '0 = none',
    '10 = the worst imaginable',
  ])
  await visitor.picture('scale')
  await visitor.leaves()
})
