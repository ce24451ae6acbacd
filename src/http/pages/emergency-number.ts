import { listEmergencyNumbers } from '../../store/configurations.ts'
import type { Db } from '../../store/database/db.ts'
import { inTime } from '../health.ts'

const WITHIN_MS = 1_500
const KEPT_MS = 60_000

/**
 * The number to call on pages that belong to no clinic. Known only where all clinics of the deployment have the same
 * one: a number that is wrong where the reader is would be worse than none. Kept for a minute, so that whoever tries
 * out addresses does not reach the database each time.
 */
export function emergencyNumberOf(db: Db): () => Promise<string | null> {
  let kept: { number: string | null; at: number } | null = null
  return async () => {
    if (kept && performance.now() - kept.at < KEPT_MS) return kept.number
    try {
      const [number = null, ...others] = await inTime(listEmergencyNumbers(db), WITHIN_MS)
      kept = { number: others.length === 0 ? number : null, at: performance.now() }
    } catch {
      return kept?.number ?? null
    }
    return kept.number
  }
}
