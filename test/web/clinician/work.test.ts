// @module-tag thorough
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { type Chromium, launchChromium, test } from '../../world/browser.ts'
import { send } from '../../world/call.ts'
import { answered, auditOf, CHEST_PAIN, clinicianActions, SORE_THROAT } from '../../world/clinician.ts'
import { addFile, chestPain, Desk, originOf, photo } from '../../world/desk.ts'
import { Patient } from '../../world/patient.ts'
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

describe('what is done with it', () => {
  test('one key copies the summary, exactly as the interface gives it', { tags: 'slice' }, async () => {
    const desk = await Desk.at(chromium)
    await desk.context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: originOf(world) })
    await desk.open(world, clinic, chest, { language: 'fi', who: 'dr.copies' })
    await desk.page.keyboard.press('c')
    await desk.page.locator('.copied').waitFor()
    const path = `/api/v1/session/${chest}/summary?language=fi`
    const { data } = (await send(`${world.url}${path}`, 'GET', { key: clinic.key })).body as { data: string }
    expect(await desk.page.evaluate(() => navigator.clipboard.readText())).toBe(data)
    expect(await clinicianActions(world, chest, 'dr.copies')).toContain('session.summary.read')
    await desk.leave()
  })

  test('on paper everything is unfolded and nothing is left to press', async () => {
    const desk = await Desk.at(chromium, { dark: true })
    await desk.open(world, clinic, chest)
    const { page } = desk
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
    for (const gone of ['.bar', '.actions', '.following'])
      expect(
        await page
          .locator(gone)
          .first()
          .isVisible()
          .catch(() => false),
      ).toBe(false)
    await eventually(() => page.locator('.print-head').innerText()).toMatch(/Printed by nurse\.kari/)
    await eventually(() => page.locator('.interview tbody tr').last().isVisible()).toBe(true)
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(255, 255, 255)')
    const pages = (await page.pdf({ preferCSSPageSize: true })).toString('latin1').match(/\/Type\s*\/Page[^s]/g) ?? []
    expect(pages.length).toBeLessThanOrEqual(3)
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
    await eventually(() => page.locator('.interview').getAttribute('open')).toBeNull()
    await desk.leave()
  })

  test('files are looked at one after the other, larger, turned, and saved; each look is written down', async () => {
    const desk = await Desk.at(chromium)
    await desk.open(world, clinic, chest, { who: 'dr.looks' })
    const { page } = desk
    await page.keyboard.press('f')
    const shown = page.locator('.viewer img')
    await shown.waitFor()
    await eventually(() => page.locator('.viewer-name').innerText()).toMatch(/watch\.jpg\s+1 of 3/)
    const width = async () => (await page.locator('.turned').boundingBox())?.width ?? 0
    const before = await width()
    await page.keyboard.press('+')
    await expect.poll(width).toBeGreaterThan(before * 1.4)
    await page.getByRole('button', { name: 'Rotate' }).click()
    await expect.poll(() => shown.evaluate((image) => (image as HTMLElement).style.rotate)).toBe('90deg')
    await page.keyboard.press('0')
    await page.keyboard.press('ArrowRight')
    await page.getByText('2 of 3').waitFor()
    await page.keyboard.press('ArrowRight')
    await page.getByText('Documents are not opened here').waitFor()
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download' }).click()
    expect((await saving).suggestedFilename()).toBe('letter.pdf')
    expect(await desk.faults()).toEqual([])
    await page.keyboard.press('Escape')
    await page.locator('.viewer').waitFor({ state: 'detached' })
    const files = (await auditOf(world, chest)).filter(
      ({ actor, action }) => actor === 'clinician:dr.looks' && action === 'session.file.read',
    )
    expect(new Set(files.map(({ detail }) => detail.file)).size).toBe(3)
    await desk.leave()
  })

  test('the PDF and the FHIR document are saved from here', async () => {
    const desk = await Desk.at(chromium)
    await desk.open(world, clinic, chest)
    for (const [name, ending] of [
      ['PDF', /\.pdf$/],
      ['FHIR', /\.fhir\.json$/],
    ] as const) {
      const saving = desk.page.waitForEvent('download')
      await desk.page.getByRole('button', { name, exact: true }).click()
      expect((await saving).suggestedFilename()).toMatch(ending)
    }
    await desk.leave()
  })

  test('with the keyboard alone: judging differently, help, the interview, back to the top', async () => {
    const { sessionId } = await answered(world.url, clinic, SORE_THROAT)
    const desk = await Desk.at(chromium)
    await desk.open(world, clinic, sessionId, { who: 'dr.keys' })
    const { page } = desk
    await desk.tabTo('[aria-keyshortcuts="j"]')
    await page.keyboard.press('Enter')
    await page.locator('form.judging').waitFor()
    await desk.tabTo('form.judging [type=submit]')
    await page.keyboard.press('Enter')
    await page.getByText('Choose a level and say why.').waitFor()
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.type('Cannot swallow; c p j ? are letters here')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('ArrowDown')
    await desk.tabTo('form.judging [type=submit]')
    await page.keyboard.press('Enter')
    await page.locator('.judgements').waitFor()
    await eventually(() => page.locator('.judgements').innerText()).toMatch(
      /Emergency, now[\s\S]*Cannot swallow; c p j \? are letters here[\s\S]*dr\.keys/,
    )
    await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('aria-keyshortcuts'))).toBe('j')
    await page.keyboard.press('i')
    await eventually(() => page.locator('.interview').getAttribute('open')).not.toBeNull()
    await page.keyboard.press('t')
    await eventually(() => page.evaluate(() => document.activeElement?.id)).toBe('urgency-heading')
    await page.keyboard.press('?')
    await page.locator('dialog.help').waitFor()
    await desk.tabTo('.switch input')
    await page.keyboard.press('Space')
    await page.keyboard.press('Escape')
    await page.locator('dialog.help').waitFor({ state: 'detached' })
    await page.keyboard.press('j')
    await page.keyboard.press('?')
    expect(await page.locator('form.judging, dialog.help').count()).toBe(0)
    await desk.leave()
  })
})

test('A43: what patients, clinicians and operators write is text, wherever it is shown', {
  tags: 'slice',
}, async () => {
  const attack = `"><img src=x onerror="window.hacked=1"><script>window.hacked=1</script><svg onload=window.hacked=1>{{7*7}}javascript:window.hacked=1`
  const attacked = await world.clinic({ name: `Clinic ${attack}`.slice(0, 120) })
  const patient = new Patient(world.url)
  await patient.enterOpen(attacked.slug)
  await addFile(patient, `${attack}.jpg`.replaceAll('/', ''), await photo(10))
  const story = { ...CHEST_PAIN, matter: attack, medicine_names: attack, anything_else: attack }
  await patient.answerThrough(story)
  await patient.finish()
  const desk = await Desk.at(chromium)
  await desk.open(world, attacked, patient.now.sessionId, { who: attack })
  const { page } = desk
  await page.keyboard.press('j')
  await page.locator('form.judging select').selectOption('Level2')
  await page.locator('form.judging textarea').fill(attack)
  await page.locator('form.judging [type=submit]').click()
  await page.locator('.judgements').waitFor()
  await page.keyboard.press('i')
  await page.keyboard.press('f')
  await page.locator('.viewer img').waitFor()
  await eventually(() => page.locator('.matter blockquote').textContent()).toBe(attack)
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
  expect(await page.locator('img[src="x"], main script').count()).toBe(0)
  await desk.leave() // no violation of the content security policy or of trusted types was reported
})
