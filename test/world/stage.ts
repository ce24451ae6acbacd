import type { Clinic, World } from './world.ts'

/** Where a story happens: one node or several on the same database. */
export type Stage = { world: World; urls: readonly string[] }

export type Integrator = {
  get: (path: string) => Promise<Record<string, unknown>>
  post: (path: string, body?: unknown) => Promise<Record<string, unknown>>
}

/** The clinic's own system, speaking the documented interface to any node. */
export function integrator({ urls }: Stage, { key }: Clinic): Integrator {
  const call = async (method: string, path: string, body?: unknown) => {
    const url = urls[Math.floor(Math.random() * urls.length)]
    const reply = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { 'x-service-api-key': key, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: reply.status, ...(await reply.json()) }
  }
  return { get: (path) => call('GET', path), post: (path, body) => call('POST', path, body) }
}

export const CHEST = { issue_type: 'regular', complaints: ['chest-pain'] }

/** What the interface says of a session, all at once. */
export async function told(system: Integrator, id: string) {
  const [info, status, count, summary] = await Promise.all([
    system.get(`/session/${id}`),
    system.get(`/session/${id}/status`),
    system.get('/accessControl/sessionCount'),
    system.get(`/session/${id}/summary?language=en`),
  ])
  return { ...info, ...status, completed: count.completed, active: count.active, summary: String(summary.data) }
}

/** Sentences about what must happen, and the story that shows it. */
export type Stories = Record<string, (place: Stage) => Promise<void>>
