import { readFileSync, writeFileSync } from 'node:fs'
import { compileContent } from '../src/engine/compile/release.ts'
import { loadContent } from '../src/engine/load.ts'
import { readContentFolder } from '../src/store/content/content-files.ts'
import { brokenBars, brokenReadings, brokenWays } from './bars.ts'
import { chartOf, complaintsChartOf } from './chart.ts'
import { diagnosesFigures } from './diagnoses.ts'
import { figuresOf } from './figures.ts'
import { ownWordsFigures } from './own-words.ts'
import { pageOf } from './page.ts'
import { readStories } from './stories.ts'
import { readTapCounts } from './tap-counts.ts'

/** Plays every story and prints how it went; `--check` says which bars are broken, and whether docs/evaluation.md is up to date. */
const at = (path: string) => new URL(`../${path}`, import.meta.url).pathname
const content = loadContent(compileContent(await readContentFolder(at('content'))))
const stories = readStories(content.release)
const taps = readTapCounts(stories)
const figures = figuresOf(content, stories)
const diagnoses = diagnosesFigures(content)
const ownWords = ownWordsFigures(content.release)
const page = pageOf(figures, diagnoses, ownWords, taps)
const files = [
  ['docs/evaluation.md', page],
  ['docs/evaluation.svg', chartOf(figures)],
  ['docs/evaluation-complaints.svg', complaintsChartOf(figures)],
] as const
if (process.argv.includes('--check')) {
  const stale = files.filter(([path, text]) => readFileSync(at(path), 'utf8') !== text).map(([path]) => path)
  const problems = [...brokenBars(figures), ...brokenWays(diagnoses), ...brokenReadings(ownWords)]
  if (stale.length > 0)
    problems.push(`${stale.join(' and ')} no longer tell what the stories show: run npm run evaluate.`)
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
} else {
  for (const [path, text] of files) writeFileSync(at(path), text)
  console.log(page)
}
