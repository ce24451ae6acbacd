import { defineConfig, mergeConfig } from 'vitest/config'
import base from './vitest.config.ts'

/** The slow sweeps: every step, every index, ten thousand times. `npm test` runs a slice of each. */
export default mergeConfig(
  base,
  defineConfig({ test: { include: ['**/*.long.test.ts'], exclude: ['**/node_modules/**'], testTimeout: 1_800_000 } }),
)
