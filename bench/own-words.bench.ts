import { readdir, readFile } from 'node:fs/promises'
import { chance } from '../src/engine/check/simulated-patients.ts'
import { compileContent } from '../src/engine/compile/release.ts'
import { type CompiledRelease, LANGUAGES, type Language } from '../src/engine/content.ts'
import { hear } from '../src/engine/own-words/hear.ts'
import { readContentFolder } from '../src/store/content/content-files.ts'
import type { Row } from './rows.ts'

const FOLDER = new URL('../content', import.meta.url).pathname
const LETTERS = 2000
/** Twice as many are read as are counted. */
const TEXTS = 400

/** How long it takes to hear what a long text tells, never the same twice, and to take up the readers when the first text comes. */
export async function ownWordsBench(): Promise<Row[]> {
  const release = JSON.stringify(compileContent(await readContentFolder(FOLDER)))
  const rows: Row[] = []
  for (const language of LANGUAGES) {
    const texts = await textsIn(language)
    const loaded: CompiledRelease = JSON.parse(release)
    const times = texts.map((text) => {
      const start = performance.now()
      hear(loaded, text, language, () => true)
      return performance.now() - start
    })
    const later = times.slice(times.length / 2).sort((a, b) => a - b)
    rows.push(row(`the first text in ${language}: its reader is taken up`, times[0] ?? 0, 200))
    rows.push(row(`hearing ${LETTERS} letters in ${language}, median`, later[Math.floor(later.length / 2)] ?? 0, 2))
  }
  return rows
}

/** Texts put together of what people wrote, mixed; fewer where that runs out. */
async function textsIn(language: Language): Promise<string[]> {
  const folder = `${FOLDER}/own-words/${language}`
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.txt'))
  const files = await Promise.all(names.sort().map((name) => readFile(`${folder}/${name}`, 'utf8')))
  const lines = files.flatMap((file) => file.split('\n')).map((line, at) => ({ line, order: chance(String(at)) }))
  const mixed = lines.sort((a, b) => a.order - b.order).map(({ line }) => line)
  const all = mixed.join('. ')
  const texts = Array.from({ length: TEXTS }, (_, at) => all.slice(at * LETTERS, (at + 1) * LETTERS))
  return texts.filter(({ length }) => length === LETTERS)
}

const row = (name: string, value: number, bar: number): Row => ({
  name,
  value: Math.round(value * 10) / 10,
  unit: 'ms',
  bar,
  atMost: true,
})
