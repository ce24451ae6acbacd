import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { type LeaveOut, meetsBar, type Row } from './rows.ts'

type Machine = { cores: number; model: string; memoryGiB: number; node: string }
/** Each says on which machine it was measured: those of one file may come from several. */
type Result = { machine: Machine; load: number[]; rows: Row[] }

/**
 * Runs every bench in a folder, prints each figure beside its limit, and rewrites results.json after each bench, so
 * that an interrupted run keeps its figures. A bench that fails or cannot run says so in a sentence, and the next one
 * runs. Returns whether everything was measured. A bench is a module that exports `rows`, or a function whose name ends
 * in Bench.
 */
export async function runBenches(folder: URL, named: readonly string[]): Promise<boolean> {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.bench.ts'))
    .filter((file) => named.length === 0 || named.some((name) => file.startsWith(name)))
  const machine: Machine = {
    cores: cpus().length,
    model: cpus()[0]?.model ?? '',
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
  }
  console.log(`${machine.cores} cores, ${machine.memoryGiB} GiB, Node ${machine.node}, load ${loadText()}\n`)
  const output = new URL('results.json', folder)
  const results = resultsBefore(output)
  const missing: string[] = []
  for (const file of files) {
    const name = file.replace('.bench.ts', '')
    const leftOut: string[] = []
    try {
      const bench = benchOf(await import(new URL(file, folder).href))
      const rows = await bench((why) => void leftOut.push(`${name}: ${why}`))
      results[name] = { machine, load: loadavg().map((value) => Math.round(value * 10) / 10), rows }
      writeFileSync(output, `${JSON.stringify({ results }, null, 2)}\n`)
      console.log(`${name} (load ${loadText()})\n${tableOf(rows)}`)
    } catch (error) {
      leftOut.push(`${name} failed: ${sentenceOf(error)}`)
    }
    console.log(leftOut.map((line) => `${line}\n`).join(''))
    missing.push(...leftOut)
  }
  if (missing.length > 0) console.log(`Not everything was measured:\n${missing.join('\n')}`)
  return missing.length === 0
}

function benchOf(module: Record<string, unknown>): (leaveOut: LeaveOut) => Promise<Row[]> {
  const found = module.rows ?? Object.entries(module).find(([name]) => name.endsWith('Bench'))?.[1]
  if (typeof found !== 'function') throw new Error('A bench exports `rows` or a function whose name ends in Bench.')
  return async (leaveOut) => found(leaveOut)
}

/** The error on one line. For a stack trace, run the bench alone under a debugger. */
const sentenceOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ').trim().slice(0, 400)

/** Benches that are not measured this time keep their last figures. */
function resultsBefore(path: URL): Record<string, Result> {
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
