// @module-tag thorough
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { LANGUAGES } from '../../../src/engine/content.ts'
import { WORDS } from '../../../web/clinician/words/words.ts'
import { type Chromium, launchChromium, test } from '../../world/browser.ts'
import { answered, CHEST_PAIN, clinicianActions, linkTo, SORE_THROAT } from '../../world/clinician.ts'
import { chestPain, Desk, originOf } from '../../world/desk.ts'
import { Patient } from '../../world/patient.ts'
import { sliceOf } from '../../world/sweep.ts'
import { eventually } from '../../world/visitor.ts'
import { type Clinic, newWorld, type World } from '../../world/world.ts'

let world: World
let clinic: Clinic
let chromium: Chromium
/** A man of 67 with chest pain, two photos and a letter. */
let chest: string
beforeAll(async () => {
  ;[world, chromium] = await Promise.all([newWorld(), launchChromium()])
  clinic = await world.clinic()
  chest = await chestPain(world, clinic)
})
afterAll(async () => {
  await chromium.close()
  await world.close()
})

describe('the page', () => {
  test('shows every part, from 500 to 1400 px wide, without anything that sticks out', async () => {
    const desk = await Desk.at(chromium)
    await desk.open(world, clinic, chest, { who: 'dr.wide' })
    const { page } = desk
    for (const width of [500, 799, 801, 1400]) {
      await page.setViewportSize({ width, height: 900 })
      const parts = [
        '#urgency',
        '#why',
        '#changes',
        '#red-flags',
        '#history',
        '#considerations',
        '#files',
        '#told',
        '#facts',
        '.interview',
      ]
      for (const part of parts) expect(await page.locator(part).first().isVisible(), `${part} at ${width}`).toBe(true)
      const { sticking, columns } = await page.evaluate(() => ({
        sticking: document.documentElement.scrollWidth - document.documentElement.clientWidth,
        columns: getComputedStyle(document.querySelector('.columns') ?? document.body).gridTemplateColumns.split(' ')
          .length,
      }))
      expect(sticking, `at ${width}`).toBeLessThanOrEqual(0)
      expect(columns, `at ${width}`).toBe(width < 800 ? 1 : 2)
    }
    await desk.leave()
  })

  test('where no script may run the page waits for nothing', { tags: 'slice' }, async () => {
    const context = await chromium.newContext({ javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto(`${world.url}/decision-support/${clinic.slug}`)
    await eventually(() => page.locator('noscript').isVisible()).toBe(true)
    expect(await page.locator('.notice-wait').isVisible()).toBe(false)
    await context.close()
  })

  test('answers how urgent, why, and what the patient says before anyone scrolls', { tags: 'slice' }, async () => {
    const desk = await Desk.at(chromium, { width: 1280, height: 800 })
    await desk.open(world, clinic, chest)
    const { page } = desk
    expect((await page.locator('h1').innerText()).toLowerCase()).toBe('within 10 minutes')
    await eventually(() => page.locator('.urgency-marks').innerText()).toMatch(/Level 1\s+Red flag/)
    await eventually(() => page.locator('.patient-who').innerText()).toBe('67 years, male')
    await eventually(() => page.locator('.matter blockquote').innerText()).toBe(CHEST_PAIN.matter)
    for (const part of ['h1', '.matter blockquote', '.rule', '.reasons .evidence', '.flags-present']) {
      const box = await page.locator(part).first().boundingBox()
      expect((box?.y ?? 9_999) + (box?.height ?? 0), part).toBeLessThan(800)
    }
    await eventually(() => page.locator('.bar').innerText()).toMatch(/Viewing as nurse\.kari\s+Visit ends at \d\d:\d\d/)
    expect(await desk.text()).toContain('have not been clinically reviewed')
    await desk.leave()
  })

  test('what only further questions would decide is said to be open, below what is sure', async () => {
    const throat = await answered(world.url, clinic, SORE_THROAT)
    const desk = await Desk.at(chromium)
    await desk.open(world, clinic, throat.sessionId)
    const headings = desk.page.locator('#changes ~ .direction h3')
    await eventually(() => headings.allInnerTexts()).toContain('Open: further questions would decide')
    const open = desk.page.locator('.direction', { hasText: 'Open: further' }).locator('.level-mark [aria-hidden]')
    expect(new Set(await open.allTextContents())).toEqual(new Set(['?']))
    await desk.leave()
  })

  test('denies at a glance what bears on the complaint, folds the rest, and never says that nothing speaks for something', async () => {
    const throat = await answered(world.url, clinic, SORE_THROAT)
    const desk = await Desk.at(chromium)
    await desk.open(world, clinic, throat.sessionId)
    const { page } = desk
    const denied = page.locator('.flags-denied')
    const shown = denied.locator(':scope > .groups .sign-label')
    await eventually(() => shown.count()).toBe(8)
    // The complaint's own airway signs stand before what the emergency check asks of everyone.
    const labels = (await shown.allInnerTexts()).join(' · ')
    expect(labels).toContain('Stridor')
    expect(labels).not.toContain('haemorrhage')
    const folded = denied.locator('details')
    expect(await folded.evaluate((details) => (details as HTMLDetailsElement).open)).toBe(false)
    const all = Number(await denied.locator('.count').innerText())
    await eventually(() => folded.locator('.sign-label').count()).toBe(all - 8)
    await eventually(() => folded.locator('summary').innerText()).toContain(`${all - 8} more denied`)
    await folded.locator('summary').click()
    expect(await desk.text()).toContain('haemorrhage')
    expect(await desk.faults()).toEqual([])
    for (const one of await page.locator('.conditions > li').all())
      await eventually(() => one.locator('.evidence').count()).toBe(await one.locator('.speaks .quiet-label').count())
    expect(await page.locator('#considerations ~ .conditions .nothing').count()).toBe(0)
    await desk.leave()
  })

  test('folds most of what was not asked', async () => {
    const desk = await Desk.at(chromium)
    await desk.open(world, clinic, chest)
    const notAsked = desk.page.locator('.flags-not-asked')
    await eventually(() => notAsked.locator(':scope > .groups .sign-label').count()).toBe(8)
    const all = Number(await notAsked.locator('.count').innerText())
    await eventually(() => notAsked.locator('summary').innerText()).toContain(`${all - 8} more not asked`)
    await eventually(() => notAsked.locator('details .sign-label').count()).toBe(all - 8)
    await desk.leave()
  })

  test('A18: the token leaves the address at once; a reload goes on, another tab has nothing', {
    tags: 'slice',
  }, async () => {
    const desk = await Desk.at(chromium)
    const { link, token } = await linkTo(world.url, clinic, chest)
    const requests: string[] = []
    desk.page.on('request', (request) => requests.push(`${request.url()} ${JSON.stringify(request.headers())}`))
    await desk.page.goto(link)
    await desk.page.locator('main.bench').waitFor()
    expect(desk.page.url()).toBe(`${originOf(world)}/decision-support/${clinic.slug}`)
    expect(requests.join('\n')).not.toContain(token.split('.')[1])
    expect(await desk.page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain(token)
    await desk.page.reload()
    await desk.page.locator('main.bench').waitFor()
    const other = await Desk.at(chromium, { context: desk.context })
    await other.page.goto(desk.page.url())
    await other.page.getByText('Nothing to show').waitFor()
    await desk.leave()
  })

  test('two patients in two tabs stay two patients', async () => {
    const throat = await answered(world.url, clinic, SORE_THROAT)
    const one = await Desk.at(chromium)
    const two = await Desk.at(chromium, { context: one.context })
    await one.open(world, clinic, chest)
    await two.open(world, clinic, throat.sessionId)
    await one.page.reload()
    await one.page.locator('main.bench').waitFor()
    await eventually(() => one.page.locator('.patient-who').innerText()).toBe('67 years, male')
    await eventually(() => two.page.locator('.patient-who').innerText()).toBe('24 years, female')
    await one.leave()
  })

  test('an expired link and one that is not valid each have a clear page', { tags: 'slice' }, async () => {
    const desk = await Desk.at(chromium)
    const { link } = await linkTo(world.url, clinic, chest)
    await world.sql('update link_tokens set expires_at = now() where session_id = $1', [chest])
    await desk.page.goto(link)
    await desk.page.getByRole('heading', { name: 'This link has expired' }).waitFor()
    await desk.page.goto('about:blank')
    await desk.page.goto(link.replace(/.{4}$/, 'AAAA'))
    await desk.page.getByRole('heading', { name: 'This link is not valid' }).waitFor()
    expect(desk.page.url()).not.toContain('#')
    await desk.leave()
  })

  test('when the visit ends, what was shown is taken away', { tags: 'slice' }, async () => {
    const desk = await Desk.at(chromium)
    await desk.open(world, clinic, chest, { who: 'dr.ends' })
    await world.sql(`update visits set alive_until = now() where audit_user_identifier = 'dr.ends'`)
    await desk.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await desk.page.getByRole('heading', { name: 'The visit has ended' }).waitFor()
    expect(await desk.page.content()).not.toMatch(/presses on my chest|Bisoprolol|Level 1/)
    await desk.leave()
  })

  test('ending the visit ends it at once', async () => {
    const desk = await Desk.at(chromium)
    await desk.open(world, clinic, chest, { who: 'dr.closes' })
    await desk.page.getByRole('button', { name: 'End visit' }).click()
    await desk.page.getByRole('heading', { name: 'The visit has ended' }).waitFor()
    await expect.poll(() => clinicianActions(world, chest, 'dr.closes')).toContain('visit.closed')
    await desk.page.reload()
    await desk.page.getByText('Nothing to show').waitFor()
    await desk.leave()
  })
})

describe('in four languages', () => {
  test('every heading is in the chosen one, the patient’s words stay, and the choice is remembered', async () => {
    const desk = await Desk.at(chromium)
    await desk.open(world, clinic, chest, { language: 'en' })
    const { page } = desk
    for (const language of LANGUAGES) {
      await page.locator('.bar-language select').selectOption(language)
      const words = WORDS[language]
      await page.getByRole('heading', { name: words.why }).waitFor()
      await page.waitForFunction((tag) => document.documentElement.lang === tag, language === 'no' ? 'nb' : language)
      const headings = await page.locator('h2').allInnerTexts()
      for (const heading of [
        words.why,
        words.changes,
        words.redFlags,
        words.history,
        words.considerations,
        words.told,
        words.facts,
      ])
        expect(headings).toContain(heading)
      await eventually(() => page.locator('.matter blockquote').innerText()).toBe(CHEST_PAIN.matter)
      await eventually(() => page.locator('.matter blockquote').getAttribute('lang')).toBe('en')
      const sticking = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect(sticking).toBeLessThanOrEqual(0)
    }
    const { link } = await linkTo(world.url, clinic, chest)
    await page.goto(link)
    await page.getByRole('heading', { name: WORDS.sv.why }).waitFor()
    await desk.leave()
  })

  test('a checker of accessibility finds nothing, in light and dark, wide and narrow, with everything open', async () => {
    for (const [language, dark, width] of sliceOf([
      ['fi', true, 500],
      ['en', false, 1400],
    ] as const)) {
      const desk = await Desk.at(chromium, { dark, width })
      await desk.open(world, clinic, chest, { language })
      await desk.page.evaluate(() => {
        for (const details of document.querySelectorAll('details')) details.open = true
      })
      await desk.page.keyboard.press('j')
      await desk.page.locator('form.judging').waitFor()
      expect(await desk.faults()).toEqual([])
      if (dark) {
        await desk.page.keyboard.press('Escape')
        await desk.page.keyboard.press('?')
        await desk.page.locator('dialog.help').waitFor()
        expect(await desk.faults()).toEqual([])
      }
      await desk.leave()
    }
  })
})

describe('following along', () => {
  test('who has not answered for two minutes is not said to be answering', async () => {
    const patient = new Patient(world.url)
    await patient.enterOpen(clinic.slug)
    await patient.answerThrough(CHEST_PAIN, (asked) => asked === 'major_bleeding')
    const desk = await Desk.at(chromium)
    await desk.page.clock.install()
    await desk.open(world, clinic, patient.now.sessionId, { who: 'dr.waits' })
    await desk.page.getByText('The patient is answering now').waitFor()
    await desk.page.clock.fastForward(150_000)
    await desk.page.getByText('The patient has not finished').waitFor()
    expect(await desk.page.getByText('The patient is answering now').count()).toBe(0)
  })

  test('shows what the patient answers as it comes: one entry for each change shown, none for looking', async () => {
    const patient = new Patient(world.url)
    await patient.enterOpen(clinic.slug)
    await patient.answerThrough(CHEST_PAIN, (asked) => asked === 'major_bleeding')
    const { sessionId } = patient.now
    const desk = await Desk.at(chromium)
    await desk.open(world, clinic, sessionId, { who: 'dr.follows' })
    await desk.page.getByText('The patient is answering now').waitFor()
    await desk.page.getByText('No urgency set yet').waitFor()
    await desk.page.waitForTimeout(4_000)
    expect(await clinicianActions(world, sessionId, 'dr.follows')).toEqual(['visit.opened', 'session.viewed'])
    await patient.answer('major_bleeding', true)
    await desk.page.locator('.rule', { hasText: 'Major haemorrhage' }).waitFor()
    await eventually(() => desk.page.locator('.urgency-marks').innerText()).toMatch(/Level 1\s+Red flag\s+So far/)
    await patient.stop()
    await desk.page.getByText('Ended before the interview was complete').waitFor()
    expect(await desk.page.locator('.following').count()).toBe(0)
    expect(await clinicianActions(world, sessionId, 'dr.follows')).toEqual([
      'visit.opened',
      'session.viewed',
      'session.viewed',
      'session.viewed',
    ])
    await desk.leave()
  })

  test('a lost connection is said, and what comes back is shown', async () => {
    const patient = new Patient(world.url)
    await patient.enterOpen(clinic.slug)
    const desk = await Desk.at(chromium)
    await desk.open(world, clinic, patient.now.sessionId)
    await desk.context.setOffline(true)
    await desk.page.getByText('What you see may be old').waitFor()
    await patient.answer('for_whom', 'other')
    await desk.context.setOffline(false)
    await desk.page.getByText('Answered by someone for the patient').waitFor()
    expect(await desk.page.getByText('What you see may be old').count()).toBe(0)
    await desk.leave()
  })
})
