import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { isLongFile, readPromises } from '../world/named-tests.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const promises = readPromises(ROOT)

/** What is promised and not, or not wholly, shown yet. This list only ever gets shorter. */
const NOT_SHOWN_YET: string[] = []

/** Ids are stable: a promise that is taken back leaves a gap. */
const numbered = (letter: string, last: number, digits: number, gaps: readonly number[] = []): string[] =>
  Array.from({ length: last }, (_, at) => at + 1)
    .filter((number) => !gaps.includes(number))
    .map((number) => `${letter}${String(number).padStart(digits, '0')}`)

test('every promise is there once, in order, as one or two plain sentences', () => {
  expect(promises.map(({ id }) => id)).toEqual([
    ...numbered('F', 41, 2, [34]),
    ...numbered('B', 30, 2, [22]),
    ...numbered('A', 58, 2, [38]),
    ...numbered('I', 8, 1),
  ])
  for (const { id, promise } of promises) expect(promise, id).toMatch(/^[A-Z].*[a-z0-9]\.$/)
})

test('every promise names tests that show it; what is not shown yet is listed, and nothing else is', () => {
  expect(promises.filter(({ missing }) => missing).map(({ id }) => id)).toEqual(NOT_SHOWN_YET)
  for (const { id, tests = {}, missing } of promises) {
    expect(Object.values(tests).flat().length > 0 || missing !== undefined, id).toBe(true)
    for (const names of Object.values(tests)) expect(new Set(names).size, id).toBe(names.length)
  }
})

test('a slow sweep that is named is in its file, and so is a bench', () => {
  for (const { id, tests = {}, bench } of promises) {
    if (bench) expect(existsSync(join(ROOT, bench)), `${id}: ${bench}`).toBe(true)
    for (const [file, names] of Object.entries(tests).filter(([file]) => isLongFile(file)))
      for (const part of names.flatMap((name) => name.split(/…| › /)))
        expect(readFileSync(join(ROOT, file), 'utf8'), `${id}: ${file}`).toContain(part)
  }
})

test('docs/promises.md is printed from the list', () => {
  const { status, stderr } = spawnSync('node', ['scripts/promises.ts', '--check'], { cwd: ROOT, encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})
