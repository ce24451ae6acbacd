// @module-tag thorough
import { afterAll, beforeAll, expect } from 'vitest'
import { LANGUAGES } from '../../../src/engine/languages.ts'
import { type Chromium, launchChromium, test } from '../../world/browser.ts'
import { continuesAt } from '../../world/continues.ts'
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

/** What does not fit: anything wider than the window, words cut off, and targets too small for a finger. */
async function misfits(visitor: Visitor): Promise<string[]> {
  return visitor.page.evaluate(() => {
    const found: string[] = []
    const wide = document.documentElement.scrollWidth - innerWidth
    if (wide > 0) found.push(`the page is ${wide} px too wide`)
    for (const element of document.querySelectorAll<HTMLElement>(
      'a, button, select, summary, .row, .segment, .field, .add-file',
    )) {
      const { width, height } = element.getBoundingClientRect()
      if (width > 0 && (width < 44 || height < 44))
        found.push(`${element.className || element.tagName} is ${width}×${height}`)
    }
    for (const element of document.querySelectorAll<HTMLElement>(
      'h1, h2, p:not(.unseen), li, legend, summary, button, .segment, .row-label, .bar-name, a',
    )) {
      if (element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).display !== 'inline')
        found.push(`“${element.innerText.slice(0, 40)}” is cut off`)
    }
    return found
  })
}

test.each(
  sliceOf(
    [
      ['en', 'An exceptionally long name of a health and welfare centre, with everything'],
      ['sv', 'Hälso- och sjukvårdsförvaltningens primärvårdsmottagning i Västerbotten'],
      ['fi', 'Hyvinvointialueen päivystysterveydenhuollon yhteydenottopalvelukeskus'],
      ['no', 'Arbeidsmiljø- og bedriftshelsetjenesten for hele Trøndelagsregionen'],
    ] as const,
    2,
  ),
)('everything fits a window of 320 px, which is also twice the size of 640 (%s)', async (language, name) => {
  // Without a number of the clinic the button names medical advice, in long words.
  const isAdvice = language === 'fi' || language === 'sv'
  const numbers = { clinicPhone: isAdvice ? null : '+358 9 1234 5678', adviceNumber: '116 117' }
  const clinic = await world.clinic({ name, ...numbers })
  const visitor = await Visitor.arrives(chromium, world, { language, width: 320, height: 600, dark: language === 'fi' })
  await visitor.open(clinic)
  await visitor.sees('.welcome')
  expect(await misfits(visitor)).toEqual([])
  await visitor.start()
  const seen = new Set<string>()
  const picks = {
    age: '62',
    sex: 'female',
    matter: 'x',
    complaints: 'chest-pain',
    fever: 'measured',
    ...(language === 'en' && { chest_pressure_5_minutes: 'true' }),
    ...(isAdvice && { complaints: 'fever-adult', rigors: 'true' }),
  }
  for (let steps = 0; steps < 60; steps++) {
    const places = visitor.page.locator('form.ask, .review, .alarm[role], .warning, .result')
    await places.first().waitFor({ state: 'attached' })
    const { isThere, card, mark } = await visitor.look('.result')
    if (isThere) break
    const place = card === '.review' ? 'review' : card === '.alarm[role]' ? 'alarm' : mark
    if (!seen.has(place)) expect(await misfits(visitor), `${place} in ${language}`).toEqual([])
    seen.add(place)
    if (card) {
      await visitor.press(place === 'alarm' ? '.alarm-choices button' : '.page .primary')
      await visitor.movesOn(mark)
    } else await visitor.answer(picks)
  }
  expect(await visitor.isAt('.result')).toBe(true)
  if (isAdvice)
    expect(await visitor.page.locator('.verdict .call-button').first().getAttribute('href')).toBe('tel:116117')
  expect(await misfits(visitor)).toEqual([])
  await visitor.picture(`result-320-${language}`)
  await visitor.leaves()
})

test.each(LANGUAGES)(
  'in type twice as large everything fits 320 px, from the card to the result (%s)',
  async (language) => {
    const clinic = await world.clinic({ name: 'Rantakylän terveysasema', clinicPhone: '+358 9 1234 5678' })
    const visitor = await Visitor.arrives(chromium, world, {
      language,
      width: 320,
      height: 640,
      dark: language === 'no',
    })
    // A danger far into the interview, so that cards, lists and answers are all seen.
    const picks = { age: '62', sex: 'female', matter: 'x', complaints: 'chest-pain', chest_pressure_5_minutes: 'true' }
    await continuesAt(visitor, clinic, '.alarm', picks)
    await visitor.page.evaluate(() => document.documentElement.style.setProperty('font-size', '32px'))
    for (const place of ['.alarm[role]', 'form.ask[data-screen]', '.review', '.result']) {
      await visitor.goes(place, picks)
      expect(await misfits(visitor), `${place} in ${language}`).toEqual([])
      await visitor.picture(`large-${place.replace(/\W/g, '')}-${language}`)
      if (place === '.review') {
        await visitor.press('.review .ledger-row summary')
        expect(await misfits(visitor), `opened in ${language}`).toEqual([])
      }
    }
    await visitor.leaves()
  },
)

test('a clinic’s own colour is its own, and still can be read by day and by night', async () => {
  for (const accent of sliceOf(['#ffee00', '#001133', '#ff0055'])) {
    const clinic = await world.clinic({ theme: { accent, logoUrl: null } })
    for (const dark of [false, true]) {
      const visitor = await Visitor.arrives(chromium, world, { dark })
      await visitor.open(clinic)
      await visitor.sees('.welcome')
      await visitor.isAccessible()
      await visitor.start()
      await visitor.choose('for_whom', 'self')
      await visitor.isAccessible()
      await visitor.picture(`theme-${accent.slice(1)}-${dark ? 'dark' : 'light'}`)
      await visitor.leaves()
    }
  }
})

test('nothing moves for who asked for less motion', { tags: 'slice' }, async () => {
  const clinic = await world.clinic()
  const visitor = await Visitor.arrives(chromium, world)
  await visitor.open(clinic)
  await visitor.start()
  const moving = await visitor.page.evaluate(() =>
    [...document.querySelectorAll('*')]
      .filter((element) =>
        getComputedStyle(element)
          .transitionDuration.split(',')
          .some((part) => Number.parseFloat(part) > 0),
      )
      .map((element) => element.className || element.tagName),
  )
  expect(moving).toEqual([])
  await visitor.leaves()
})

test('what is chosen is told by its shape, not by colour alone', { tags: 'slice' }, async () => {
  const clinic = await world.clinic()
  const visitor = await Visitor.arrives(chromium, world)
  await visitor.open(clinic)
  await visitor.start()
  await visitor.choose('for_whom', 'other')
  const marks = visitor.page.locator('.row .icon')
  expect(await marks.nth(0).isVisible()).toBe(false)
  await eventually(() => marks.nth(1).isVisible()).toBe(true)
  await visitor.page.emulateMedia({ forcedColors: 'active' })
  expect(await marks.nth(0).isVisible()).toBe(false)
  await eventually(() => marks.nth(1).isVisible()).toBe(true)
  await visitor.isAccessible()
  await visitor.leaves()
})

test('in type twice as large the clinic keeps its name, and a question never begins under the bar', async () => {
  const clinic = await world.clinic({ name: 'Rantakylän terveysasema' })
  const visitor = await Visitor.arrives(chromium, world, { language: 'fi' })
  await visitor.open(clinic)
  await visitor.page.evaluate(() => {
    document.documentElement.style.fontSize = '225%'
  })
  await visitor.start()
  const name = visitor.page.locator('.bar-name')
  expect(
    await name.evaluate((element) => element.clientWidth / Number.parseFloat(getComputedStyle(element).fontSize)),
  ).toBeGreaterThan(4)
  for (let steps = 0; steps < 6; steps++) {
    const bar = await visitor.page.locator('.bar').boundingBox()
    const first = await visitor.page.locator('.eyebrow').boundingBox()
    expect(first?.y, `question ${steps + 1}`).toBeGreaterThanOrEqual((bar?.y ?? 0) + (bar?.height ?? 0))
    await visitor.answer({ matter: 'kurkku on kipeä', complaints: 'sore-throat' })
  }
  await visitor.leaves()
})

test.each(sliceOf([320, 390]))('the longest word of a question stays whole at %i px', async (width) => {
  const clinic = await world.clinic()
  const visitor = await Visitor.arrives(chromium, world, { language: 'fi', width, height: 700 })
  await continuesAt(visitor, clinic, 'background', {
    age: '40',
    sex: 'male',
    matter: 'kurkku',
    complaints: 'sore-throat',
  })
  await visitor.choose('background', 'illness')
  await visitor.sees('illnesses')
  const lines = await visitor.page.locator('.ask [data-question="illnesses"] h2').evaluate((heading) => {
    const text = heading.firstChild as Text
    const word = /\S{20,}/.exec(text.data)
    const range = document.createRange()
    range.setStart(text, word?.index ?? 0)
    range.setEnd(text, (word?.index ?? 0) + (word?.[0].length ?? 0))
    return { word: word?.[0], lines: range.getClientRects().length }
  })
  expect(lines).toEqual({ word: 'pitkäaikaissairauksista?', lines: 1 })
  await visitor.leaves()
})

test('how to start is in sight on arrival, with what is not reviewed before it', { tags: 'slice' }, async () => {
  const visitor = await Visitor.arrives(chromium, world, { width: 390, height: 844 })
  await visitor.open(await world.clinic())
  await visitor.sees('.welcome')
  await visitor.page.locator('.welcome .actions button').waitFor()
  const bottoms = await visitor.page.evaluate(() =>
    ['.welcome .notice', '.welcome .actions'].map(
      (part) => document.querySelector(part)?.getBoundingClientRect().bottom,
    ),
  )
  const [notice = Number.NaN, start = Number.NaN] = bottoms
  expect(start).toBeLessThanOrEqual(844 + 2)
  expect(notice).toBeLessThan(start - 100)
  await visitor.leaves()
})
