import { availableParallelism } from 'node:os'
import { Gauge, type Registry } from 'prom-client'
import type { Core } from '../../events/core.ts'
import type { Objects } from '../../store/objects.ts'
import { Room } from './room.ts'
import { Turns } from './turns.ts'

/** What receiving files needs: the record, the store, the memory for uploads in progress, and the queue for checks. */
export type Receiving = { core: Core; objects: Objects | null; room: Room; checks: Turns }

const MOST_ARRIVING_BYTES = { ofOne: 4 * 1024 * 1024, ofAll: 64 * 1024 * 1024 }
/** One core is left to those who answer, the others are shared by the processes here. More than three checks at once would take too much memory. */
const checksAtOnce = (processes: number): number =>
  Math.min(3, Math.max(1, Math.floor((availableParallelism() - 1) / processes)))
/** The longest wait and the longest check together stay within the deadline of the request. */
const CHECKS = { waiting: 32, waitingOfOne: 2, longestWaitMs: 8_000 }

/** A node's means to receive files, and their metrics. `processes` is how many nodes share this machine's cores. */
export function receivingOf(core: Core, objects: Objects | null, registry: Registry, processes: number): Receiving {
  const room = new Room(MOST_ARRIVING_BYTES)
  const checks = new Turns({ ...CHECKS, atOnce: checksAtOnce(processes) })
  const gauge = (name: string, help: string, value: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(value())
      },
    })
  gauge('fyr_upload_bytes', 'Memory reserved for bytes of files on their way', () => room.bytes.now)
  gauge('fyr_upload_bytes_highest', 'The most that ever was, since the start', () => room.bytes.highest)
  gauge('fyr_file_checks_running', 'Files that are being checked', () => checks.running)
  gauge('fyr_file_checks_waiting', 'Files that wait to be checked', () => checks.waiting)
  return { core, objects, room, checks }
}
