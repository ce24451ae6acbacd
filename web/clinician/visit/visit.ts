import type { VisitBody } from '../../../src/http/decision-support/schemas.ts'
import { ask, Connection, Refused } from './connection.ts'

const REMEMBERED = 'fyr-visit'

/** Takes the token out of the address, so that it is in no history, bookmark or screenshot. */
export function takeToken(): string | null {
  const token = /^#token=(.+)$/.exec(location.hash)?.[1] ?? null
  if (token !== null) history.replaceState(null, '', `${location.pathname}${location.search}`)
  return token
}

/** Exchanges the token for a visit. In a frame this shows whether cookies work; if not, the secret stays in memory. */
export async function openVisit(slug: string, token: string, embedded: boolean): Promise<Connection> {
  const reply = await ask('/visits', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token, configuration: slug, embedded }),
  })
  const { visitId, secret }: VisitBody = await reply.json()
  const byCookie = new Connection(visitId, null, embedded)
  if (secret === null || (await works(byCookie))) {
    remember(visitId)
    return byCookie
  }
  return new Connection(visitId, secret, embedded)
}

async function works(connection: Connection): Promise<boolean> {
  try {
    await connection.post('/alive', { embedded: connection.embedded })
    return true
  } catch (error) {
    if (error instanceof Refused && error.status === 401) return false
    throw error
  }
}

/** After a reload the tab continues its visit; the cookie is the credential, the tab only knows which one. */
export function rememberedVisit(embedded: boolean): Connection | null {
  try {
    const visitId = sessionStorage.getItem(REMEMBERED)
    return visitId === null ? null : new Connection(visitId, null, embedded)
  } catch {
    return null // storage is blocked in this frame
  }
}

function remember(visitId: string): void {
  try {
    sessionStorage.setItem(REMEMBERED, visitId)
  } catch {
    // the visit then ends with a reload
  }
}

export function forgetVisit(): void {
  try {
    sessionStorage.removeItem(REMEMBERED)
  } catch {
    // nothing was kept
  }
}
