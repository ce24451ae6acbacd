import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { namedTests, readHazards } from '../world/named-tests.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

test('every hazard has controls, and every control says what it does and which test shows it', () => {
  const hazards = readHazards(ROOT)
  expect(hazards.length).toBeGreaterThan(5)
  for (const { id, harm, controls } of hazards) {
    expect(harm, id).toMatch(/\.$/)
    expect(controls.length, id).toBeGreaterThan(0)
    for (const { does, test } of controls) {
      expect(does, id).toMatch(/\.$/)
      expect(test, `${id}: ${does}`).toBeTruthy()
    }
  }
})

test('what documents name is a file that a run takes up', () => {
  for (const { by, file } of namedTests(ROOT)) {
    expect(existsSync(join(ROOT, file)), `${by}: ${file}`).toBe(true)
    expect(file, by).toMatch(/^(src|test|web)\/.*\.test\.ts$/)
  }
})
