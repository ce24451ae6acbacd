import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { chromium, type Page } from 'playwright-core'
import { findBrowser, NO_BROWSER } from '../scripts/browser.mjs'
import { type LeaveOut, median, type Row } from './rows.ts'
import { setStage } from './stage.ts'

const RUNS = 5
/** A phone on slow 4G: what Lighthouse calls its mobile profile. */
const SLOW_4G = { latency: 150, downloadThroughput: (1.6 * 1024 * 1024) / 8, uploadThroughput: (750 * 1024) / 8 }
const CPU_SLOWDOWN = 4

/** The patient's page: its weight, how soon it can be used on a slow phone, and Lighthouse if `npm run bench:web` fetched it. */
export async function rows(leaveOut: LeaveOut): Promise<Row[]> {
  const browser = await findBrowser()
  if (!browser) leaveOut(`how soon the page can be used was not measured: ${NO_BROWSER}.`)
  const stage = await setStage()
  const address = `http://localhost:${stage.port}/t/demo`
  try {
    const light = await weight(address)
    if (!browser) return [light]
    return [light, ...(await onASlowPhone(address, browser)), ...lighthouse(address, browser, leaveOut)]
  } finally {
    await stage.strike()
  }
}

async function weight(address: string): Promise<Row> {
  const html = await (await fetch(address)).text()
  const files = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => new URL(path, address))
  const bodies = await Promise.all(files.map(async (url) => Buffer.from(await (await fetch(url)).arrayBuffer())))
  const bytes = [Buffer.from(html), ...bodies].reduce((sum, body) => sum + gzipSync(body, { level: 9 }).length, 0)
  return { name: 'HTML + CSS + JS, gzipped', value: bytes / 1024, unit: 'kB', bar: 60, atMost: true }
}

async function onASlowPhone(address: string, executablePath: string): Promise<Row[]> {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  const [opened, asked, shifts]: [number[], number[], number[]] = [[], [], []]
  for (let run = 0; run < RUNS; run++) {
    const context = await browser.newContext({ viewport: { width: 390, height: 780 }, locale: 'en' })
    const page = await context.newPage()
    await throttle(page)
    const start = performance.now()
    await page.goto(address)
    await page.locator('.welcome .primary').waitFor()
    opened.push(performance.now() - start)
    const pressed = performance.now()
    await page.locator('.welcome .primary').click()
    await page.locator('form.ask .row').first().waitFor()
    asked.push(performance.now() - pressed)
    shifts.push(await layoutShift(page))
    await context.close()
  }
  await browser.close()
  const note = `slow 4G, CPU ÷ ${CPU_SLOWDOWN}, median of ${RUNS}`
  return [
    { name: 'front page usable', value: median(opened), unit: 'ms', note },
    { name: 'from “start” to the first question', value: median(asked), unit: 'ms', bar: 1_000, atMost: true, note },
    { name: 'layout shift', value: Math.max(...shifts), unit: '', bar: 0.01, atMost: true, note: 'the worst run' },
  ]
}

async function throttle(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', { offline: false, ...SLOW_4G })
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
}

function layoutShift(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((done) => {
        let sum = 0
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
            if (!entry.hadRecentInput) sum += entry.value
        }).observe({ type: 'layout-shift', buffered: true })
        setTimeout(() => done(sum), 300)
      }),
  )
}

const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const

/** Lighthouse is large, so only the command that needs it fetches it. */
function lighthouse(address: string, executablePath: string, leaveOut: LeaveOut): Row[] {
  if (spawnSync('lighthouse', ['--version'], { stdio: 'ignore' }).status !== 0) {
    console.log('Without Lighthouse, which `npm run bench:web` brings along.')
    return []
  }
  const folder = mkdtempSync(join(tmpdir(), 'fyr-lighthouse-'))
  const file = join(folder, 'report.json')
  const args = [
    address,
    '--quiet',
    '--output=json',
    `--output-path=${file}`,
    `--only-categories=${CATEGORIES.join(',')}`,
  ]
  const ran = spawnSync('lighthouse', [...args, '--chrome-flags=--headless=new --no-sandbox'], {
    env: { ...process.env, CHROME_PATH: executablePath },
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  try {
    if (ran.status !== 0) {
      leaveOut('Lighthouse could not judge the page.')
      return []
    }
    const { categories } = JSON.parse(readFileSync(file, 'utf8')) as { categories: Record<string, { score: number }> }
    return CATEGORIES.map((name) => ({
      name: `Lighthouse ${name}, mobile`,
      value: Math.round((categories[name]?.score ?? 0) * 100),
      unit: 'of 100',
      bar: 95,
    }))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
