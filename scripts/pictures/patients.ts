import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { opened, type Place, save } from './place.ts'

const PHONE = { viewport: { width: 390, height: 760 }, deviceScaleFactor: 2 }
const WIDE = { viewport: { width: 1100, height: 760 }, deviceScaleFactor: 1.5 }

type Answers = Record<string, string>
type Picture = { name: string; language: string; options: BrowserContextOptions; until: string; answers: Answers }

const THROAT = {
  age: '34',
  sex: 'female',
  matter: 'Sore throt and fever since yesterday',
  fev_with: 'cold',
  fever: 'measured',
  temperature: '38.4',
}
const FATHER = {
  for_whom: 'other',
  age: '71',
  sex: 'male',
  matter: 'Pappa är så trött',
  chest_pressure_5_minutes: 'true',
}
const PICTURES: readonly Picture[] = [
  { name: 'welcome', language: 'en', options: PHONE, until: '.welcome', answers: {} },
  { name: 'own-words', language: 'en', options: PHONE, until: 'complaints', answers: THROAT },
  {
    name: 'question',
    language: 'fi',
    options: PHONE,
    until: 'pain_severity',
    answers: { ...THROAT, temperature: '38,4', matter: 'Kurkku on kipeä' },
  },
  { name: 'emergency', language: 'sv', options: { ...PHONE, colorScheme: 'dark' }, until: '.alarm', answers: FATHER },
  { name: 'result', language: 'en', options: PHONE, until: '.result', answers: THROAT },
  {
    name: 'wide-night',
    language: 'no',
    options: { ...WIDE, colorScheme: 'dark' },
    until: 'major_bleeding',
    answers: { ...THROAT, matter: 'Vondt i halsen' },
  },
]

/** What a patient sees, from the welcome to the result. */
export async function takePatients(place: Place, browser: Browser): Promise<void> {
  for (const picture of PICTURES) await take(place, browser, picture)
}

async function take(place: Place, browser: Browser, picture: Picture): Promise<void> {
  const { name, language, options, until, answers } = picture
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  const page = await context.newPage()
  await opened(page, `${place.url}/t/demo?lang=${language}`)
  if (until !== '.welcome') await page.locator('.welcome .primary').click()
  const goal = until.startsWith('.') ? until : `form.ask [data-question="${until}"]`
  while ((await page.locator(goal).count()) === 0) await answer(page, answers)
  await page.mouse.move(0, 0)
  await page.waitForTimeout(200)
  await save(page, `patient-${name}`)
  await context.close()
}

/** Answers the screen: with the given answers, else the calm one. */
async function answer(page: Page, answers: Answers): Promise<void> {
  if (await page.locator('.review').count()) {
    await page.locator('.review .primary').click()
    await page.locator('.result').waitFor()
    return
  }
  const screen = (await page.locator('form.ask').first().getAttribute('data-screen')) ?? ''
  const filled = new Set<string>()
  const isThere = (sign: string) => answers[sign] !== undefined
  if ((await page.locator('form.ask .sign-rows').count()) && !screen.split(' ').some(isThere))
    await page.locator('form.ask input[value="none"]').check({ force: true })
  // An answer may bring up a follow-up, so look again until everything is filled in.
  else
    for (let open = await left(page, filled); open.length > 0; open = await left(page, filled))
      for (const id of open) {
        filled.add(id)
        await fill(page, id, answers[id])
      }
  // "None of these" continues by itself, unless the tap came so soon that it may be meant for the previous screen.
  const next = page.locator(`form.ask:not([data-screen="${screen}"]), .alarm, .result, .review`).first()
  await page.waitForTimeout(800)
  if ((await next.count()) === 0) await page.locator('form.ask .primary').click()
  await next.waitFor()
}

/** The questions of the screen that are not filled in yet. */
async function left(page: Page, filled: ReadonlySet<string>): Promise<string[]> {
  const ids = await page
    .locator('form.ask [data-question]')
    .evaluateAll((all) => all.map((one) => one.getAttribute('data-question') ?? ''))
  return ids.filter((id) => !filled.has(id))
}

async function fill(page: Page, id: string, wanted: string | undefined): Promise<void> {
  const field = page.locator(`[data-question="${id}"]`)
  // What is as usual stays folded.
  if (wanted === undefined && (await field.locator('legend > .unseen').count())) return
  const kind = await field.getAttribute('data-kind')
  if (kind === 'sign' && wanted === undefined) return
  if (kind === 'text') return field.locator('textarea').fill(wanted ?? '')
  if (kind === 'number' || kind === 'duration') await field.locator('.field.number').fill(wanted ?? '2')
  if (kind === 'duration') await field.locator('.segment').nth(1).click()
  if (kind === 'number' || kind === 'duration' || kind === 'photo') return
  const calm = ['none', 'no', 'self', 'regular', 'false', 'normal', 'better', '3']
  for (const value of [wanted, ...calm].filter((one) => one !== undefined)) {
    const input = field.locator(`input[value="${value}"]`)
    if ((await input.count()) === 0) continue
    await input.first().check({ force: true })
    return
  }
  if ((await field.locator('input:checked').count()) === 0) await field.locator('.row').first().click()
}
