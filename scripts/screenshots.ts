// Retakes the patient’s screenshots in docs/screenshots: starts the service in a temporary folder, answers as a
// patient.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import sharp from 'sharp'
import { findBrowser } from './browser.mjs'

const PORT = 8_945
const FOLDER = new URL('../docs/screenshots/', import.meta.url).pathname
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

const folder = mkdtempSync(join(tmpdir(), 'fyr-screenshots-'))
const service = spawn('node', ['src/main.ts'], {
  env: {
    ...process.env,
    PORT: String(PORT),
    METRICS_PORT: '0',
    PROCESSES: '1',
    DATA_DIR: folder,
    REQUESTS_PER_SECOND_PER_USER: '0',
  },
  stdio: ['ignore', 'ignore', 'inherit'],
})
const browser = await chromium.launch({ executablePath: (await findBrowser()) ?? '', args: ['--no-sandbox'] })
try {
  mkdirSync(FOLDER, { recursive: true })
  for (const picture of PICTURES) await take(picture)
} finally {
  await browser.close()
  service.kill('SIGTERM')
  await new Promise((done) => service.once('exit', done))
  rmSync(folder, { recursive: true, force: true })
}

async function take({ name, language, options, until, answers }: Picture): Promise<void> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  const page = await context.newPage()
  await opened(page, `http://localhost:${PORT}/t/demo?lang=${language}`)
  if (until !== '.welcome') await page.locator('.welcome .primary').click()
  const goal = until.startsWith('.') ? until : `form.ask [data-question="${until}"]`
  while ((await page.locator(goal).count()) === 0) await answer(page, answers)
  await page.mouse.move(0, 0)
  await page.waitForTimeout(200)
  const bytes = await sharp(await page.screenshot())
    .png({ palette: true, quality: 90, compressionLevel: 9 })
    .toBuffer()
  writeFileSync(join(FOLDER, `patient-${name}.png`), bytes)
  console.log(`patient-${name}.png ${Math.round(bytes.length / 1024)} kB`)
  await context.close()
}

async function opened(page: Page, address: string): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const reply = await page.goto(address).catch(() => null)
    if (reply?.ok()) return
    await page.waitForTimeout(200)
  }
  throw new Error('The service did not start.')
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
