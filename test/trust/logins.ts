import { randomBytes } from 'node:crypto'
import pg from 'pg'

/** Roles belong to the whole server: those of this run have names of their own. */
export const PREFIX = `t${randomBytes(4).toString('hex')}`
export const PASSWORD = randomBytes(12).toString('hex')
export const LOGINS = { service: 'node', operator: 'ops', clinic_admin: 'anna', auditor: 'audit' } as const
export type Kind = keyof typeof LOGINS

/** A login that is a member of one of the roles. */
export const loginOf = (kind: Kind): string => `${PREFIX}_${LOGINS[kind]}`

/** The address of a database for one of the logins. */
export function addressOf(databaseUrl: string, kind: Kind): string {
  const url = new URL(databaseUrl)
  url.username = loginOf(kind)
  url.password = PASSWORD
  return url.toString()
}

/** What the server says when it refuses a statement; null when it does it. It is undone in any case. */
export async function refusalOf(url: string, text: string): Promise<string | null> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('begin')
    await client.query(text)
    return null
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === '42501') return error.message
    throw error
  } finally {
    await client.query('rollback').catch(() => {})
    await client.end()
  }
}
