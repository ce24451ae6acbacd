// Taps through the patient's page in a browser as the people of the stories in taps.json, and counts: `npm run evaluate:taps`.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { findBrowser, NO_BROWSER } from '../scripts/browser.mjs'
import { compileContent } from '../src/engine/compile/release.ts'
import { loadContent } from '../src/engine/load.ts'
import { readContentFolder } from '../src/store/content/content-files.ts'
import { readStories, type Story } from './stories.ts'
import { type Count, readTapCounts, tapsTable, writeTapCounts } from './tap-counts.ts'
import { Tapper } from './tapping.ts'

const PHONE = { viewport: { width: 390, height: 780 }, locale: 'en', reducedMotion: 'reduce' } as const

const content = loadContent(compileContent(await readContentFolder(new URL('../content', import.meta.url).pathname)))
const stories = readStories(content.release)
const counts = readTapCounts(stories)
const executablePath = await findBrowser()
if (!executablePath) throw new Error(`Taps are counted in a browser: ${NO_BROWSER}.`)

const folder = mkdtempSync(join(tmpdir(), 'fyr-taps-'))
const service = spawn(process.execPath, ['src/main.ts'], {
  env: {
    ...process.env,
    PORT: '0',
    METRICS_PORT: '0',
    PROCESSES: '1',
    DATA_DIR: join(folder, 'data'),
    DATABASE_URL: '',
    REQUESTS_PER_SECOND_PER_USER: '0',
  },
  stdio: ['ignore', 'pipe', 'inherit'],
})
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
try {
  const address = `http://localhost:${await portOf(service)}/t/demo?lang=en`
  const counted: Count[] = []
  for (const { story: id } of counts.stories) {
    const story = stories.find((one) => one.id === id)
    if (story) counted.push(await countOf(story, address))
  }
  const measured = {
    ...counts,
    stories: counts.stories.map((one, at) => ({ ...one, after: counted[at] ?? one.after })),
  }
  writeTapCounts(measured)
  console.log(tapsTable(measured))
} finally {
  await browser.close()
  service.kill('SIGTERM')
  if (service.exitCode === null) await new Promise((done) => service.once('exit', done))
  rmSync(folder, { recursive: true, force: true })
}

/** Each person comes for the first time, with a browser of their own. */
async function countOf(story: Story, address: string): Promise<Count> {
  const context = await browser.newContext(PHONE)
  const tapper = new Tapper(await context.newPage(), content, story)
  const level = await tapper.reachesOutcome(address)
  await context.close()
  console.log(
    `${story.id}: ${level}, ${Object.entries(tapper.count)
      .map(([what, times]) => `${times} ${what}`)
      .join(', ')}`,
  )
  return tapper.count
}

/** The port that the service says it listens on. */
function portOf({ stdout }: ChildProcess): Promise<string> {
  return new Promise((found, failed) => {
    let words = ''
    stdout?.on('data', (chunk) => {
      words += chunk
      const port = /127\.0\.0\.1:(\d+)/.exec(words)?.[1]
      if (port) found(port)
    })
    stdout?.once('end', () => failed(new Error(`The service did not start: ${words}`)))
  })
}
