import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { BrowserContext, Page } from 'playwright-core'
import sharp from 'sharp'
import { expect } from 'vitest'
import type { Chromium } from './browser.ts'
import { CHEST_PAIN, linkTo } from './clinician.ts'
import { Patient } from './patient.ts'
import type { Clinic, World } from './world.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Options = {
  width?: number
  height?: number
  language?: string
  dark?: boolean
  who?: string
  context?: BrowserContext
}

export const originOf = (world: Pick<World, 'url'>): string => world.url.replace('127.0.0.1', 'localhost')

/** A clinician's desk: their own browser, and every error it reported. */
export class Desk {
  readonly page: Page
  readonly context: BrowserContext
  readonly complaints: string[] = []

  constructor(page: Page, context: BrowserContext) {
    this.page = page
    this.context = context
    page.on('console', (message) => {
      // Some tests are about failed requests; everything else a browser calls an error is one.
      if (message.type() === 'error' && !/Failed to load resource/.test(message.text()))
        this.complaints.push(message.text())
    })
    page.on('pageerror', (error) => this.complaints.push(String(error)))
  }

  static async at(
    chromium: Chromium,
    { width = 1400, height = 900, dark = false, context }: Options = {},
  ): Promise<Desk> {
    const own =
      context ??
      (await chromium.newContext({
        viewport: { width, height },
        colorScheme: dark ? 'dark' : 'light',
        locale: 'en-GB',
      }))
    const page = await own.newPage()
    page.setDefaultTimeout(60_000)
    return new Desk(page, own)
  }

  /** Opens decision support with a fresh link and waits for the session to be shown. */
  async open(
    world: World,
    clinic: Clinic,
    sessionId: string,
    { language = 'en', who = 'nurse.kari' }: Options = {},
  ): Promise<void> {
    const { link } = await linkTo(world.url, clinic, sessionId, who)
    await this.page.goto(link.replace('#', `?lang=${language}#`))
    await this.page.locator('main.bench').waitFor()
  }

  text(): Promise<string> {
    return this.page.locator('body').innerText()
  }

  /** The faults that an accessibility checker finds. */
  async faults(): Promise<string[]> {
    if (!(await this.page.evaluate(() => 'axe' in window))) await this.page.evaluate(AXE)
    return this.page.evaluate(async () => {
      const { axe } = window as unknown as {
        axe: { run: (options: object) => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> }
      }
      const { violations } = await axe.run({ resultTypes: ['violations'] })
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`)
    })
  }

  /** Presses Tab until the element has the focus; one that cannot be reached is a fault. */
  async tabTo(selector: string): Promise<void> {
    for (let steps = 0; steps < 80; steps++) {
      if (await this.page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector)) return
      await this.page.keyboard.press('Tab')
    }
    throw new Error(`The Tab key does not lead to ${selector}.`)
  }

  async leave(): Promise<void> {
    expect(this.complaints).toEqual([])
    await this.context.close()
  }
}

/** A session of a man of 67 with chest pain, an answer changed, two photos and a letter. */
export async function chestPain(world: World, clinic: Clinic): Promise<string> {
  const patient = new Patient(world.url)
  await patient.enterOpen(clinic.slug)
  await patient.answerThrough(CHEST_PAIN, (asked) => asked === 'cold_sweat')
  await patient.answer('chest_timing', 'stabs')
  await patient.answer('chest_timing', 'now')
  await addFile(patient, 'watch.jpg', await photo(200))
  await addFile(patient, 'arm.jpg', await photo(90))
  await addFile(patient, 'letter.pdf', PDF)
  await patient.answerThrough(CHEST_PAIN)
  await patient.finish()
  return patient.now.sessionId
}

/** Adds a file as the patient's app does. */
export async function addFile(patient: Patient, name: string, bytes: Buffer): Promise<void> {
  const id = randomUUID()
  await patient.call('POST', '/session/files', { id, name, size: bytes.length })
  const sent = await patient.call('PATCH', `/session/files/${id}`, bytes, { 'upload-offset': '0' })
  if (sent.status !== 200) throw new Error(JSON.stringify(sent.body))
}

export const photo = (red: number): Promise<Buffer> =>
  sharp({ create: { width: 900, height: 600, channels: 3, background: { r: red, g: 120, b: 100 } } })
    .jpeg()
    .toBuffer()

export const PDF = Buffer.from(
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n' +
    '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>endobj\ntrailer<</Root 1 0 R/Size 4>>\n%%EOF\n',
)
