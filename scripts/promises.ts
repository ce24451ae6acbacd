// Prints docs/promises.md from safety/promises.yaml; with --check it only says whether it is up to date.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isLongFile, type Promised, readPromises } from '../test/world/named-tests.ts'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const FILE = join(ROOT, 'docs/promises.md')

const HEAD = `# Promises

What Fyr promises, one sentence each, and the tests that show it. A run of the tests fails when one of them did not run and pass in it; those that need something
this machine lacks (a browser, an S3-compatible store, a proxy) are told as left out. Those that run long are run by \`npm run test:thorough\`, the slow sweeps, marked (long), by \`npm run test:long\`.
A name stands for everything in its \`describe\`, and … for the cases of a test. Numbers that only a clock can judge are measured by the named bench.

This page is printed from [\`safety/promises.yaml\`](../safety/promises.yaml) by \`node scripts/promises.ts\`. The ids are stable and stand in the names of the tests.
`

const CHAPTERS = {
  F: 'When something breaks',
  B: 'When input is bad',
  A: 'When someone attacks',
  I: 'What always holds',
} as const

const chapterOf = (letter: string, title: string, promises: readonly Promised[]): string => {
  const rows = promises.filter(({ id }) => id.startsWith(letter)).map(rowOf)
  return [`## ${title}`, '', '| Id | Promise | Shown by |', '|---|---|---|', ...rows, ''].join('\n')
}

function rowOf({ id, promise, tests = {}, bench, missing }: Promised): string {
  const shown = Object.entries(tests).flatMap(([file, names]) => [
    `${code(file)}${isLongFile(file) ? ' (long)' : ''}:`,
    ...names.map((name) => `· ${text(name)}`),
  ])
  if (bench) shown.push(`measured by ${code(bench)}`)
  if (missing) shown.push(`**not shown yet**: ${text(missing)}`)
  return `| ${id} | ${text(promise)} | ${shown.join('<br>')} |`
}

const code = (words: string): string => `\`${words}\``

/** Escapes text for a table cell, so that none of its characters is markup. */
const text = (words: string): string => words.replace(/[\\`*_<>[\]|~#]/g, (sign) => `\\${sign}`)

const promises = readPromises(ROOT)
const page = `${[HEAD, ...Object.entries(CHAPTERS).map(([letter, title]) => chapterOf(letter, title, promises))].join('\n')}`
if (!process.argv.includes('--check')) writeFileSync(FILE, page)
else if (readFileSync(FILE, 'utf8') !== page) {
  console.error('docs/promises.md is not what safety/promises.yaml says. Print it anew: node scripts/promises.ts')
  process.exitCode = 1
}
