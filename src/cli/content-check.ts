import { differences, runCase } from '../engine/check/run-case.ts'
import { compileCases } from '../engine/compile/cases.ts'
import { inspectContent } from '../engine/compile/release.ts'
import { loadContent } from '../engine/load.ts'
import { readContentFolder } from '../store/content-files.ts'

const only = process.argv[2]
const files = await readContentFolder('content')
const { release, problems } = inspectContent(files)
const mine = (file: string) =>
  !only || file.includes(`complaints/${only}/`) || file.includes('/shared/') || file.endsWith('release.yaml')
const shown = problems.filter(({ file }) => mine(file))
for (const { file, line, message } of shown) console.log(`${file}:${line}: ${message}`)
const hidden = problems.length - shown.length
if (hidden > 0) console.log(`(${hidden} problems in other complaints not shown)`)
if (release && (shown.length === 0 || process.argv.includes('--cases'))) {
  const content = loadContent(release)
  const read = compileCases(files, release)
  for (const { file, line, message } of read.problems.filter(({ file }) => mine(file)))
    console.log(`${file}:${line}: ${message}`)
  let passed = 0
  const lengths: number[] = []
  for (const worked of read.cases.filter(({ complaint }) => !only || complaint === only)) {
    const run = runCase(content, worked)
    if (run.kind === 'done') lengths.push(run.asked.length)
    const wrong = differences(worked, run)
    if (wrong.length === 0) passed++
    for (const message of wrong) console.log(`${worked.place[0]}:${worked.place[1]}: case ${worked.id}: ${message}`)
  }
  lengths.sort((a, b) => a - b)
  console.log(
    `${passed} cases as expected; questions asked, intake included: median ${lengths[lengths.length >> 1]}, most ${lengths.at(-1)}`,
  )
}
