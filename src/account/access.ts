import type { Core } from '../events/core.ts'
import { fail } from '../problems.ts'
import { type AccessRow, countForCap, findAccess, INSERT_ACCESS_EVENT, wasBelowSince } from '../store/access.ts'
import { isWithinHours, type MonitoredHours, nextChange, nextOpening, readCap, readHours } from './hours.ts'

/** Why the service is closed for incoming users. The order is the numeric encoding of the samples. */
export const CLOSED_REASONS = ['Other', 'OutsideMonitoredHours', 'CapLimitReached'] as const
export type ClosedReason = (typeof CLOSED_REASONS)[number]

/** `opensAt` is the next opening that is known from now, in ISO 8601; a manual closing has none. */
export type AccessState = {
  active: boolean
  open: boolean
  closedReason: ClosedReason | null
  opensAt: string | null
  timeZone: string
}

/**
 * Open or closed right now, computed from the database at every reading: a cache here could lie to patients. A manual closing holds
 * until a manual opening. Otherwise it is open within the hours and below the cap, and a manual opening holds against each for a while.
 */
export async function accessState(core: Core, accountId: string): Promise<AccessState> {
  const row = (await findAccess(core.db, accountId)) ?? fail('configuration-not-found')
  const facts = { active: row.active, timeZone: row.time_zone }
  if (row.kind === 'closed') return { ...facts, open: false, closedReason: reasonOf(row.closed_reason), opensAt: null }
  const now = instantOf(row.now)
  const hours = readHours(row.monitored_hours)
  if (hours && !isWithinHours(hours, row.time_zone, now) && !holdsAgainstHours(row, hours, now)) {
    return {
      ...facts,
      open: false,
      closedReason: 'OutsideMonitoredHours',
      opensAt: nextChange(hours, row.time_zone, now)?.toString() ?? null,
    }
  }
  const full = await isFull(core, accountId, row, hours, now)
  if (full) return { ...facts, open: false, closedReason: 'CapLimitReached', opensAt: full.opensAt?.toString() ?? null }
  return { ...facts, open: true, closedReason: null, opensAt: null }
}

const instantOf = (moment: Date): Temporal.Instant => Temporal.Instant.fromEpochMilliseconds(moment.getTime())

/** A manual opening holds against the hours until they next change. */
function holdsAgainstHours(row: AccessRow, hours: MonitoredHours, now: Temporal.Instant): boolean {
  if (row.kind !== 'opened' || !row.at) return false
  const change = nextChange(hours, row.time_zone, instantOf(row.at))
  return change === null || Temporal.Instant.compare(now, change) < 0
}

/** Full, with the opening that is known; null when there is room or a manual opening holds against the cap. */
async function isFull(
  core: Core,
  accountId: string,
  row: AccessRow,
  hours: MonitoredHours | null,
  now: Temporal.Instant,
): Promise<{ opensAt: Temporal.Instant | null } | null> {
  const cap = readCap(row.cap)
  if (!cap) return null
  const local = now.toZonedDateTimeISO(row.time_zone)
  const midnight = local.startOfDay().toInstant()
  const { entered, ongoing } = await countForCap(core.db, accountId, new Date(midnight.epochMilliseconds))
  if ((cap.kind === 'daily' ? entered : ongoing) < cap.most) return null
  const openedAt = row.kind === 'opened' && row.at ? row.at : null
  if (cap.kind === 'daily') {
    if (openedAt && openedAt.getTime() >= midnight.epochMilliseconds) return null
    const tomorrow = local.toPlainDate().add({ days: 1 }).toZonedDateTime(row.time_zone).toInstant()
    return { opensAt: hours ? nextOpening(hours, row.time_zone, tomorrow) : tomorrow }
  }
  if (openedAt && !(await wasBelowSince(core.db, accountId, openedAt, cap.most))) return null
  return { opensAt: null }
}

function reasonOf(text: string | null): ClosedReason {
  return CLOSED_REASONS.find((reason) => reason === text) ?? 'Other'
}

/** A manual opening holds from the moment it is made, whatever else is happening to the account. */
export async function openAccess(core: Core, accountId: string, actor: string): Promise<AccessState> {
  await record(core, accountId, actor, 'access.opened', { kind: 'opened', closed_reason: null })
  return { ...(await accessState(core, accountId)), open: true, closedReason: null, opensAt: null }
}

export async function closeAccess(
  core: Core,
  accountId: string,
  actor: string,
  reason: ClosedReason,
): Promise<AccessState> {
  await record(core, accountId, actor, 'access.closed', { kind: 'closed', closed_reason: reason })
  return { ...(await accessState(core, accountId)), open: false, closedReason: reason, opensAt: null }
}

type AccessEvent = { kind: 'opened' | 'closed'; closed_reason: ClosedReason | null }

async function record(core: Core, accountId: string, actor: string, action: string, row: AccessEvent): Promise<void> {
  const detail = { closedReason: row.closed_reason }
  const effects = [{ statement: INSERT_ACCESS_EVENT, row }]
  await core.recorder.record({ accountId, actor, action, subject: accountId, detail, effects })
}
