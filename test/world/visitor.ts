import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Chromium } from './browser.ts'
import type { Clinic, World } from './world.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Waits for something to happen; generously, because test machines are busy. */
export const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 60_000, interval: 50 })

/** The answers, by question. A list chooses several; null is “don’t know”; any other question gets the calmest answer. */
export type Picks = Record<string, string | readonly string[] | null>

type Field = { id: string; kind: string }

export type Options = {
  language?: string
  width?: number
  height?: number
  keyboard?: boolean
  dark?: boolean
  context?: BrowserContext
}

/** What is on the page at one moment. */
type Sight = {
  /** Whether the place that is waited for is there. */
  isThere: boolean
  /** The first question of the screen. */
  question: string
  /** A card that has to be dismissed before anything else. */
  card: string | null
  /** A fingerprint of it all, to notice changes. */
  mark: string
}

/** Longer than the moment in which a tap counts as meant for the question before. */
const READING_MS = 700

const SCREEN = 'form.ask[data-screen]'
const QUESTION = 'form.ask [data-question]'

const selectorOf = (place: string): string => (/[.[]/.test(place) ? place : `form.ask [data-question="${place}"]`)

const pickOf = (id: string, picks: Picks) => (Object.hasOwn(picks, id) ? picks[id] : undefined)

const isLeftOut = ({ id, kind }: Field, picks: Picks): boolean =>
  pickOf(id, picks) === null || (pickOf(id, picks) === undefined && kind === 'text')

/** Someone in front of the page: their own browser, and every error it reported. */
export class Visitor {
  readonly page: Page
  readonly context: BrowserContext
  readonly complaints: string[] = []
  readonly requests: string[] = []
  readonly origin: string
  readonly language: string
  readonly keyboard: boolean

  constructor(page: Page, context: BrowserContext, origin: string, { language = 'en', keyboard = false }: Options) {
    this.page = page
    this.context = context
    this.origin = origin
    this.language = language
    this.keyboard = keyboard
    page.on('console', (message) => {
      // Some tests are about failed requests; everything else a browser calls an error is one.
      if (message.type() === 'error' && !/Failed to load resource/.test(message.text()))
        this.complaints.push(message.text())
    })
    page.on('pageerror', (error) => this.complaints.push(String(error)))
    page.on('request', (request) => this.requests.push(request.url()))
  }

  static async arrives(chromium: Chromium, world: World, options: Options = {}): Promise<Visitor> {
    const { width = 390, height = 780, language = 'en', dark = false } = options
    const context =
      options.context ??
      (await chromium.newContext({
        viewport: { width, height },
        locale: language === 'no' ? 'nb-NO' : language,
        colorScheme: dark ? 'dark' : 'light',
      }))
    const page = await context.newPage()
    page.setDefaultTimeout(60_000)
    return new Visitor(page, context, world.url.replace('127.0.0.1', 'localhost'), options)
  }

  async open(clinic: Pick<Clinic, 'slug'>, query = ''): Promise<void> {
    await this.page.goto(`${this.origin}/t/${clinic.slug}${query}`)
  }

  /** Agrees on the front page and waits for the first question. */
  async start(): Promise<void> {
    await this.press('.welcome .primary')
    await this.sees(SCREEN)
  }

  question(): Promise<string | null> {
    return this.page
      .locator(QUESTION)
      .first()
      .getAttribute('data-question', { timeout: 5_000 })
      .catch(() => null)
  }

  /** Waits for a page, a card, or a question by its id. */
  async sees(place: string): Promise<void> {
    await this.page.locator(selectorOf(place)).first().waitFor().catch(this.#tellsWhatIsThere)
  }

  /** A wait that was in vain is told with what was on the page instead. */
  readonly #tellsWhatIsThere = async (error: Error): Promise<never> => {
    const text = await this.page.locator('body').innerText({ timeout: 5_000 }).catch(String)
    throw new Error(`${error.message}\nOn the page: ${text.slice(0, 1_000)}\n${this.complaints.join('\n')}`)
  }

  /** Presses a button, with the keyboard when this visitor has nothing else. */
  async press(selector: string): Promise<void> {
    if (!this.keyboard) return this.page.locator(selector).first().click().catch(this.#tellsWhatIsThere)
    await this.tabTo(selector)
    await this.page.keyboard.press('Enter')
  }

  /** Presses Tab until the element has the focus; one that cannot be reached is a fault. */
  async tabTo(selector: string): Promise<void> {
    await this.page.locator(selector).first().waitFor({ state: 'attached' })
    for (let steps = 0; steps < 80; steps++) {
      if (await this.page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector)) return
      await this.page.keyboard.press('Tab')
    }
    throw new Error(`The Tab key does not lead to ${selector}.`)
  }

  async choose(name: string, value: string): Promise<void> {
    const field = `[data-question="${name}"]`
    const selector = `${field} input[value="${value}"]`
    const input = this.page.locator(selector).first()
    if (await input.isChecked()) return
    // What is folded away is opened first.
    const fold = `${field} details:not([open]):has(input[value="${value}"]) > summary`
    if ((await this.page.locator(fold).count()) > 0) await this.press(fold)
    if (!this.keyboard) {
      // An answer that continues at a tap is only selected here: `takes` taps it.
      if (await this.goesOnAtOnce(field)) await input.press('Space')
      else await this.page.locator(`${field} :is(.row, .segment):has(input[value="${value}"])`).first().click()
      return
    }
    if ((await input.getAttribute('type')) === 'checkbox') {
      await this.tabTo(selector)
      await this.page.keyboard.press('Space')
      return
    }
    // Radios are one stop for Tab; the arrows move within. The space bar on the chosen one would continue.
    const group = `${field} input[name="${(await input.getAttribute('name')) ?? name}"]`
    const hasChosen = (await this.page.locator(`${group}:checked`).count()) > 0
    await this.tabTo(hasChosen ? `${group}:checked` : group)
    if (!hasChosen) await this.page.keyboard.press('Space')
    for (let steps = 0; steps < 20 && !(await input.isChecked()); steps++) await this.page.keyboard.press('ArrowDown')
  }

  /** Taps an answer that continues by itself, like someone who has read the question, and waits for what comes next. */
  async takes(name: string, value: string): Promise<void> {
    const before = await this.mark()
    await this.page.waitForTimeout(READING_MS)
    await this.page.locator(`form.ask [data-question="${name}"] .row:has(input[value="${value}"])`).click()
    await this.movesOn(before)
  }

  async goesOnAtOnce(field: string): Promise<boolean> {
    const choices = this.page.locator(`form.ask:not(.edit *) ${field}:is([data-kind="one"], [data-kind="yesno"])`)
    return (await choices.count()) > 0 && (await this.page.locator(QUESTION).count()) === 1
  }

  async write(selector: string, text: string): Promise<void> {
    if (!this.keyboard) return this.page.locator(selector).first().fill(text)
    await this.tabTo(selector)
    await this.page.keyboard.press('ControlOrMeta+a')
    await this.page.keyboard.type(text)
  }

  /** Answers the current question and waits for what comes next. */
  async answer(picks: Picks = {}, sight?: Sight): Promise<string> {
    if (!sight?.question) await this.page.locator(SCREEN).first().waitFor()
    const { question: first, mark } = sight?.question ? sight : await this.look()
    const fields = await this.fields()
    const isAlone = fields.length === 1 && (await this.page.locator('form.ask .unknown').count()) === 0
    const areSigns = fields.every(({ kind }) => kind === 'sign')
    if (areSigns && !fields.some(({ id }) => Object.hasOwn(picks, id))) await this.none()
    else if (isAlone && !areSigns && fields.every((field) => isLeftOut(field, picks)))
      await this.press('.actions-quiet button:last-child')
    else {
      await this.fillIn(picks)
      await this.press('form.ask .primary')
    }
    await this.movesOn(mark)
    return first
  }

  /** Chooses none of the signs on the screen, which continues by itself. */
  async none(): Promise<void> {
    await this.page.waitForTimeout(READING_MS)
    if (!this.keyboard) return this.page.locator('form.ask .row:has(input[value="none"])').click()
    await this.tabTo('form.ask input[value="none"]')
    await this.page.keyboard.press('Space')
  }

  /** Fills in the whole screen without sending it. Answers show and hide follow-ups, so it looks again after each. */
  async fillIn(picks: Picks = {}): Promise<void> {
    const filled = new Set<string>()
    const open = async () => (await this.fields()).find(({ id }) => !filled.has(id))
    for (let field = await open(); field; field = await open()) {
      filled.add(field.id)
      const pick = pickOf(field.id, picks)
      if (field.kind === 'sign') {
        if (pick === null) await this.press(`[data-question="${field.id}"] .sign-unsure`)
        else if (pick !== undefined) await this.choose(field.id, 'true')
      } else if (!isLeftOut(field, picks)) await this.fill(field.id, field.kind, pick ?? undefined)
      else if (field.kind !== 'text') await this.press(`[data-question="${field.id}"] .unknown`)
    }
  }

  /** The questions on the screen. */
  fields(): Promise<Field[]> {
    return this.page
      .locator(QUESTION)
      .evaluateAll((all) =>
        all.map((one) => ({ id: one.getAttribute('data-question') ?? '', kind: one.getAttribute('data-kind') ?? '' })),
      )
  }

  async fill(id: string, kind: string, pick: string | readonly string[] | undefined): Promise<void> {
    const one = typeof pick === 'string' ? pick : pick?.[0]
    if (kind === 'many' || kind === 'complaints') {
      if (kind === 'complaints' && pick === undefined) {
        if ((await this.page.locator(`[data-question="${id}"] input:checked`).count()) === 0)
          await this.choose(id, 'general')
        return
      }
      for (const value of typeof pick === 'string' ? [pick] : (pick ?? ['none'])) await this.choose(id, value)
    } else if (kind === 'one') {
      await this.choose(id, one ?? (await this.calmest(id)))
    } else if (kind === 'yesno') await this.choose(id, one ?? 'false')
    else if (kind === 'scale') await this.choose(id, one ?? '2')
    else if (kind === 'number' || kind === 'duration') {
      const [amount = '2', unit] = (one ?? (id === 'age' ? '40' : kind === 'duration' ? '2 days' : '37')).split(' ')
      await this.write(`[data-question="${id}"] .field.number`, amount)
      if (unit) await this.choose(id, unit)
    } else if (kind === 'date') await this.page.locator(`[data-question="${id}"] .field.date`).fill(one ?? '2026-11-16')
    else if (kind === 'text') await this.write(`[data-question="${id}"] textarea`, one ?? '')
  }

  async calmest(id: string): Promise<string> {
    const values = await this.page
      .locator(`[data-question="${id}"] .control input`)
      .evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value))
    return (
      ['no', 'normal', 'better', 'same', 'self', 'regular'].find((value) => values.includes(value)) ?? values[0] ?? ''
    )
  }

  /** What is on the page now, read at once; `place` is a page, a card, or a question by its id. */
  async look(place = ''): Promise<Sight> {
    return this.page.evaluate(
      ([wanted, asking]) => {
        const form = document.querySelector<HTMLElement>(asking)
        const screen = form?.dataset.screen ?? ''
        const isShown = (selector: string) => document.querySelector(selector) !== null
        const cards = ['alarm', 'warning', 'review', 'result', 'notice-page', 'takeover']
        const rows = document.querySelectorAll('.ledger-row').length
        return {
          isThere: wanted !== '' && isShown(wanted),
          question: screen.split(' ')[0] ?? '',
          card: ['.alarm[role]', '.warning', '.review'].find(isShown) ?? null,
          mark: [screen, ...cards.filter((name) => isShown(`.${name}`)), rows].join(' '),
        }
      },
      [place && selectorOf(place), SCREEN] as const,
    )
  }

  /** A fingerprint of the page, to notice changes. */
  async mark(): Promise<string> {
    return (await this.look()).mark
  }

  async movesOn(before: string): Promise<void> {
    await eventually(() => this.mark()).not.toBe(before)
  }

  /** Answers until a place is reached: a page, a card, or a question by its id; returns what was asked. Dismisses cards. */
  async goes(to: string, picks: Picks = {}): Promise<string[]> {
    const asked: string[] = []
    for (let steps = 0; steps < 120; steps++) {
      const sight = await this.look(to)
      if (sight.isThere) return asked
      if (sight.card) {
        await this.press(sight.card === '.alarm[role]' ? '.alarm-choices button' : `${sight.card} .primary`)
        await this.movesOn(sight.mark)
      } else if (sight.question) {
        asked.push(...(await this.fields()).map(({ id }) => id))
        await this.answer(picks, sight)
      } else await this.page.waitForTimeout(50)
    }
    throw new Error(`${to} was not reached after ${asked.join(', ')}.`)
  }

  async isAt(place: string): Promise<boolean> {
    return (await this.page.locator(selectorOf(place)).count()) > 0
  }

  async heading(): Promise<string> {
    return (await this.page.locator('h1').first().innerText()).trim()
  }

  /** No violation of WCAG 2.2 A and AA or of good practice on the page as it stands. */
  async isAccessible(): Promise<void> {
    expect(await this.violations()).toEqual([])
  }

  async violations(): Promise<string[]> {
    if (!(await this.page.evaluate(() => 'axe' in window))) await this.page.evaluate(AXE)
    return this.page.evaluate(async () => {
      const { axe } = window as unknown as {
        axe: {
          run: (
            options: object,
          ) => Promise<{ violations: { id: string; nodes: { target: unknown; failureSummary?: string }[] }[] }>
        }
      }
      const { violations } = await axe.run({ resultTypes: ['violations'] })
      return violations.flatMap(({ id, nodes }) =>
        nodes.map((node) => `${id}: ${String(node.target)} ${node.failureSummary ?? ''}`),
      )
    })
  }

  /** Saves a screenshot if FYR_PICTURES names a folder. */
  async picture(name: string): Promise<void> {
    const folder = process.env.FYR_PICTURES
    if (folder) await this.page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
  }

  async leaves(): Promise<void> {
    expect(this.complaints).toEqual([])
    await this.context.close()
  }
}
