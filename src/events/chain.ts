import { type AuditEntry, databaseTime, type Head } from '../store/audit.ts'
import { keyedHash } from '../store/seal.ts'

/** The chain's next hash: over the previous hash and everything in the entry. */
export function entryHash(key: Buffer, before: Buffer, entry: Omit<AuditEntry, 'hash'>): Buffer {
  const { seq, at, actor, action, subject, detail } = entry
  return keyedHash(key, before, JSON.stringify([seq, at.toISOString(), actor, action, subject, sorted(detail)]))
}

/** The database reorders the keys of JSON objects and keeps a moment as its text, so the hash is over a sorted form with texts. */
function sorted(value: unknown): unknown {
  if (value instanceof Date) return value.toJSON()
  if (Array.isArray(value)) return value.map(sorted)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  )
}

/** The start of every account's chain. */
export const genesis = (key: Buffer, accountId: string): Buffer => keyedHash(key, 'fyr audit', accountId)

type Said = Pick<AuditEntry, 'actor' | 'action' | 'subject'> & { detail?: Record<string, unknown> }

/** The entries that extend a chain, all with the same moment. */
export function link(key: Buffer, head: Head, said: readonly Said[]): AuditEntry[] {
  const at = databaseTime(head)
  let before = head.hash
  return said.map(({ actor, action, subject, detail = {} }, index) => {
    const entry = { seq: head.seq + 1 + index, at, actor, action, subject, detail }
    before = entryHash(key, before, entry)
    return { ...entry, hash: before }
  })
}
