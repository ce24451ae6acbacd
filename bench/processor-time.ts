import { readdirSync, readFileSync } from 'node:fs'

/** Processor time in milliseconds: of a service's own processes, and of its database's. */
export type Spent = { service: number; database: number }

/** /proc counts processor time in hundredths of a second. */
const TICK_MS = 10

type Running = { name: string; parent: number; ms: number }

/** Whether this system tells the processor time of other processes. */
export const canTellTime = process.platform === 'linux'

/** What a service and the database that it started have used so far, with whatever they started. */
export function spentBy(service: number): Spent {
  const all = new Map(pids().flatMap((pid) => readProcess(pid) ?? []))
  const spent = { service: 0, database: 0 }
  for (const [pid, { name, ms }] of all) {
    if (isWithin(all, pid, service)) spent[name === 'postgres' ? 'database' : 'service'] += ms
  }
  return spent
}

export const since = (before: Spent, after: Spent): Spent => ({
  service: after.service - before.service,
  database: after.database - before.database,
})

/** In MB: what a process has in memory, and what of it is its own: the program itself is there once for all. */
export type Megabytes = { whole: number; own: number }

/** The memory of the process of a service that uses most. */
export function mostMegabytes(service: number): Megabytes {
  const all = new Map(pids().flatMap((pid) => readProcess(pid) ?? []))
  const its = [...all].filter(([pid, { name }]) => name !== 'postgres' && isWithin(all, pid, service))
  const [most = { whole: 0, own: 0 }] = its.map(([pid]) => megabytesOf(pid)).sort((a, b) => b.whole - a.whole)
  return most
}

function megabytesOf(pid: number): Megabytes {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  const of = (what: string) => (Number(new RegExp(`^${what}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0) * 1_024) / 1e6
  return { whole: of('Rss'), own: of('Private_Clean') + of('Private_Dirty') }
}

const pids = (): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)

/** Ended children that were waited for count with their parent. A process that has just ended is left out. */
function readProcess(pid: number): [number, Running][] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [opens, closes] = [text.indexOf('('), text.lastIndexOf(')')]
    // proc(5): after the name come state, parent and, from the twelfth on, utime, stime, cutime, cstime.
    const fields = text.slice(closes + 2).split(' ')
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
    return [[pid, { name: text.slice(opens + 1, closes), parent: Number(fields[1]), ms: ticks * TICK_MS }]]
  } catch {
    return null
  }
}

function isWithin(all: ReadonlyMap<number, Running>, pid: number, ancestor: number): boolean {
  for (let at: number | undefined = pid; at; at = all.get(at)?.parent) if (at === ancestor) return true
  return false
}
