import type { AuditEntry } from '../store/audit.ts'

/** The entry with which retention removed the beginning of a chain, and the entry that repeats one of the removed. */
export const TRIMMED = 'audit.trimmed'
export const CARRIED = 'audit.carried'

/** Entries that verifying needs for as long as what they are about is there: keys, activated content, revoked clinicians. */
const STANDING = ['key.issued', 'key.rotated', 'key.revoked', 'content.activated', 'clinician.revoked']

/** Whether an entry only tells of earlier trimming. */
export const isOfTrimming = ({ action }: AuditEntry): boolean => action === TRIMMED || action === CARRIED

/** What the removed entries still have to say: the last of each kind about each thing. */
export function standingOf(removed: readonly AuditEntry[]): AuditEntry[] {
  const standing = new Map<string, AuditEntry>()
  for (const entry of inOrder(removed))
    if (STANDING.includes(entry.action)) standing.set(`${entry.action} ${entry.subject}`, entry)
  return [...standing.values()]
}

/** An entry that repeats one, for when the one is removed. */
export const carriedFrom = ({ seq, at, actor, action, subject, detail }: AuditEntry) => ({
  action: CARRIED,
  subject,
  detail: { seq, at: at.toISOString(), actor, action, detail },
})

/** The entries as they were recorded first, in that order. */
export const inOrder = (entries: readonly AuditEntry[]): AuditEntry[] =>
  entries.map(original).sort((one, other) => one.seq - other.seq)

function original(entry: AuditEntry): AuditEntry {
  if (entry.action !== CARRIED) return entry
  const { seq, at, actor, action, detail } = entry.detail as Record<'at' | 'actor' | 'action', string> &
    Pick<AuditEntry, 'seq' | 'detail'>
  return { ...entry, seq, at: new Date(at), actor, action, detail }
}
