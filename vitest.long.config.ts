import { globSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import base from './vitest.config.ts'

/** Tests of `npm test` that try as much as they are told to, or have variants that only this runs. */
const SWEEPING = globSync('{src,test}/**/*.test.ts').filter((file) =>
  /\b(?:SWEEP|sliceOf)\b/.test(readFileSync(file, 'utf8')),
)

/** The slow sweeps: every step, every index, ten thousand times. `npm test` runs a slice of each. */
export default defineConfig({
  // Not merged: merging would add to the lists, and the base excludes these very files.
  test: {
    ...base.test,
    include: ['**/*.long.test.ts', ...SWEEPING],
    env: { ...base.test?.env, SWEEP: '20' },
    exclude: ['**/node_modules/**'],
    testTimeout: 1_800_000,
  },
})
