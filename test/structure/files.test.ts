import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { settingsTable } from '../../src/cli/settings.ts'
import { QUESTION_KINDS } from '../../src/engine/content.ts'
import { KINDS } from '../../src/engine/kinds.ts'
import { EVENT_TYPES, EVENTS } from '../../src/store/webhooks/events.ts'
import { VERSION } from '../../src/version.ts'
import { sourcesBelow } from './sources.ts'

const LONGEST = 400
const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const sources = sourcesBelow('src', 'test', 'bench', 'scripts', 'bin', 'web', 'examples')

test(`no file has more than ${LONGEST} lines`, () => {
  const long = sources.filter(({ text }) => text.split('\n').length > LONGEST + 1)
  expect(long.map(({ path, text }) => `${path}: ${text.split('\n').length}`)).toEqual([])
})

test('no folder is a drawer for odds and ends', () => {
  const drawers = sources.filter(({ path }) => /(^|\/)(utils?|helpers?|common|types|misc|lib)\//.test(path))
  expect(drawers.map(({ path }) => path)).toEqual([])
})

test('nothing is left for later in the code', () => {
  const marks = new RegExp(`\\b(${['TO', 'DO'].join('')}|${['FIX', 'ME'].join('')}|${['X', 'XX'].join('')})\\b`)
  expect(sources.filter(({ text }) => marks.test(text)).map(({ path }) => path)).toEqual([])
})

test('the version is the package’s', () => {
  expect(VERSION).toBe(JSON.parse(read('package.json')).version)
})

test('every kind of question an author can use is in the documentation', () => {
  const kinds = QUESTION_KINDS.filter((kind) => KINDS[kind].texts !== 'complaint')
  for (const kind of kinds) expect(read('docs/content.md')).toContain(`\n| \`${kind}\` | `)
})

test('the events in the documentation are those of the table', () => {
  const rows = EVENT_TYPES.map((type) => {
    const { description, data } = EVENTS[type]
    const fields = Object.keys(data.properties).map((field) => `\`${field}\``)
    return `| \`${type}\` | ${description} | ${fields.join(', ') || 'nothing'} |`
  })
  expect(read('docs/webhooks.md')).toContain(['| Type | Means | `data` |', '|---|---|---|', ...rows, ''].join('\n'))
})

test('the table of settings in the documentation is printed from the schema', () => {
  expect(read('docs/operations.md')).toContain(settingsTable())
})
