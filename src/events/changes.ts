import { isDeepStrictEqual } from 'node:util'

/** What settings were and what they are now, by their names, for an audit entry. */
export type Changes = Record<string, { from: unknown; to: unknown }>

/** In place of a value that must not be read from the audit entries. */
export const NOT_TOLD = '(not recorded)'

/** The settings that differ. What `after` does not name stays as it was. Secrets are never passed here. */
export function changesBetween(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Changes {
  const changes: Changes = {}
  for (const [name, to] of Object.entries(after)) {
    const from = before[name] ?? null
    if (to !== undefined && !isDeepStrictEqual(from, to)) changes[name] = { from, to }
  }
  return changes
}
