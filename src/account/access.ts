import type { Core } from '../events/core.ts'
import { fail, invalid } from '../problems.ts'
import { type AccessRow, countForCap, findAccess, INSERT_ACCESS_EVENT } from '../store/access.ts'
import { type Cap, isWithinHours, type MonitoredHours, nextChange, nextOpening, readCap, readHours } from './hours.ts'

/** Why the service is closed for incoming users. The order is the numeric encoding of the samples. */
export const CLOSED_REASONS = ['Other', 'OutsideMonitoredHours', 'CapLimitReached'] as const
export type ClosedReason = (typeof CLOSED_REASONS)[number]

/** `opensAt` is the next known opening, in ISO 8601; a manual closing has one only if it was told its end. */
export type AccessState = {
  active: boolean
  open: boolean
  closedReason: ClosedReason | null
  opensAt: string | null
  timeZone: string
}

/** The state as it was read, what it was read from, and the values that an entering transaction compares. */
export type SeenAccess = { state: AccessState; row: AccessRow; seen: string; cap: Cap | null; midnight: Date }

/**
 * Open or closed right now, computed from the database on every read: a cache here could mislead patients. A manual
 * closing lasts until a manual opening, or until the end that it was given. Otherwise it is open within the hours and below the cap; a manual opening
 * overrides each for a while.
 */
export async function accessState(core: Core, accountId: string): Promise<AccessState> {
  return (await seeAccess(core, accountId)).state
}

export async function seeAccess(core: Core, accountId: string): Promise<SeenAccess> {
  const row = (await findAccess(core.db, accountId)) ?? fail('configuration-not-found')
  const cap = readCap(row.cap)
  const now = zonedTo(row.time_zone, row.now)
  const midnight = new Date(now.startOfDay().epochMilliseconds)
  const state = { active: row.active, timeZone: row.time_zone, ...(await judged(core, accountId, row, now, midnight)) }
  return { state, row, seen: row.seen, cap, midnight }
}

type Judgement = Pick<AccessState, 'open' | 'closedReason' | 'opensAt'>

async function judged(
  core: Core,
  accountId: string,
  row: AccessRow,
  now: Temporal.ZonedDateTime,
  midnight: Date,
): Promise<Judgement> {
  const at = now.toInstant()
  const hours = readHours(row.monitored_hours)
  if (isClosedByHand(row, at)) {
    const opensAt = row.until && nextOpen(hours, row.time_zone, zonedTo(row.time_zone, row.until), null)
    return { open: false, closedReason: reasonOf(row.closed_reason), opensAt: opensAt?.toString() ?? null }
  }
  const isOutside = hours && !isWithinHours(hours, row.time_zone, at) && !holdsAgainstHours(row, hours, at)
  const cap = readCap(row.cap)
  const isFull = cap && (await isFullNow(core, accountId, row, cap, midnight))
  if (!isOutside && !isFull) return { open: true, closedReason: null, opensAt: null }
  return {
    open: false,
    closedReason: isOutside ? 'OutsideMonitoredHours' : 'CapLimitReached',
    opensAt: nextOpen(hours, row.time_zone, now, isFull ? cap.kind : null)?.toString() ?? null,
  }
}

/** The first moment from then on at which the hours hold and the cap can have reset; unknown when only an ongoing cap keeps it closed. */
function nextOpen(
  hours: MonitoredHours | null,
  timeZone: string,
  now: Temporal.ZonedDateTime,
  fullBy: Cap['kind'] | null,
): Temporal.Instant | null {
  const isWithin = !hours || isWithinHours(hours, timeZone, now.toInstant())
  if (fullBy === 'ongoing' && isWithin) return null
  const from = fullBy === 'daily' ? now.add({ days: 1 }).startOfDay() : now
  return hours ? nextOpening(hours, timeZone, from.toInstant()) : from.toInstant()
}

/** A manual closing lasts until its end, where it has one. */
export const isClosedByHand = ({ kind, until }: AccessRow, at: Temporal.Instant): boolean =>
  kind === 'closed' && (until === null || at.epochMilliseconds < until.getTime())

const zonedTo = (timeZone: string, moment: Date) => instantOf(moment).toZonedDateTimeISO(timeZone)
export const instantOf = (moment: Date): Temporal.Instant => Temporal.Instant.fromEpochMilliseconds(moment.getTime())

/** A manual opening overrides the hours until they next change. */
export function holdsAgainstHours(row: AccessRow, hours: MonitoredHours, now: Temporal.Instant): boolean {
  if (row.kind !== 'opened' || !row.at) return false
  const change = nextChange(hours, row.time_zone, instantOf(row.at))
  return change === null || Temporal.Instant.compare(now, change) < 0
}

/** A manual opening overrides a daily cap for the day, and an ongoing cap until the count has once been below it. */
async function isFullNow(core: Core, accountId: string, row: AccessRow, cap: Cap, midnight: Date): Promise<boolean> {
  const { entered, ongoing } = await countForCap(core.db, accountId, midnight)
  if ((cap.kind === 'daily' ? entered : ongoing) < cap.most) return false
  if (row.kind !== 'opened' || !row.at) return true
  return cap.kind === 'daily' ? row.at < midnight : row.was_below === true
}

function reasonOf(text: string | null): ClosedReason {
  return CLOSED_REASONS.find((reason) => reason === text) ?? 'Other'
}

/** A manual opening takes effect at once, whatever else is happening to the account. */
export async function openAccess(core: Core, accountId: string, actor: string): Promise<AccessState> {
  await record(core, accountId, actor, 'access.opened', { kind: 'opened', closed_reason: null, until: null })
  return { ...(await accessState(core, accountId)), open: true, closedReason: null, opensAt: null }
}

export async function closeAccess(
  core: Core,
  accountId: string,
  actor: string,
  reason: ClosedReason,
  until: Date | null,
): Promise<AccessState> {
  await record(core, accountId, actor, 'access.closed', { kind: 'closed', closed_reason: reason, until })
  return { ...(await accessState(core, accountId)), open: false, closedReason: reason }
}

const LONGEST_CLOSING_DAYS = 366

/** The end that a closing is given, if it makes sense as one. */
export function checkedEnd(until: Date): Date {
  const days = (until.getTime() - Date.now()) / 86_400_000
  if (days <= 0) return invalid('/closedUntil', 'must be a moment to come')
  return days > LONGEST_CLOSING_DAYS ? invalid('/closedUntil', 'is more than a year ahead') : until
}

type AccessEvent = { kind: 'opened' | 'closed'; closed_reason: ClosedReason | null; until: Date | null }

async function record(core: Core, accountId: string, actor: string, action: string, row: AccessEvent): Promise<void> {
  const detail = { closedReason: row.closed_reason, ...(row.until && { closedUntil: row.until }) }
  const effects = [{ statement: INSERT_ACCESS_EVENT, row }]
  await core.recorder.record({ accountId, actor, action, subject: accountId, detail, effects })
}
