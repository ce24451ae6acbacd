import { globSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { findBrowser } from './scripts/browser.mjs'
import { SlowFirst } from './test/world/slow-first.ts'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'web/**/*.test.ts'],
    exclude: ['**/*.long.test.ts', '**/node_modules/**'],
    globalSetup: ['test/world/bundle.ts', 'test/world/database.ts', 'test/world/without-browser.ts'],
    reporters: ['default', './test/world/ran-and-passed.ts'],
    provide: {
      browser: await findBrowser(),
      browserTests: globSync('test/web/{patient,clinician,pages}/*.test.ts').length,
    },
    tags: [
      { name: 'thorough', description: 'a whole file that runs long: `npm run test:thorough`' },
      { name: 'slice', description: 'of such a file, and in `npm test` all the same' },
    ],
    env: {
      // What the tests start is read from the cache of the last time.
      NODE_COMPILE_CACHE: new URL('node_modules/.cache/compile', import.meta.url).pathname,
      // And speaks without colours, also where `CI` asks for them.
      NO_COLOR: '1',
    },
    // Generous: on a busy machine a wait may be long, and only what never comes about is a fault.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 40_000 } },
    maxWorkers: 6, // on two cores: many tests wait for something
    pool: 'forks',
    sequence: { sequencer: SlowFirst },
    // Files share what they import, a browser included; every world has its own database, port and log all the same.
    isolate: false,
  },
})
