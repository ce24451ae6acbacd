// @module-tag thorough
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

const MEDICAL = { age: '34', sex: 'female' }
const ADMIN = { ...MEDICAL, issue_type: 'admin' }

/** Comes from another page, so that there is somewhere to go back to, and answers up to a place. */
async function isAt(place: string, picks: Record<string, string> = ADMIN): Promise<Visitor> {
  const visitor = await Visitor.arrives(chromium, world)
  await visitor.page.goto(`${visitor.origin}/emergency.html`)
  await visitor.open(await world.clinic())
  await visitor.start()
  await visitor.goes(place, picks)
  return visitor
}

/** The browser's own Back, as the phone's gesture does it. */
const goesBack = async (visitor: Visitor): Promise<void> => {
  await visitor.page.evaluate(() => {
    setTimeout(() => history.back()) // once this call is answered: the page may be gone then
  })
}

const isGone = (visitor: Visitor) => eventually(() => visitor.page.url()).toContain('/emergency.html')

test('the browser’s own Back leads through the screens to the first one, and only from there out of the page', async () => {
  const visitor = await isAt('major_bleeding', MEDICAL)
  await goesBack(visitor)
  await visitor.sees('complaints')
  await eventually(() => visitor.page.locator('input[value="general"]').isChecked()).toBe(true)
  await goesBack(visitor)
  await visitor.sees('issue_type')
  await eventually(() => visitor.page.locator('input[value="regular"]').isChecked()).toBe(true)
  // Forward again by answering, back by the page's own button: the two ways back do not get in each other's way.
  await visitor.goes('major_bleeding', MEDICAL)
  await visitor.press('.now .actions-quiet .quiet')
  await visitor.sees('complaints')
  await goesBack(visitor)
  await visitor.sees('issue_type')
  await visitor.page.evaluate(() => history.forward())
  await goesBack(visitor)
  await visitor.sees('for_whom')
  await eventually(() => visitor.page.locator('input[value="female"]').isChecked()).toBe(true)
  await eventually(() => visitor.page.locator('.field.number').inputValue()).toBe('34')
  await goesBack(visitor)
  await isGone(visitor)
  await visitor.page.evaluate(() => history.forward())
  await visitor.sees('for_whom')
  await visitor.leaves()
})

test('after a reload the browser’s own Back still leads to the screen before', { tags: 'slice' }, async () => {
  const visitor = await isAt('issue_type')
  await visitor.page.reload()
  await visitor.sees('issue_type')
  await goesBack(visitor)
  await visitor.sees('sex')
  await visitor.leaves()
})

test('Back closes an answer that was opened to be changed, and leaves it as it was', async () => {
  const visitor = await isAt('.review')
  await visitor.press('[data-change="age"]')
  await visitor.sees('.edit')
  await visitor.write('.edit .field.number', '77')
  await goesBack(visitor)
  await eventually(() => visitor.page.locator('.edit').count()).toBe(0)
  await eventually(() => visitor.page.locator('.review').innerText()).toContain('34 years')
  await visitor.leaves()
})

test('H5: Back at the emergency card takes nothing back: the answer opens, and the alarm stands until it is changed', async () => {
  const visitor = await isAt('.alarm', { age: '61', sex: 'male', matter: 'my chest', major_bleeding: 'true' })
  await goesBack(visitor)
  await visitor.sees('.edit [data-question="major_bleeding"]')
  await eventually(() => visitor.page.locator('.alarm-strip').count()).toBe(1)
  const [row] = await world.sql('select urgency from sessions order by created_at desc limit 1')
  expect(row?.urgency).toBe(1)
  await visitor.leaves()
})

test('from the result Back leaves at once, and coming back shows the result', async () => {
  const visitor = await isAt('.result')
  await eventually(() => visitor.page.evaluate(() => history.state)).toBe(null)
  await goesBack(visitor)
  await isGone(visitor)
  await visitor.page.evaluate(() => history.forward())
  await visitor.sees('.result')
  await visitor.leaves()
})

test('while the line is down Back waits for it and goes one screen back, once', async () => {
  const visitor = await isAt('complaints', MEDICAL)
  await visitor.page.route('**/session/back', (route) => route.abort())
  await goesBack(visitor)
  await visitor.sees('.connection')
  await visitor.page.unroute('**/session/back')
  await visitor.page.locator('.connection button').click()
  await visitor.sees('issue_type')
  await goesBack(visitor)
  await visitor.sees('for_whom')
  await visitor.leaves()
})
