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

const ADMIN = { age: '34', sex: 'female', issue_type: 'admin' }

/** At the review, with an age changed to 35 that the line did not carry. */
async function withUnsentChange(language = 'en'): Promise<{ visitor: Visitor; slug: string }> {
  const { slug } = await world.clinic()
  const visitor = await Visitor.arrives(chromium, world, { language })
  await visitor.open({ slug })
  await visitor.start()
  await visitor.goes('.review', ADMIN)
  await visitor.page.route('**/session/answers', (route) => route.abort())
  await visitor.press('[data-change="age"]')
  await visitor.sees('.edit')
  await visitor.write('.edit .field.number', '35')
  await visitor.press('.edit .primary')
  await visitor.sees('.connection')
  return { visitor, slug }
}

async function comesBack(visitor: Visitor): Promise<void> {
  await visitor.page.unroute('**/session/answers')
  await visitor.page.reload()
}

test('F02: a change made at the review while the line was down is sent after a reload', async () => {
  const { visitor } = await withUnsentChange()
  await comesBack(visitor)
  await eventually(() => visitor.page.locator('.review').innerText()).toContain('35 years')
  await eventually(() => visitor.page.locator('.review .notice').innerText()).toBe('Changed.')
  await visitor.isAccessible()
  await visitor.goes('.result')
  const [row] = await world.sql('select patient_age from sessions order by created_at desc limit 1')
  expect(row?.patient_age).toBe(35)
  await visitor.leaves()
})

test('a change that the session did not take after a reload is told, with its question (Swedish)', async () => {
  const { visitor, slug } = await withUnsentChange('sv')
  const second = await Visitor.arrives(chromium, world, { context: visitor.context })
  await second.open({ slug })
  await second.press('.welcome .primary')
  await second.sees('.review')
  await second.press('[data-change="sex"]')
  await second.sees('.edit')
  await second.choose('sex', 'male')
  await second.press('.edit .primary')
  await second.sees('.review .notice')
  await comesBack(visitor)
  await visitor.sees('.review .notice')
  const said = await visitor.page.locator('.review .notice').innerText()
  expect(said).toContain('sparades inte: Ålder')
  expect(said).toContain('Du svarade i ett annat fönster')
  await eventually(() => visitor.page.locator('.review').innerText()).toContain('34 år')
  await visitor.isAccessible()
  await visitor.picture('unsaved')
  await visitor.leaves()
})

test('a change that came after the end is told beside the result', async () => {
  const { visitor, slug } = await withUnsentChange()
  const second = await Visitor.arrives(chromium, world, { context: visitor.context })
  await second.open({ slug })
  await second.press('.welcome .primary')
  await second.goes('.result')
  await comesBack(visitor)
  await visitor.sees('.result .notice:has-text("was not saved: Age")')
  await visitor.isAccessible()
  await visitor.leaves()
})
