import { defineConfig } from 'vitest/config'
import base from './vitest.config.ts'

/** The slow sweeps: every step, every index, ten thousand times. `npm test` runs a slice of each. */
export default defineConfig({
  // Not merged: merging would add to the lists, and the base excludes these very files.
  test: {
    ...base.test,
    include: ['**/*.long.test.ts'],
    exclude: ['**/node_modules/**'],
    testTimeout: 1_800_000,
  },
})
