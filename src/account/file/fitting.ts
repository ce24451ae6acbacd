import { randomUUID } from 'node:crypto'
import { Compile } from 'typebox/compile'
import { isPlain, type PlacedFault, type Pointer } from '../shape-faults.ts'
import { ClinicFile } from './clinic-file.ts'

const compiled = Compile(ClinicFile)

const isWithin = (outer: Pointer, inner: Pointer): boolean => outer.every((part, index) => part === inner[index])

/** Whether a fault is only there because of another at its place or around it. */
export const followsFrom = (faults: readonly PlacedFault[], { at }: PlacedFault): boolean =>
  faults.some((fault) => isWithin(fault.at, at))

/**
 * A file without what does not fit, so that the rest can be looked at too and every fault is told at once. Each part
 * keeps its place; what it cannot do without is stood in for by what nothing else is called. It is never applied.
 */
export function asFarAsItFits(value: unknown, faults: readonly PlacedFault[]): ClinicFile {
  const file = faults.length === 0 ? value : { accounts: partsOf(value, 'accounts', [], ACCOUNT, faults) }
  if (compiled.Check(file)) return file
  throw new Error('What fits of a file does not fit.')
}

/** How a kind of part is known, which lists of parts it has, and what stands in for fields that are needed and do not fit. */
type Kind = { key?: string; lists: Readonly<Record<string, Kind>>; standIns: () => Record<string, unknown> }

const WEBHOOK: Kind = { lists: {}, standIns: () => ({ endpoint: randomUUID(), url: '' }) }
const KEY: Kind = { lists: {}, standIns: () => ({ note: randomUUID() }) }
const CONFIGURATION: Kind = {
  key: 'slug',
  lists: { webhooks: WEBHOOK, keys: KEY },
  standIns: () => ({
    slug: randomUUID(),
    country: 'FI',
    emergencyNumber: '112',
    adviceNumber: null,
    crisisLine: null,
    poisonLine: null,
  }),
}
const ACCOUNT: Kind = {
  key: 'name',
  lists: { configurations: CONFIGURATION },
  standIns: () => ({ name: randomUUID(), timeZone: 'UTC' }),
}

function partsOf(holder: unknown, name: string, at: Pointer, kind: Kind, faults: readonly PlacedFault[]): unknown[] {
  const parts = isPlain(holder) ? holder[name] : []
  return Array.isArray(parts) ? parts.map((part, index) => partOf(part, [...at, name, index], kind, faults)) : []
}

/** Of a part that nobody can tell from others nothing makes sense or not. */
function partOf(part: unknown, at: Pointer, kind: Kind, faults: readonly PlacedFault[]): unknown {
  const { key, lists, standIns } = kind
  const isFaulty = (name: string) => faults.some((fault) => isWithin([...at, name], fault.at))
  if (!isPlain(part) || (key !== undefined && isFaulty(key))) return standIns()
  const standIn = new Map(Object.entries(standIns()))
  const inner = new Map(Object.entries(lists))
  const entries = Object.keys({ ...part, ...standIns() }).flatMap((name) => {
    const list = inner.get(name)
    if (list) return [[name, partsOf(part, name, at, list, faults)]]
    if (isFaulty(name)) return standIn.has(name) ? [[name, standIn.get(name)]] : []
    return Object.hasOwn(part, name) ? [[name, part[name]]] : []
  })
  return Object.fromEntries(entries)
}
