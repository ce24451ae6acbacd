import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium } from 'playwright-core'
import { findBrowser } from '../../scripts/browser.mjs'

export type Chromium = {
  /** A fresh browser of its own: cookies, storage and language are nobody else's. */
  newContext: (
    options?: Parameters<Awaited<ReturnType<typeof chromium.launch>>['newContext']>[0],
  ) => Promise<BrowserContext>
  close: () => Promise<void>
}

/** Nothing a browser does by itself may reach out; what it enforces stays switched on, or every security test would be void. */
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

/** Starts a real Chromium: the one that comes with the packages, or one that is installed. */
export async function launchChromium(): Promise<Chromium> {
  const executablePath = await findBrowser()
  if (!executablePath || !existsSync(executablePath))
    throw new Error('No Chromium was found. Install one (Debian: apt-get install chromium) or name it in CHROMIUM.')
  const folder = mkdtempSync(join(tmpdir(), 'fyr-chromium-'))
  const browser = await chromium.launch({
    executablePath,
    args: QUIET,
    headless: true,
    env: { ...process.env, TMPDIR: folder, HOME: folder, XDG_CONFIG_HOME: folder, XDG_CACHE_HOME: folder },
  })
  return {
    newContext: (options) => browser.newContext({ reducedMotion: 'reduce', ...options }),
    close: async () => {
      await browser.close()
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
