import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { runBenches } from '../../bench/benches.ts'

let folder: string
let said: string[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fyr-benches-'))
  said = []
  vi.spyOn(console, 'log').mockImplementation((...words) => void said.push(words.join(' ')))
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true, force: true })
})

const bench = (name: string, body: string) =>
  writeFileSync(join(folder, `${name}.bench.ts`), `export async function rows(leaveOut) { ${body} }\n`)
const run = (...named: string[]) => runBenches(pathToFileURL(`${folder}/`), named)
const measured = () => JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8')).results

test('a bench that fails loses nothing of the others and is told in one line; what lacks something keeps the rest', async () => {
  writeFileSync(join(folder, 'results.json'), '{"results":{"b":{"load":[0,0,0],"rows":[{"name":"of last time"}]}}}')
  bench('a', `return [{ name: 'first', value: 1, unit: 'ms' }]`)
  bench('b', `throw new Error('The receiver\\n did not start.')`)
  bench('c', `leaveOut('the phone needs a browser.'); return [{ name: 'third', value: 3, unit: 'ms' }]`)
  expect(await run()).toBe(false)
  expect(measured()).toMatchObject({
    a: { rows: [{ name: 'first' }] },
    b: { rows: [{ name: 'of last time' }] },
    c: { rows: [{ name: 'third' }] },
  })
  expect(said.at(-1)).toBe(
    'Not everything was measured:\nb failed: The receiver did not start.\nc: the phone needs a browser.',
  )
})

test('each figure says on which machine it was measured, and keeps that when another machine measures something else', async () => {
  const elsewhere = { cores: 64, model: 'another', memoryGiB: 1, node: 'v1' }
  const kept = { machine: elsewhere, load: [0, 0, 0], rows: [{ name: 'of last time' }] }
  writeFileSync(join(folder, 'results.json'), JSON.stringify({ results: { b: kept } }))
  bench('a', `return [{ name: 'first', value: 1, unit: 'ms' }]`)
  expect(await run('a')).toBe(true)
  expect(measured().a.machine.node).toBe(process.version)
  expect(measured().b).toEqual(kept)
})

test('what is measured is on disk before the next bench begins', async () => {
  bench('a', `return [{ name: 'first', value: 1, unit: 'ms' }]`)
  bench(
    'b',
    `const { readFileSync } = await import('node:fs')
     return [{ name: readFileSync(${JSON.stringify(join(folder, 'results.json'))}, 'utf8').includes('first') ? 'there' : 'lost', value: 1, unit: '' }]`,
  )
  expect(await run()).toBe(true)
  expect(measured().b.rows[0].name).toBe('there')
  expect(await run('b')).toBe(true)
  expect(Object.keys(measured())).toEqual(['a', 'b'])
})
