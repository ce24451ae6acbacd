import type { Page } from 'playwright-core'
import type { AskedQuestion, Level, Value } from '../src/engine/content.ts'
import type { Content } from '../src/engine/load.ts'
import { answerScreen } from '../src/engine/screens.ts'
import type { QuestionView, SessionView } from '../web/patient/api.ts'
import { personOf } from './play.ts'
import type { Story } from './stories.ts'
import type { Count } from './tap-counts.ts'

/** Longer than the moment in which a tap counts as meant for the screen before. */
const READING_MS = 700
const MOST_SCREENS = 80
const QUESTIONS = 'form.ask[data-screen]'
const PLACES = ['.welcome', QUESTIONS, '.alarm[role]', '.warning', '.review', '.result']

type Given = { question: AskedQuestion; value: Value }

/** Someone with a story in front of the patient's page, who taps and types as little as the page allows. */
export class Tapper {
  readonly count: Count = { taps: 0, entries: 0, screens: 0 }
  readonly page: Page
  readonly content: Content
  readonly story: Story
  readonly says: (question: AskedQuestion) => Value | undefined

  constructor(page: Page, content: Content, story: Story) {
    this.page = page
    this.content = content
    this.story = story
    this.says = personOf(content, story)
  }

  /** From the first page to the outcome. Whoever is told to call puts the card aside and answers on. */
  async reachesOutcome(address: string): Promise<Level | null> {
    await this.page.goto(address)
    let before = ''
    for (; this.count.screens < MOST_SCREENS; this.count.screens++) {
      const { place, mark } = await this.movesOn(before)
      await this.picture()
      if (place === '.result') return levelOf(await this.view())
      if (place === QUESTIONS) await this.answer()
      else await this.tap(place === '.alarm[role]' ? '.alarm-choices button' : `${place} .primary`)
      before = mark
    }
    throw new Error(`The interview of ${this.story.id} does not end.`)
  }

  /** Answers all questions of the screen from the story. */
  async answer(): Promise<void> {
    const { step } = await this.view()
    const asked = (step.kind === 'ask' ? step.questions : []).map((question) => this.asked(question))
    const given = answerScreen(asked, (question) => this.says(question) ?? null).map(
      ({ question: id, value }): Given => ({ question: this.found(asked, id), value }),
    )
    await this.page.waitForTimeout(READING_MS)
    await this.correct(asked.filter(({ proposal }) => proposal))
    if (given.every(({ question, value }) => question.kind === 'sign' && value === false))
      return this.tap(`${QUESTIONS} .row:has(input[value="none"])`) // goes on by itself
    const [only] = given
    const isAlone = given.length === 1 && asked.length === 1
    if (isAlone && only?.question.kind !== 'photo' && isLeftOut(only?.value))
      return this.tap(`${QUESTIONS} .actions-quiet button:last-child`)
    for (const { question, value } of given) await this.give(question, value)
    const wentOn = given.length === 1 && only !== undefined && ['one', 'yesno'].includes(only.question.kind)
    if (!wentOn) await this.tap(`${QUESTIONS} .primary`)
  }

  /** Takes back what was heard wrongly; what was heard rightly costs no tap. */
  async correct(proposed: readonly AskedQuestion[]): Promise<void> {
    for (const question of proposed) {
      if (JSON.stringify(this.says(question)) === JSON.stringify(question.given)) continue
      const row = `[data-proposal="${question.id}"]`
      if ((await this.page.locator(row).count()) > 0) await this.tap(`${row} .proposal-actions button:last-child`)
    }
  }

  async give({ id, kind }: AskedQuestion, value: Value): Promise<void> {
    const field = `[data-question="${id}"]`
    if (kind === 'sign') return value === true ? this.choose(field, 'true') : undefined
    if (kind === 'photo' || (kind === 'text' && isLeftOut(value))) return
    if (value === null) return this.tap(`${field} .unknown`)
    if (kind === 'complaints') return this.chooseComplaint(field, value)
    if (Array.isArray(value)) {
      for (const option of value) await this.choose(field, option)
    } else if (typeof value === 'object') {
      if (!('unit' in value)) throw new Error(`${id} is no duration.`)
      await this.enter(`${field} .field`, String(value.amount))
      await this.choose(field, value.unit)
    } else if (kind === 'number' || kind === 'text' || kind === 'date')
      await this.enter(`${field} .field`, String(value))
    else await this.choose(field, String(value))
  }

  /** The complaint may be chosen beforehand, proposed, or found in its family. */
  async chooseComplaint(field: string, value: Value): Promise<void> {
    const wanted = Array.isArray(value) ? value : []
    for (const other of await this.page.locator(`${field} input:checked`).all()) {
      const chosen = await other.inputValue()
      if (!wanted.includes(chosen)) await this.tap(rowOf(field, chosen))
    }
    for (const complaint of wanted) await this.choose(field, complaint)
  }

  async choose(field: string, value: string): Promise<void> {
    const row = rowOf(field, value)
    const input = this.page.locator(`${row} input`).first()
    await input.waitFor({ state: 'attached' })
    // A single choice may be chosen beforehand, and is then tapped to go on.
    if ((await input.isChecked()) && (await input.getAttribute('type')) === 'checkbox') return
    // What is folded away is opened first, from the outside in.
    const fold = `${field} details:not([open]):has(input[value="${value}"]) > summary`
    while ((await this.page.locator(fold).count()) > 0) await this.tap(fold)
    await this.tap(row)
  }

  async tap(selector: string): Promise<void> {
    await this.page.locator(selector).first().click()
    this.count.taps++
  }

  async enter(selector: string, text: string): Promise<void> {
    await this.page.locator(selector).first().fill(text)
    this.count.entries++
  }

  /** Waits for another screen than the one before. */
  async movesOn(before: string): Promise<{ place: string; mark: string }> {
    const seen = await this.page.waitForFunction(
      ([places, last]) => {
        const place = places.findLast((one) => document.querySelector(one) !== null)
        const screen = document.querySelector<HTMLElement>('form.ask')?.dataset.screen
        const mark = [place, screen, document.querySelectorAll('.ledger-row').length].join(' ')
        return place !== undefined && mark !== last && { place, mark }
      },
      [PLACES, before] as const,
    )
    const there = await seen.jsonValue()
    if (there === false) throw new Error(`${this.story.id} does not move on from ${before}.`)
    return there
  }

  /** The session as the page has it. */
  view(): Promise<SessionView> {
    return this.page.evaluate(async () => (await fetch('/api/triage/v1/session')).json())
  }

  /** A question of the page as the engine asks it. */
  asked({ id, options, given, proposal }: QuestionView): AskedQuestion {
    const question = this.content.questions[this.content.slotOf.get(id) ?? -1]?.question
    if (!question) throw new Error(`The page asks ${id}, which is not in the content.`)
    return {
      ...question,
      ...(options && { offered: options.map((option) => option.id) }),
      ...(given !== undefined && { given }),
      ...(proposal && { proposal: { from: proposal.from, value: given ?? null } }),
    }
  }

  found(asked: readonly AskedQuestion[], id: string): AskedQuestion {
    const question = asked.find((one) => one.id === id)
    if (!question) throw new Error(`${id} is not on the screen.`)
    return question
  }

  /** Saves a screenshot if FYR_PICTURES names a folder. */
  async picture(): Promise<void> {
    const folder = process.env.FYR_PICTURES
    const number = String(this.count.screens).padStart(2, '0')
    if (folder) await this.page.screenshot({ path: `${folder}/${this.story.id}-${number}.png` })
  }
}

/** Nobody writes that they have nothing to write. */
const isLeftOut = (value: Value | undefined): boolean => value === null || value === '' || value === 'No'

const rowOf = (field: string, value: string): string => `${field} :is(.row, .segment):has(input[value="${value}"])`

const levelOf = ({ step }: SessionView): Level | null => (step.kind === 'outcome' ? step.outcome.level : null)
