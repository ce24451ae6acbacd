import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium } from 'playwright-core'
import { inject, test as testAnywhere } from 'vitest'
import { NO_BROWSER } from '../../scripts/browser.mjs'

export type Chromium = {
  /** A fresh browser context: it shares no cookies, storage or language. */
  newContext: (options?: Parameters<Browser['newContext']>[0]) => Promise<BrowserContext>
  close: () => Promise<void>
}

/** Nothing a browser does by itself may reach the network; its protections stay on, or every security test would be void. */
const QUIET = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-sync',
  '--disable-domain-reliability',
  '--no-first-run',
  '--no-default-browser-check',
  '--metrics-recording-only',
  '--no-pings',
]

/** A test in this browser; skipped where there is none, and the run says so. */
export const test = testAnywhere.skipIf(inject('browser') === null)

let started: Promise<Browser> | null = null

/** A real Chromium, started for the first file that needs it and kept for the next ones; each file has its own contexts. */
export async function launchChromium(): Promise<Chromium> {
  started ??= start()
  const browser = await started
  const contexts = new Set<BrowserContext>()
  return {
    newContext: async (options) => {
      const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
      contexts.add(context)
      return context
    },
    close: async () => {
      await Promise.all([...contexts].map((context) => context.close()))
    },
  }
}

async function start(): Promise<Browser> {
  const executablePath = inject('browser')
  if (!executablePath) throw new Error(`This test needs a browser: ${NO_BROWSER}.`)
  const folder = mkdtempSync(join(tmpdir(), 'fyr-chromium-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return chromium.launch({
    executablePath,
    args: QUIET,
    headless: true,
    env: { ...process.env, TMPDIR: folder, HOME: folder, XDG_CONFIG_HOME: folder, XDG_CACHE_HOME: folder },
  })
}
