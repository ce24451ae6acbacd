import { spawn } from 'node:child_process'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { Value } from '../../src/engine/content.ts'
import { Patient } from '../../test/world/patient.ts'
import { answering, opened, type Place, save } from './place.ts'

const HOST_PORT = 8_946
const HOST = `http://localhost:${HOST_PORT}`
/** A4 at 96 dots to the inch, with the margin that a printer leaves. */
const PAPER = { width: 794, height: 1123 }
const MARGIN = 'html { padding: 15mm }'

/** A man of 67 with chest pain that is there now. */
const CHEST_PAIN: Record<string, Value> = {
  age: 67,
  sex: 'male',
  matter: 'It presses on my chest since this morning, and my left arm feels heavy. I am worried.',
  complaints: ['chest-pain'],
  chest_pressure_5_minutes: true,
  chest_trouble: 'pain',
  chest_timing: 'now',
  cold_sweat: true,
  chest_where: ['centre', 'arm-or-jaw'],
  chest_feel: ['pressure'],
  illnesses: ['high-blood-pressure'],
  medicines: ['heart-pressure'],
  medicine_names: 'Bisoprolol 5 mg',
  chest_duration: { amount: 3, unit: 'hours' },
}

/** What a clinician sees: on a wide screen, following along in the dark, narrow, on paper, in another system's page. */
export async function takeClinicians(place: Place, browser: Browser): Promise<void> {
  const issued: { key: string } = JSON.parse(place.fyr('key', 'issue', '--configuration', 'demo', '--json'))
  const { key } = issued
  const ended = await told(place, true)
  const underWay = await told(place, false)
  const visit = async (session: string, language: string, options: BrowserContextOptions): Promise<Page> => {
    const page = await (await browser.newContext({ reducedMotion: 'reduce', ...options })).newPage()
    await opened(page, (await linkTo(place, key, session)).replace('#', `?lang=${language}#`))
    await page.locator('main.bench').waitFor()
    return page
  }
  const taken = async (page: Page, name: string) => {
    await page.waitForTimeout(300)
    await save(page, `decision-support-${name}`)
    await page.context().close()
  }
  await taken(await visit(ended, 'en', { viewport: { width: 1400, height: 900 } }), 'en')
  const dark: BrowserContextOptions = { viewport: { width: 1000, height: 900 }, colorScheme: 'dark' }
  await taken(await visit(underWay, 'fi', dark), 'following-fi-dark')
  await taken(await visit(ended, 'sv', { viewport: { width: 500, height: 900 } }), 'narrow-sv')
  const paper = await visit(ended, 'en', { viewport: PAPER, bypassCSP: true })
  await paper.addStyleTag({ content: MARGIN })
  await paper.emulateMedia({ media: 'print' })
  await paper.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
  await taken(paper, 'print')
  await takeEmbedded(place, browser, key, taken)
}

/** A session whose patient has answered, to the end or to the middle. */
async function told(place: Place, toTheEnd: boolean): Promise<string> {
  const patient = new Patient(place.url)
  await patient.enterOpen('demo')
  await patient.answerThrough(CHEST_PAIN, (asked) => !toTheEnd && asked === 'chest_duration')
  if (toTheEnd) await patient.finish()
  return patient.now.sessionId
}

async function linkTo(place: Place, key: string, session: string): Promise<string> {
  const path = `/api/v1/session/${session}/decisionSupportLink?auditUserIdentifier=nurse.example`
  const reply = await fetch(`${place.url}${path}`, { headers: { 'X-Service-API-Key': key } })
  const { link }: { link: string } = await reply.json()
  return link
}

/** In the example of a record system's page. */
async function takeEmbedded(
  place: Place,
  browser: Browser,
  key: string,
  taken: (page: Page, name: string) => Promise<void>,
): Promise<void> {
  place.fyr('configuration', 'change', 'demo', '--set', `allowedOrigins=["${HOST}"]`)
  const host = spawn(process.execPath, ['examples/host-page/server.mjs'], {
    env: { ...process.env, FYR_KEY: key, FYR_URL: place.url, PORT: String(HOST_PORT) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  try {
    await answering(HOST, host)
    const page = await (await browser.newContext({ viewport: { width: 1300, height: 900 } })).newPage()
    await opened(page, HOST)
    await page.getByRole('button', { name: 'Ended' }).first().click()
    await page.frameLocator('iframe').locator('main.bench').waitFor()
    await taken(page, 'embedded')
  } finally {
    host.kill()
  }
}
