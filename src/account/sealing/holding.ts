import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Logger } from 'pino'
import type { Core } from '../../events/core.ts'
import { DatabaseAway, StoreUnavailable } from '../../store/database/db.ts'
import { forgetHolder, noteHolder } from '../../store/sealing/holders.ts'

const EVERY_MS = 10_000

/**
 * Says, for as long as the node runs, which master keys it holds, so that a rotation leaves no node behind. A node that
 * starts while the key is being replaced by one it does not hold is refused; one that was away meanwhile is `lost`.
 */
export async function startHolding(
  { db, keyring }: Core,
  logger: Pick<Logger, 'error' | 'warn'>,
  lost: () => void,
): Promise<{ stop: () => Promise<void> }> {
  const node = { id: randomUUID(), host: hostname(), process: process.pid }
  const holdsKeyInUse = async () => {
    const inUse = await noteHolder(db, node, keyring.checks)
    return !inUse || keyring.checks.some((check) => check.equals(inUse.check_value))
  }
  // Where nothing can be written now, reading goes on: the key was compared when the database was opened.
  const holds = await holdsKeyInUse().catch((error: unknown) => {
    if (error instanceof DatabaseAway) return true
    throw error
  })
  if (!holds) {
    await forgetHolder(db, node.id)
    throw new StoreUnavailable(
      'The master key was replaced at this moment, and this node does not hold the new one. Start it with the new key in MASTER_KEY.',
    )
  }
  const timer = setInterval(() => {
    holdsKeyInUse().then(
      (holds) => {
        if (holds) return
        logger.error('the master key was replaced, and this node does not hold the new one: restart it')
        lost()
      },
      (error: unknown) => {
        const name = error instanceof Error ? error.name : typeof error
        logger.warn({ what: 'master keys held', name }, 'upkeep failed')
      },
    )
  }, EVERY_MS)
  timer.unref()
  return {
    stop: async () => {
      clearInterval(timer)
      await forgetHolder(db, node.id).catch(() => {}) // forgotten by the others in a minute
    },
  }
}
