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

const THROAT = { age: '34', sex: 'female', matter: 'my throat is sore', complaints: 'sore-throat' }
/** Signs of one list of the sore throat, neither of which brings a card. */
const LIST = 'sandpaper_rash_or_red_tongue'
const BESIDE = 'no_better_after_care'

async function isAt(place: string, options: Options = {}, picks: Picks = THROAT): Promise<Visitor> {
  const visitor = await Visitor.arrives(chromium, world, options)
  await continuesAt(visitor, await world.clinic(), place, picks)
  return visitor
}

type Sent = { question: string; value: unknown }[]

/** Everything that is sent from now on, screen by screen. */
function sentBy(visitor: Visitor): Sent[] {
  const sent: Sent[] = []
  visitor.page.on('request', (request) => {
    if (request.url().endsWith('/session/answers')) sent.push(request.postDataJSON().answers)
  })
  return sent
}

const tickOf = (visitor: Visitor, sign: string) => visitor.page.locator(`[data-question="${sign}"] input`)
const unsureOf = (visitor: Visitor, sign: string) => visitor.page.locator(`[data-question="${sign}"] .sign-unsure`)

test('a list of signs is answered with the keyboard alone: ticked, not sure, and the rest not there', async () => {
  const visitor = await isAt(LIST, { keyboard: true })
  const sent = sentBy(visitor)
  const signs = await visitor.fields()
  const mark = await visitor.mark()
  await visitor.tabTo(`[data-question="${LIST}"] input`)
  await visitor.page.keyboard.press('Space')
  await visitor.tabTo(`[data-question="${BESIDE}"] .sign-unsure`)
  await visitor.page.keyboard.press('Space')
  await eventually(() => tickOf(visitor, LIST).isChecked()).toBe(true)
  await eventually(() => unsureOf(visitor, BESIDE).getAttribute('aria-pressed')).toBe('true')
  await visitor.press('form.ask .primary')
  await visitor.movesOn(mark)
  const said: Record<string, unknown> = { [LIST]: true, [BESIDE]: null }
  expect(sent).toEqual([signs.map(({ id }) => ({ question: id, value: id in said ? said[id] : false }))])
  await visitor.leaves()
})

test('not sure is said in the row and in the ledger, and is told from a tick by more than colour', async () => {
  const visitor = await isAt(LIST)
  const sent = sentBy(visitor)
  const row = visitor.page.locator(`[data-question="${BESIDE}"]`)
  const text = (await row.locator('.row-label').innerText()).trim()
  await unsureOf(visitor, BESIDE).click()
  await eventually(() => row.innerText()).toContain('Not sure')
  // A tick takes its place, and the other way round.
  await row.locator('.row').click()
  await eventually(() => unsureOf(visitor, BESIDE).getAttribute('aria-pressed')).toBe('false')
  await unsureOf(visitor, BESIDE).click()
  expect(await tickOf(visitor, BESIDE).isChecked()).toBe(false)
  const mark = await visitor.mark()
  await visitor.press('form.ask .primary')
  await visitor.movesOn(mark)
  expect(sent[0]?.find(({ question }) => question === BESIDE)).toEqual({ question: BESIDE, value: null })
  await eventually(() => visitor.page.locator('.ledger').innerText()).toContain(`Not sure: ${text}`)
  await visitor.leaves()
})

test('none of these goes on at a touch and says no to every sign of the list', { tags: 'slice' }, async () => {
  const visitor = await isAt(LIST)
  const sent = sentBy(visitor)
  const signs = await visitor.fields()
  const mark = await visitor.mark()
  await visitor.none()
  await visitor.movesOn(mark)
  expect(sent).toEqual([signs.map(({ id }) => ({ question: id, value: false }))])
  await visitor.leaves()
})

test('none of these takes marks back, and waits then for the button', async () => {
  const visitor = await isAt(LIST)
  const sent = sentBy(visitor)
  await visitor.page.waitForTimeout(700)
  await visitor.choose(LIST, 'true')
  await visitor.page.locator('.now .row:has(input[value="none"])').click()
  expect(await tickOf(visitor, LIST).isChecked()).toBe(false)
  await visitor.page.waitForTimeout(300)
  expect(sent).toEqual([])
  await visitor.press('form.ask .primary')
  await eventually(() =>
    sent
      .flat()
      .map(({ value }) => value)
      .includes(false),
  ).toBe(true)
  expect(sent.flat().every(({ value }) => value === false)).toBe(true)
  await visitor.leaves()
})

test('an untouched list is not sent: what is missing is said, and the focus is on the first sign', async () => {
  const visitor = await isAt(LIST)
  const sent = sentBy(visitor)
  const [first] = await visitor.fields()
  await visitor.press('form.ask .primary')
  await eventually(() => visitor.page.locator('.now .fault').innerText()).toBe('Choose an answer first.')
  await eventually(() =>
    visitor.page.evaluate(() => document.activeElement?.closest('[data-question]')?.getAttribute('data-question')),
  ).toBe(first?.id)
  await visitor.isAccessible()
  expect(sent).toEqual([])
  await visitor.leaves()
})

test('Back and a change open the list with its marks, under the heading of its complaint', async () => {
  const visitor = await isAt(LIST)
  const heading = 'With the throat or voice trouble: does any of this fit?'
  // A list that follows another does not look like the same page again; among the answers it has the heading of its complaint.
  expect(await visitor.heading()).toBe('And does any of this fit?')
  const picks = { ...THROAT, [LIST]: 'true', [BESIDE]: null }
  await visitor.answer(picks)
  const isMarked = async () => {
    await visitor.sees(LIST)
    await eventually(() => tickOf(visitor, LIST).isChecked()).toBe(true)
    await eventually(() => unsureOf(visitor, BESIDE).getAttribute('aria-pressed')).toBe('true')
    expect(await visitor.page.locator('input[value="none"]').first().isChecked()).toBe(false)
  }
  await visitor.press('.now .actions-quiet .quiet')
  await isMarked()
  expect(await visitor.heading()).toBe('And does any of this fit?')
  const mark = await visitor.mark()
  await visitor.press('form.ask .primary')
  await visitor.movesOn(mark)
  const row = visitor.page.locator('.ledger-row', { hasText: heading }).last()
  await row.locator('[data-change]').click()
  await visitor.sees('.edit')
  await isMarked()
  await eventually(() => visitor.page.locator('.edit .question').first().innerText()).toBe(heading)
  await visitor.isAccessible()
  // Put right where it stands.
  await visitor.page.locator(`.edit [data-question="${LIST}"] .row`).click()
  await visitor.press('.edit .primary')
  await visitor.sees('.now .notice')
  await eventually(() => row.innerText()).not.toContain('sandpaper')
  await visitor.leaves()
})

test('a list where nothing fitted opens with none of these chosen', async () => {
  const visitor = await isAt(LIST)
  await visitor.answer(THROAT)
  await visitor.press('.now .actions-quiet .quiet')
  await visitor.sees(LIST)
  await eventually(() => visitor.page.locator('.now input[value="none"]').isChecked()).toBe(true)
  await visitor.leaves()
})

test.each(
  sliceOf([
    ['en', false, 390],
    ['fi', true, 320],
  ] as const),
)('a list of signs is accessible, marked or not (%s, dark %s, %i px)', async (language, dark, width) => {
  const visitor = await isAt('major_bleeding', { language, dark, width, height: 700 })
  await visitor.isAccessible()
  await visitor.choose('major_bleeding', 'true')
  await unsureOf(visitor, 'about_to_faint').click()
  await visitor.isAccessible()
  await visitor.picture(`signs-${language}`)
  const box = await unsureOf(visitor, 'about_to_faint').boundingBox()
  expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44)
  await eventually(() => visitor.page.locator('.signs .hint').innerText()).toContain('?')
  await visitor.leaves()
})

test('at the review every button has a name of its own, and what was denied can be read', async () => {
  const visitor = await isAt('.review')
  const names = await visitor.page
    .locator('.review [data-change]')
    .evaluateAll((all) => all.map((button) => button.getAttribute('aria-label')))
  expect(new Set(names).size).toBe(names.length)
  const row = visitor.page.locator('.ledger-row:has([data-change="major_bleeding"])')
  expect(await row.innerText()).not.toContain('Heavy bleeding')
  await row.locator('summary').click()
  await eventually(() => row.innerText()).toContain('Heavy bleeding')
  await visitor.isAccessible()
  await visitor.picture('review-denied')
  await visitor.leaves()
})

test('the last look comes before the words for the clinic, so that nothing is asked after sending', async () => {
  const visitor = await isAt('.review')
  const headings = await visitor.page.locator('.review .ledger-question').allInnerTexts()
  expect(headings.some((text) => text.startsWith('One last look'))).toBe(true)
  await visitor.press('.review .primary')
  await visitor.sees('.result')
  await visitor.leaves()
})
