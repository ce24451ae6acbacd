import { defineConfig } from 'vitest/config'
import base from './vitest.config.ts'

/** Tests of `npm test` that try as much as they are told to. */
const PROPERTIES = ['src/engine/conditions/same-meaning.test.ts', 'src/engine/deciding/findings.test.ts']

/** The slow sweeps: every step, every index, ten thousand times. `npm test` runs a slice of each. */
export default defineConfig({
  // Not merged: merging would add to the lists, and the base excludes these very files.
  test: {
    ...base.test,
    include: ['**/*.long.test.ts', ...PROPERTIES],
    env: { ...base.test?.env, SWEEP: '20' },
    exclude: ['**/node_modules/**'],
    testTimeout: 1_800_000,
  },
})
