import { listEmergencyNumbers } from '../../store/configurations.ts'
import type { Db } from '../../store/database/db.ts'
import { inTime } from '../health.ts'

const WITHIN_MS = 1_500
const KEPT_MS = 60_000
const AGAIN_MS = 3_000

/**
 * The number to call on pages that belong to no clinic. Known only where all clinics of the deployment have the same
 * one: a number that is wrong where the reader is would be worse than none. Kept for a minute, and a failure for a few
 * seconds, so that whoever tries out addresses does not reach the database each time.
 */
export function emergencyNumberOf(db: Db): () => Promise<string | null> {
  let last: string | null = null
  let kept: { number: Promise<string | null>; until: number } | null = null
  const look = async () => {
    try {
      const [number = null, ...others] = await inTime(listEmergencyNumbers(db), WITHIN_MS)
      last = others.length === 0 ? number : null
    } catch {
      if (kept) kept.until = performance.now() + AGAIN_MS
    }
    return last
  }
  return () => {
    if (!kept || performance.now() > kept.until) kept = { number: look(), until: performance.now() + KEPT_MS }
    return kept.number
  }
}
