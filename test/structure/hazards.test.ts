import { existsSync, readFileSync } from 'node:fs'
import { load } from 'js-yaml'
import { expect, test } from 'vitest'

type Hazards = { hazards: { id: string; controls: { does: string; file: string; test?: string }[] }[] }

test('every control of every hazard names a file that exists, and a test in it', () => {
  const { hazards } = load(readFileSync('safety/hazards.yaml', 'utf8')) as Hazards
  expect(hazards.length).toBeGreaterThan(5)
  for (const { id, controls } of hazards) {
    expect(controls.length, id).toBeGreaterThan(0)
    for (const { file, test: name } of controls) {
      expect(existsSync(file), `${id}: ${file}`).toBe(true)
      if (name) expect(readFileSync(file, 'utf8'), `${id}: ${name}`).toContain(name)
    }
  }
})
