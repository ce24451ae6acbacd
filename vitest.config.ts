import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'web/**/*.test.ts'],
    exclude: ['**/*.long.test.ts', '**/node_modules/**'],
    globalSetup: ['test/world/database.ts'],
    reporters: ['default', './test/world/ran-and-passed.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    pool: 'forks',
  },
})
