import type { Caller } from '../account/callers.ts'
import type { Language } from '../engine/content.ts'
import type { OpenedSession } from './read.ts'
import type { Releases } from './releases.ts'

/** The text summary of a session, in one language. */
export async function summaryOf(
  _releases: Releases,
  opened: OpenedSession,
  _caller: Caller,
  language: Language,
): Promise<string> {
  return `${language}\n${opened.seal.text('matter', opened.row.sealed_matter) ?? ''}\n`
}
