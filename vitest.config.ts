import { globSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { findBrowser } from './scripts/browser.mjs'

const BROWSER_TESTS = 'test/web/{patient,clinician}/*.test.ts'
const browser = await findBrowser()

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'web/**/*.test.ts'],
    exclude: ['**/*.long.test.ts', '**/node_modules/**', ...(browser ? [] : [BROWSER_TESTS])],
    globalSetup: ['test/world/database.ts', 'test/world/browser.ts'],
    reporters: ['default', './test/world/ran-and-passed.ts'],
    provide: { browser, browserTests: globSync(BROWSER_TESTS).length },
    // What the tests start is read from the cache of the last time.
    env: { NODE_COMPILE_CACHE: new URL('node_modules/.cache/compile', import.meta.url).pathname },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    pool: 'forks',
    // Files share what they import, a browser included; every world has its own database, port and log all the same.
    isolate: false,
  },
})
