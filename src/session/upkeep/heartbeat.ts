import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Db } from '../../store/database/db.ts'
import { beat, leave } from '../../store/deployment/nodes.ts'
import { VERSION } from '../../version.ts'

const EVERY_MS = 10_000

/** Records that this node runs, for `fyr status`. Nothing depends on it: a beat that fails is left out. */
export function startHeartbeat(db: Db): { stop: () => Promise<void> } {
  const name = { id: randomUUID(), host: hostname(), pid: process.pid, version: VERSION }
  let beating: Promise<unknown> = Promise.resolve()
  const next = () => {
    beating = beat(db, name).catch(() => {})
  }
  next()
  const timer = setInterval(next, EVERY_MS).unref()
  return {
    stop: async () => {
      clearInterval(timer)
      await beating
      await leave(db, name.id).catch(() => {})
    },
  }
}
