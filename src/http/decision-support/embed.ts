import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { pathInRoot } from '../../root.ts'

/** The manager script as it is in the repository: a host page runs exactly these bytes. */
const SCRIPT = readFileSync(pathInRoot('web/embed/decision-support.js'))
const TYPES = readFileSync(pathInRoot('web/embed/decision-support.d.ts'))

/** Raised with every change of the script's bytes: an address with a full version never changes its response. */
export const SCRIPT_VERSION = '1.0.0'
export const SCRIPT_INTEGRITY = `sha384-${createHash('sha384').update(SCRIPT).digest('base64')}`

const A_DAY = 'public, max-age=86400, immutable'
const BRIEFLY = 'public, max-age=300'

/** Host pages on any origin may load these, and check them against the published hash. */
const forEveryone = (reply: FastifyReply, type: string, cache: string): FastifyReply =>
  reply
    .header('content-type', type)
    .header('cache-control', cache)
    .header('access-control-allow-origin', '*')
    .header('cross-origin-resource-policy', 'cross-origin')

/** The manager script, its types, and the hash to pin it with. */
export function embedRoutes(app: FastifyInstance, publicUrl: string): void {
  const hidden = { schema: { hide: true } }
  const exact = `/embed/${SCRIPT_VERSION}/decision-support`
  for (const [path, cache] of [
    ['/embed/v1/decision-support', BRIEFLY],
    [exact, A_DAY],
  ] as const) {
    app.get(`${path}.js`, hidden, (_request, reply) =>
      forEveryone(reply, 'text/javascript; charset=utf-8', cache).send(SCRIPT),
    )
    app.get(`${path}.d.ts`, hidden, (_request, reply) =>
      forEveryone(reply, 'text/plain; charset=utf-8', cache).send(TYPES),
    )
  }
  app.get('/embed/v1/integrity.json', hidden, (_request, reply) =>
    forEveryone(reply, 'application/json; charset=utf-8', BRIEFLY).send(
      JSON.stringify({ version: SCRIPT_VERSION, url: `${publicUrl}${exact}.js`, integrity: SCRIPT_INTEGRITY }),
    ),
  )
}
