import { setTimeout as wait } from 'node:timers/promises'
import { type Reply, send } from '../world/call.ts'

/** What came of a load: each answer's status, what was refused, what failed without an answer, and the ids that were acknowledged. */
export type Load = {
  statuses: Map<number, number>
  refusals: Reply[]
  failures: unknown[]
  acknowledged: string[]
  stop: () => Promise<void>
}

/** Creates sessions without a pause from several clients at once, until it is stopped. */
export function createSessions(url: string, key: string, { clients = 4, pauseMs = 10, keepAlive = false } = {}): Load {
  let isStopped = false
  const load: Omit<Load, 'stop'> = { statuses: new Map(), refusals: [], failures: [], acknowledged: [] }
  const client = async () => {
    while (!isStopped) {
      try {
        const reply = await (keepAlive ? fetched : send)(`${url}/api/v1/session`, 'POST', {
          key,
          json: { text: 'A cough' },
        })
        load.statuses.set(reply.status, (load.statuses.get(reply.status) ?? 0) + 1)
        if (reply.status === 201) load.acknowledged.push((reply.body as { sessionId: string }).sessionId)
        else load.refusals.push(reply)
      } catch (error) {
        load.failures.push(error)
      }
      await wait(pauseMs)
    }
  }
  const running = Promise.all(Array.from({ length: clients }, client))
  return {
    ...load,
    stop: async () => {
      isStopped = true
      await running
    },
  }
}

/** The same on a connection that is kept, as most callers and proxies do. */
async function fetched(url: string, method: string, { key, json }: { key: string; json: unknown }): Promise<Reply> {
  const headers = { 'x-service-api-key': key, 'content-type': 'application/json' }
  const reply = await fetch(url, { method, headers, body: JSON.stringify(json) })
  const text = await reply.text()
  return { status: reply.status, headers: Object.fromEntries(reply.headers), text, body: JSON.parse(text) }
}

/** Those among the acknowledged sessions that cannot be found. */
export async function lostOf(url: string, key: string, acknowledged: readonly string[]): Promise<string[]> {
  const lost: string[] = []
  for (const id of acknowledged) {
    const { status } = await send(`${url}/api/v1/session/${id}/status`, 'GET', { key })
    if (status !== 200) lost.push(id)
  }
  return lost
}
