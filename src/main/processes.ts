import { availableParallelism, totalmem } from 'node:os'
import type { Settings } from '../settings.ts'

const MIB = 1024 * 1024
/** A process takes 300 to 480 MB; the rest is for the database, and for files that are checked. */
const MEMORY_EACH_BYTES = 1_024 * MIB
/** What a process keeps beside its share of DATABASE_CONNECTIONS: for short statements, lists and notifications. */
const CONNECTIONS_BESIDE = 15
const LEAST_SHARE = 4

type Machine = { cores: number; memoryBytes: number }

/** The cores and the memory that this process may use: of its container, where it is in one. */
const thisMachine = (): Machine => ({
  cores: availableParallelism(),
  memoryBytes: Math.min(totalmem(), process.constrainedMemory() || Infinity),
})

/** How many processes serve: as many as were asked for, else one for each core, as far as the memory reaches. */
export function processesFor(settings: Pick<Settings, 'PROCESSES'>, machine = thisMachine()): number {
  if (settings.PROCESSES !== null) return settings.PROCESSES
  return Math.max(1, Math.min(machine.cores, Math.floor(machine.memoryBytes / MEMORY_EACH_BYTES)))
}

/** The connections of DATABASE_CONNECTIONS that one of several processes gets. */
export const shareOfConnections = (connections: number, processes: number): number =>
  processes === 1 ? connections : Math.max(LEAST_SHARE, Math.ceil(connections / processes))

/** Fewer, where nobody chose the number and the database would run out: half of its connections are left to others. */
export function processesWithin(
  settings: Pick<Settings, 'PROCESSES' | 'DATABASE_CONNECTIONS'>,
  wanted: number,
  mostConnections: number,
): number {
  if (settings.PROCESSES !== null) return wanted
  const needed = (processes: number) =>
    processes * (CONNECTIONS_BESIDE + shareOfConnections(settings.DATABASE_CONNECTIONS, processes))
  let processes = wanted
  while (processes > 1 && needed(processes) > mostConnections / 2) processes--
  return processes
}
