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

const ADULT = { age: '44', sex: 'female' }

async function arrives(language: string, keyboard = false): Promise<Visitor> {
  const clinic = await world.clinic()
  const visitor = await Visitor.arrives(chromium, world, { language, keyboard })
  await visitor.open(clinic)
  await visitor.start()
  return visitor
}

test('own words with a misspelling are understood, shown as written, and confirmed (keyboard)', {
  tags: 'slice',
}, async () => {
  const visitor = await arrives('en', true)
  await visitor.goes('complaints', { ...ADULT, matter: 'sore throt sinse monday' })
  await eventually(() => visitor.page.locator('.own-words').innerText()).toContain('sore throt sinse monday')
  await eventually(() => visitor.page.locator('input[value="sore-throat"]').isChecked()).toBe(true)
  await visitor.isAccessible()
  await visitor.answer()
  await eventually(() => visitor.page.locator('.ledger').innerText()).toContain('Sore throat')
  await visitor.leaves()
})

test('two complaints at once are both asked about and both in the result (Norwegian)', async () => {
  const visitor = await arrives('no')
  const asked = await visitor.goes('.result', {
    ...ADULT,
    matter: 'vondt i halsen og vondt i magen',
    complaints: ['sore-throat', 'abdominal-pain'],
  })
  expect(asked.some((id) => id.startsWith('throat'))).toBe(true)
  expect(asked.some((id) => id.startsWith('belly') || id.startsWith('abdom'))).toBe(true)
  await visitor.isAccessible()
  await visitor.leaves()
})

test('who has no words points at the body or searches; nothing else is needed (Swedish)', async () => {
  const visitor = await arrives('sv')
  await visitor.goes('complaints', { ...ADULT, matter: null })
  await visitor.page.locator('.body summary').click()
  await visitor.picture('body')
  await visitor.isAccessible()
  await visitor.page.getByRole('button', { name: 'Mage' }).click()
  const shown = () => visitor.page.locator('.control .row').allInnerTexts()
  expect((await shown()).join()).toContain('Ont i magen')
  expect((await shown()).join()).not.toContain('Ont i halsen')
  await visitor.write('input[type=search]', 'halsfluss')
  await eventually(async () => (await shown()).join()).toContain('Ont i halsen')
  // What is found stands right below what was typed, not below the body.
  expect(await visitor.page.locator('.body').isVisible()).toBe(false)
  await visitor.write('input[type=search]', 'xqzw')
  await eventually(() => visitor.page.locator('.control [role=status]').innerText()).toBe('Inga träffar')
  await visitor.write('input[type=search]', 'halsfluss')
  await eventually(async () => (await shown()).join()).toContain('Ont i halsen')
  await visitor.choose('complaints', 'sore-throat')
  await visitor.press('form.ask .primary')
  await eventually(() => visitor.question()).toBe('major_bleeding')
  await visitor.leaves()
})

test('nobody scrolls through fifty names: the menu is by families, and a chosen one stays in sight (Finnish)', async () => {
  const visitor = await arrives('fi')
  await visitor.goes('complaints', { ...ADULT, matter: null })
  const rows = visitor.page.locator('.control .row')
  const isShown = () => rows.evaluateAll((all) => all.filter((row) => row.checkVisibility()).length)
  expect(await isShown()).toBe(1)
  expect(await visitor.page.locator('.control summary').count()).toBeLessThanOrEqual(13)
  await visitor.picture('families')
  await visitor.page.getByText('Korva, silmä, nenä, kurkku, hampaat').click()
  await eventually(isShown).toBe(6)
  await visitor.isAccessible()
  await visitor.picture('family')
  const throat = visitor.page.locator('.control .row:has(input[value="sore-throat"])')
  for (const isOn of [true, false, true]) {
    await throat.click()
    await eventually(() => throat.locator('input').isChecked()).toBe(isOn)
    expect(await isShown()).toBe(6)
  }
  await visitor.press('form.ask .primary')
  await eventually(() => visitor.question()).toBe('major_bleeding')
  await visitor.page.goBack()
  await eventually(() => visitor.page.locator('input[value="sore-throat"]').isVisible()).toBe(true)
  await visitor.leaves()
})

test('Back shows what was chosen from the menu first, and taking it back leaves its row there', async () => {
  const visitor = await arrives('no')
  await visitor.goes('complaints', { ...ADULT, matter: null })
  await visitor.answer({ complaints: 'limb-injury' })
  await visitor.press('.now .actions-quiet .quiet')
  await visitor.sees('complaints')
  const first = visitor.page.locator('.control .row').first()
  await eventually(() => first.locator('input').isChecked()).toBe(true)
  expect(await first.locator('input').getAttribute('value')).toBe('limb-injury')
  const { y = 9_999 } = (await first.boundingBox()) ?? {}
  expect(y).toBeLessThan(780)
  await visitor.isAccessible()
  await visitor.picture('complaints-back')
  await first.click()
  await eventually(() => first.locator('input').isChecked()).toBe(false)
  await visitor.leaves()
})

test('words that mean danger bring the number to call while they are being written (Finnish)', {
  tags: 'slice',
}, async () => {
  const visitor = await arrives('fi')
  await visitor.goes('matter', ADULT)
  await visitor.choose('issue_type', 'regular')
  await visitor.write('textarea', 'en saa henkeä')
  await visitor.sees('.control .call-button')
  await eventually(() => visitor.page.locator('.control .call-button').getAttribute('href')).toBe('tel:112')
  await visitor.isAccessible()
  await visitor.picture('danger-words')
  // What is being written stays in sight, between the bar and the button.
  for (const seen of ['textarea', '.control .call-button']) {
    const box = await visitor.page.locator(seen).boundingBox()
    const button = await visitor.page.locator('form.ask .primary').boundingBox()
    expect(box?.y, seen).toBeGreaterThan(65)
    expect((box?.y ?? 0) + (box?.height ?? 0), seen).toBeLessThanOrEqual(button?.y ?? 0)
  }
  await visitor.press('form.ask .primary')
  await visitor.sees('breathless_no_sentence')
  await visitor.leaves()
})

/** The question the focus is in. */
const focused = (visitor: Visitor): Promise<string | null | undefined> =>
  visitor.page.evaluate(() => document.activeElement?.closest('[data-question]')?.getAttribute('data-question'))

test('faults are said in place, beside the field, and loudly enough for a screen reader', async () => {
  const visitor = await arrives('en')
  await visitor.press('form.ask .primary')
  // The first answer that is missing has the focus, and the sentence is beside it.
  await eventually(() => visitor.page.locator('[data-question="for_whom"] .fault').innerText()).toBe(
    'Choose an answer first.',
  )
  await eventually(() => focused(visitor)).toBe('for_whom')
  await visitor.isAccessible()
  await visitor.picture('fault')
  await visitor.choose('for_whom', 'self')
  for (const [written, said] of [
    ['', 'Write the age as a number.'],
    ['abc', 'Write the age as a number.'],
    ['0', 'For someone this young, give the age in months or weeks.'],
    ['131', 'Write a number from 0 to 130.'],
  ] as const) {
    await visitor.write('.field.number', written)
    await visitor.press('form.ask .primary')
    await eventually(() => visitor.page.locator('[data-question="age"] .fault').innerText()).toBe(said)
    await eventually(() => visitor.page.locator('.fault').count()).toBe(1)
    await eventually(() => focused(visitor)).toBe('age')
    await eventually(() => visitor.page.locator('.field.number').getAttribute('aria-invalid')).toBe('true')
  }
  await visitor.goes('fever', { ...ADULT, matter: 'sore throat', complaints: 'sore-throat' })
  await visitor.fillIn({ fever: 'measured', temperature: '38,55' })
  await visitor.isAccessible()
  await visitor.press('form.ask .primary')
  await eventually(() => visitor.page.locator('.fault').innerText()).toBe('Write it in steps of 0.1.')
  await visitor.write('.field.number', ' 38,5 ')
  await visitor.press('form.ask .primary')
  await visitor.sees('something_stuck_in_throat')
  await visitor.goes('background', {})
  await visitor.press('.ledger > .plain')
  await eventually(() => visitor.page.locator('.ledger').innerText()).toContain('38.5 °C')
  await visitor.leaves()
})

test('the birth date gives the age and is not sent', { tags: 'slice' }, async () => {
  const visitor = await arrives('en')
  await visitor.fillIn(ADULT)
  await visitor.page.locator('.control .plain').click()
  const born = `${new Date().getFullYear() - 30}-01-01`
  await visitor.page.locator('.field.date').fill(born)
  const [request] = await Promise.all([
    visitor.page.waitForRequest('**/session/answers'),
    visitor.press('form.ask .primary'),
  ])
  expect(request.postData()).not.toContain(born)
  await eventually(() => visitor.page.locator('.ledger').innerText()).toContain('30 years')
  await visitor.leaves()
})
