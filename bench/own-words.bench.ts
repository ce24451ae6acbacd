import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chance } from '../src/engine/check/simulated-patients.ts'
import { compileContent } from '../src/engine/compile/release.ts'
import { LANGUAGES, type Language } from '../src/engine/content.ts'
import { readContentFolder } from '../src/store/content/content-files.ts'
import type { Job, Report } from './hearing.ts'
import { median, type Row } from './rows.ts'

const FOLDER = new URL('../content', import.meta.url).pathname
const LETTERS = 2000
/** Twice as many are read as are counted. */
const TEXTS = 400

/**
 * How long it takes to hear what a long text tells, and to take up the readers when the first text comes. Measured as a
 * service works: one process loads the compiled release and hears the texts of one language after another, each of
 * them once. Nothing is prepared beforehand: the first text of a language waits for its reader. The first half of its
 * texts are not counted; from them the process knows the words that people use most, as a service does from the
 * patients before, while those of the other half that it meets for the first time it has to work out.
 */
export async function ownWordsBench(): Promise<Row[]> {
  const texts = new Map(
    await Promise.all(LANGUAGES.map(async (language) => [language, await textsIn(language)] as const)),
  )
  const times = await heard([...texts].flatMap(([language, all]) => all.map((text) => ({ language, text }))))
  let from = 0
  return [...texts].flatMap(([language, { length }]) => {
    const own = times.slice(from, from + length)
    from += length
    return [
      row(`the first text in ${language}: its reader is taken up`, own[0] ?? 0, 200),
      row(`hearing ${LETTERS} letters in ${language}, median`, median(own.slice(length / 2)), 2),
    ]
  })
}

/** The release is compiled here and the texts are put together here: neither is work of the process that hears them. */
async function heard(texts: Job['texts']): Promise<number[]> {
  const folder = await mkdtemp(join(tmpdir(), 'fyr-bench-'))
  try {
    const releaseFile = join(folder, 'release.json')
    await writeFile(releaseFile, JSON.stringify(compileContent(await readContentFolder(FOLDER))))
    const process = fork(new URL('hearing.ts', import.meta.url).pathname, { stdio: 'inherit' })
    const ended = once(process, 'exit').then(([code]) => {
      throw new Error(`The process that hears the texts ended with ${code}.`)
    })
    process.send({ releaseFile, texts } satisfies Job)
    const [{ times }]: [Report] = await Promise.race([once(process, 'message') as Promise<[Report]>, ended])
    ended.catch(() => undefined)
    return times
  } finally {
    await rm(folder, { recursive: true })
  }
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
  value: Math.round(value * 100) / 100,
  unit: 'ms',
  bar,
  atMost: true,
})
