import { readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, test } from 'vitest'
import { importsOf } from './imports.ts'
import { isTest, sourcesBelow } from './sources.ts'

/** Doors that know nothing of each other: what two of them need lies beside them, in src/http. */
const DOORS = ['src/http/v1', 'src/http/triage', 'src/http/decision-support', 'src/http/pages']
const MOST_FILES = 18
const MOST_FILES_OF_THE_ENGINE = 15
const WORLD = 'test/world'

const doorOf = (path: string): string | undefined => DOORS.find((door) => path.startsWith(`${door}/`))

test('the doors of http import none of each other', () => {
  const wrong = sourcesBelow('src/http')
    .flatMap(importsOf)
    .filter(({ from, to }) => doorOf(from) && doorOf(to) && doorOf(from) !== doorOf(to))
  expect(wrong.map(({ from, to }) => `${from} → ${to}`)).toEqual([])
})

describe('a folder can be taken in at one look', () => {
  const perFolder = Map.groupBy(
    sourcesBelow('src').filter(({ path }) => !isTest(path)),
    ({ path }) => dirname(path),
  )
  const tooFull = (folder: string, most: number) => (perFolder.get(folder)?.length ?? 0) > most

  test(`no folder of src has more than ${MOST_FILES} files`, () => {
    const full = [...perFolder.keys()].filter((folder) => tooFull(folder, MOST_FILES))
    expect(full.map((folder) => `${folder}: ${perFolder.get(folder)?.length}`)).toEqual([])
  })

  test(`the engine has at most ${MOST_FILES_OF_THE_ENGINE} files at its top`, () => {
    expect(perFolder.get('src/engine')?.length).toBeLessThanOrEqual(MOST_FILES_OF_THE_ENGINE)
  })
})

test('what tests of more than one folder, or the benches, use is in test/world', () => {
  const users = new Map<string, Set<string>>()
  const roomOf = (path: string) => path.split('/').slice(0, 2).join('/')
  for (const { from, to, isOurs } of sourcesBelow('test', 'bench', 'scripts').flatMap(importsOf)) {
    if (!isOurs || !to.startsWith('test/') || roomOf(to) === WORLD) continue
    users.set(to, (users.get(to) ?? new Set()).add(roomOf(from)))
  }
  const shared = [...users].filter(([, rooms]) => rooms.size > 1)
  expect(shared.map(([path, rooms]) => `${path}: ${[...rooms].join(', ')}`)).toEqual([])
})

test('migrations are numbered from 0001 without gap or repeat', () => {
  const names = readdirSync(new URL('../../migrations/', import.meta.url)).sort()
  expect(names.filter((name) => !/^\d{4}_[a-z_]+\.sql$/.test(name))).toEqual([])
  expect(names.map((name) => Number(name.slice(0, 4)))).toEqual(names.map((_name, at) => at + 1))
})
