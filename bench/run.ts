import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { meetsBar, type Row } from './rows.ts'

/**
 * `npm run bench`: runs every *.bench.ts here (or those named), prints what each measured beside its limit, and writes
 * bench/results.json. A bench is a module that exports `rows`, or a function whose name ends in Bench, that answers rows.
 */
const folder = new URL('.', import.meta.url)
const named = process.argv.slice(2)
const files = readdirSync(folder)
  .filter((file) => file.endsWith('.bench.ts'))
  .filter((file) => named.length === 0 || named.some((name) => file.startsWith(name)))

const machine = {
  cores: cpus().length,
  model: cpus()[0]?.model ?? '',
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  node: process.version,
}
console.log(`${machine.cores} cores, ${machine.memoryGiB} GiB, Node ${machine.node}, load ${loadText()}\n`)

const results: Record<string, { load: number[]; rows: Row[] }> = {}
for (const file of files) {
  const name = file.replace('.bench.ts', '')
  const measured = await benchOf(await import(new URL(file, folder).href))()
  results[name] = { load: loadavg().map((value) => Math.round(value * 10) / 10), rows: measured }
  console.log(`${name} (load ${loadText()})`)
  console.log(`${tableOf(measured)}\n`)
}

const file = new URL('results.json', folder)
const before = readBefore(file)
writeFileSync(file, `${JSON.stringify({ machine, results: { ...before, ...results } }, null, 2)}\n`)

function benchOf(module: Record<string, unknown>): () => Promise<Row[]> {
  const found = module.rows ?? Object.entries(module).find(([name]) => name.endsWith('Bench'))?.[1]
  if (typeof found !== 'function') throw new Error('A bench exports `rows` or a function whose name ends in Bench.')
  return async () => found()
}

/** Benches that were not run this time keep their last figures. */
function readBefore(path: URL): typeof results {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).results ?? {}
  } catch {
    return {}
  }
}

function loadText(): string {
  return loadavg()
    .map((value) => value.toFixed(1))
    .join(' ')
}

function tableOf(measured: readonly Row[]): string {
  const lines = measured.map((row) => {
    const verdict = meetsBar(row)
    return [
      row.name,
      `${figure(row.value)} ${row.unit}`,
      row.ratio === undefined ? '' : `${row.ratio.toFixed(2)} × ${row.against ?? ''}`,
      row.bar === undefined ? '' : `${row.atMost ? '≤' : '≥'} ${row.bar}`,
      verdict === null ? '' : verdict ? 'met' : 'MISSED',
      row.note ?? '',
    ]
  })
  const titles = ['what', 'measured', 'ratio', 'bar', '', 'note']
  const widths = titles.map((title, at) => Math.max(title.length, ...lines.map((line) => line[at]?.length ?? 0)))
  return [titles, ...lines]
    .map((line) =>
      line
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function figure(value: number): string {
  if (value >= 1_000) return Math.round(value).toLocaleString('en-US')
  return value >= 10 ? value.toFixed(1) : value.toPrecision(3)
}
