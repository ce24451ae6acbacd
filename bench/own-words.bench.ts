import { readFile } from 'node:fs/promises'
import { compileContent } from '../src/engine/compile/release.ts'
import { type CompiledRelease, LANGUAGES } from '../src/engine/content.ts'
import { hear } from '../src/engine/own-words/hear.ts'
import { readContentFolder } from '../src/store/content/content-files.ts'
import type { Row } from './rows.ts'

const FOLDER = new URL('../content', import.meta.url).pathname
const LETTERS = 2000
const TIMES = 200

/** How long it takes to hear what a long text tells, and to take up the readers when the first text comes. */
export async function ownWordsBench(): Promise<Row[]> {
  const release = JSON.stringify(compileContent(await readContentFolder(FOLDER)))
  const rows: Row[] = []
  for (const language of LANGUAGES) {
    const lines = (await readFile(`${FOLDER}/own-words/${language}/harmless.txt`, 'utf8')).split('\n')
    const text = lines.join('. ').slice(0, LETTERS)
    const loaded: CompiledRelease = JSON.parse(release)
    const start = performance.now()
    hear(loaded, text, language, () => true)
    rows.push(row(`the first text in ${language}: its reader is taken up`, performance.now() - start, 200))
    for (let run = 0; run < TIMES; run++) hear(loaded, text, language, () => true)
    const times: number[] = []
    for (let run = 0; run < TIMES; run++) {
      const at = performance.now()
      hear(loaded, text, language, () => true)
      times.push(performance.now() - at)
    }
    times.sort((a, b) => a - b)
    rows.push(row(`hearing ${LETTERS} letters in ${language}, median`, times[TIMES / 2] ?? 0, 2))
  }
  return rows
}

const row = (name: string, value: number, bar: number): Row => ({
  name,
  value: Math.round(value * 10) / 10,
  unit: 'ms',
  bar,
  atMost: true,
})
