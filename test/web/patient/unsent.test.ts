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

test('a change that the page of an earlier version kept, without its words, is sent after a reload all the same', async () => {
  const { visitor } = await withUnsentChange()
  await visitor.page.evaluate(() => {
    const kept = JSON.parse(sessionStorage.getItem('fyr') ?? '{}')
    const { told: _, ...unsent } = kept.unsent
    sessionStorage.setItem('fyr', JSON.stringify({ ...kept, unsent: { ...unsent, text: 'Age: 35 years' } }))
  })
  await visitor.page.reload()
  await visitor.sees('.connection')
  await visitor.page.unroute('**/session/answers')
  await eventually(() => visitor.page.locator('.review').innerText()).toContain('35 years')
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
  expect(said).toContain('sparades inte')
  expect(said).toContain('Ålder: 35 år')
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
  await visitor.sees('.result .notice:has-text("was not saved"):has-text("Age: 35 years")')
  await visitor.isAccessible()
  await visitor.leaves()
})

const THROAT = { age: '34', sex: 'female', matter: 'my throat is sore', complaints: 'sore-throat' }

/** Two windows at the same list of dangers. */
async function twoWindows(language = 'en'): Promise<{ first: Visitor; second: Visitor; text: string }> {
  const clinic = await world.clinic({ emergencyNumber: '113' })
  const first = await Visitor.arrives(chromium, world, { language })
  await continuesAt(first, clinic, 'major_bleeding', THROAT)
  const second = await Visitor.arrives(chromium, world, { language, context: first.context })
  await second.open(clinic)
  await second.press('.welcome .primary')
  await second.sees('major_bleeding')
  const text = await second.page.locator('[data-question="major_bleeding"] .row-label').innerText()
  return { first, second, text }
}

const noticeOf = (visitor: Visitor) => visitor.page.locator('.now .notice')

test('a danger ticked in a window that lags behind is named, and one button opens it with its tick', async () => {
  const { first, second, text } = await twoWindows()
  const before = await first.mark()
  await first.none()
  await first.movesOn(before)
  await second.choose('major_bleeding', 'true')
  await second.press('form.ask .primary')
  await eventually(() => noticeOf(second).innerText()).toContain(text)
  const said = await noticeOf(second).innerText()
  expect(said).toContain('another window')
  expect(said).toContain('was not saved')
  expect(await noticeOf(second).locator('a').getAttribute('href')).toBe('tel:113')
  await second.isAccessible()
  await second.picture('uncounted')
  const again = noticeOf(second).locator('button')
  const change = second.page.locator(`[data-change="${await again.getAttribute('data-again')}"]`)
  expect(await again.getAttribute('aria-label')).toBe(await change.getAttribute('aria-label'))
  await second.press('.now .notice button')
  await second.sees('.edit')
  expect(await second.page.locator('.edit [data-question="major_bleeding"] input').isChecked()).toBe(true)
  await second.press('.edit .primary')
  await second.sees('.alarm[role]')
  await first.leaves()
})

test('of several answers that were not counted each is named until it is given again or left', async () => {
  const clinic = await world.clinic()
  const first = await Visitor.arrives(chromium, world)
  await first.open(clinic)
  await first.start()
  const second = await Visitor.arrives(chromium, world, { context: first.context })
  await second.open(clinic)
  await second.press('.welcome .primary')
  await second.sees('age')
  await first.answer({ age: '34', sex: 'female' })
  await second.fillIn({ for_whom: 'other', age: '35', sex: 'male' })
  await second.press('form.ask .primary')
  await eventually(() => noticeOf(second).innerText()).toContain('These answers of yours were not saved:')
  const named = () => noticeOf(second).locator('li').allInnerTexts()
  expect(await named()).toEqual([expect.stringContaining('Someone else'), 'Age: 35 years', 'Biological sex: Male'])
  expect(await noticeOf(second).innerText()).toContain('Give them again if they still hold.')
  await second.isAccessible()
  await second.picture('uncounted-several')
  await second.press('.now .notice [data-again="for_whom"]')
  await second.press('.edit .quiet')
  await eventually(named).toEqual(['Age: 35 years', 'Biological sex: Male'])
  await second.press('.now .notice [data-again="age"]')
  await second.press('.edit .primary')
  await eventually(() => noticeOf(second).innerText()).toContain('This answer of yours was not saved:')
  expect(await named()).toEqual(['Biological sex: Male'])
  await second.press('.now .notice [data-again="sex"]')
  await second.press('.edit .primary')
  await eventually(() => noticeOf(second).innerText()).toBe('Changed.')
  await eventually(() => second.page.locator('.ledger').innerText()).toMatch(/35 years\s(.*\s)*Male/)
  await first.leaves()
})

test('what stands as a danger stays ticked when the answers of another window are opened', async () => {
  const { first, second } = await twoWindows()
  const before = await first.mark()
  await first.choose('about_to_faint', 'true')
  await first.press('form.ask .primary')
  await first.movesOn(before)
  const other = '[data-question="major_bleeding"]'
  await second.choose('major_bleeding', 'true')
  await second.press('form.ask .primary')
  await second.press('.alarm[role] .alarm-choices button')
  await eventually(() => noticeOf(second).innerText()).toContain(': No')
  await second.press('.now .notice button')
  await second.sees('.edit')
  for (const sign of [other, '[data-question="about_to_faint"]'])
    expect(await second.page.locator(`.edit ${sign} input`).isChecked(), sign).toBe(true)
  await first.leaves()
})

test('a danger ticked and not yet sent is named when the window catches up with another (Finnish)', async () => {
  const { first, second, text } = await twoWindows('fi')
  await second.choose('major_bleeding', 'true')
  const before = await first.mark()
  await first.none()
  await first.movesOn(before)
  await second.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await eventually(() => noticeOf(second).innerText()).toContain(text)
  await second.picture('uncounted-caught-up')
  await first.leaves()
})

test('the same answer in two windows is no loss, and nothing is said to be lost', async () => {
  const { first, second } = await twoWindows()
  const before = await first.mark()
  await first.none()
  await first.movesOn(before)
  await second.none()
  await eventually(() => noticeOf(second).innerText()).toBe(
    'You answered in another window. Here is where you are now.',
  )
  await first.leaves()
})
