import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { runCase } from '../src/engine/check/run-case.ts'
import { chance } from '../src/engine/check/simulated-patients.ts'
import { compileCases, type WorkedCase } from '../src/engine/compile/cases.ts'
import type { ContentFile } from '../src/engine/compile/document.ts'
import { compileContent } from '../src/engine/compile/release.ts'
import type { Answer } from '../src/engine/content.ts'
import { interview } from '../src/engine/interview.ts'
import { type Content, loadContent } from '../src/engine/load.ts'
import { readContentFolder } from '../src/store/content/content-files.ts'
import type { Row } from './rows.ts'

const FOLDER = new URL('../content', import.meta.url).pathname
const ANSWERS = 25
const STEPS = 5000
const ROUNDS = 5

/** The engine's bars: one step of the largest complaint, the time to load all content, and its memory. */
export async function engineBench(): Promise<Row[]> {
  const files = await readContentFolder(FOLDER)
  const row = (name: string, value: number, unit: string, bar: number): Row => ({
    name,
    value: Math.round(value * 10) / 10,
    unit,
    bar,
    atMost: true,
  })
  const compiled = JSON.stringify(compileContent(files))
  // Before anything else is loaded: what an earlier load leaves behind would be let go of while this one is weighed.
  const weight = weigh(() => loadContent(JSON.parse(compiled)))
  const [fromFiles, fromCompiled, stored] = loadTimes(files)

  const content = loadContent(JSON.parse(stored))
  const { cases } = compileCases(files, content.release)
  const answers = longestInterview(content, cases)
  const mixed = mixedStepCpu(content, cases)
  const times = stepTimes(content, answers)
  return [
    row(`one step after ${answers.length} answers, median`, times[Math.floor(times.length / 2)] ?? 0, 'µs', 200),
    row(`one step after ${answers.length} answers, p99`, times[Math.floor(times.length * 0.99)] ?? 0, 'µs', 1000),
    row('one step, all worked cases mixed, mean CPU', mixed, 'µs', 200),
    row('load of all content from files', fromFiles, 'ms', 2000),
    row('load of all content from its compiled form', fromCompiled, 'ms', 150),
    row('memory of all content', weight, 'MB', 60),
  ]
}

function loadTimes(files: readonly ContentFile[]): [fromFiles: number, fromCompiled: number, stored: string] {
  const fromFiles = fastest(5, () => compileContent(files))
  const stored = JSON.stringify(compileContent(files))
  return [fromFiles, fastest(15, () => loadContent(JSON.parse(stored))), stored]
}

function fastest(times: number, work: () => unknown): number {
  let best = Number.POSITIVE_INFINITY
  for (let run = 0; run < times; run++) {
    const start = performance.now()
    work()
    best = Math.min(best, performance.now() - start)
  }
  return best
}

/** Retained memory: the heap after garbage collection, with and without it. */
function weigh(load: () => unknown): number {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as () => void
  // What was let go of in the first round may hold others back until the next.
  const collect = () => {
    for (let round = 0; round < 4; round++) gc()
  }
  collect()
  const before = process.memoryUsage().heapUsed
  const kept = load()
  collect()
  const after = process.memoryUsage().heapUsed
  return kept ? (after - before) / 1e6 : 0
}

/** The longest worked case of the complaint with the most rules, cut to the length that the bar names. */
function longestInterview(content: Content, cases: readonly WorkedCase[]): readonly Answer[] {
  const largest = [...content.release.complaints].sort((a, b) => b.rules.length - a.rules.length)[0]?.id
  const runs = cases.filter(({ complaint }) => complaint === largest).map((worked) => runCase(content, worked).answers)
  const longest = runs.sort((a, b) => b.length - a.length)[0] ?? []
  return longest.slice(0, Math.min(ANSWERS, longest.length - 1))
}

function stepTimes(content: Content, answers: readonly Answer[]): number[] {
  for (let run = 0; run < STEPS; run++) interview(content, answers)
  const times: number[] = []
  for (let run = 0; run < STEPS; run++) {
    const start = performance.now()
    interview(content, answers)
    times.push((performance.now() - start) * 1000)
  }
  return times.sort((a, b) => a - b)
}

/**
 * Every step of every worked case, with all complaints interleaved as on a real server, so that neither branch
 * predictor nor cache is warm for the next step. Measured in CPU time, which other load disturbs less.
 */
function mixedStepCpu(content: Content, cases: readonly WorkedCase[]): number {
  const steps = cases
    .flatMap((worked) => {
      const { answers } = runCase(content, worked)
      return [[], ...answers.map((_, at) => answers.slice(0, at + 1))]
    })
    .map((answers, at) => ({ answers, order: chance(String(at)) }))
    .sort((a, b) => a.order - b.order)
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage()
    for (const { answers } of steps) interview(content, answers)
    const { user, system } = process.cpuUsage(before)
    best = Math.min(best, (user + system) / steps.length)
  }
  return best
}
