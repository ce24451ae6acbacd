import type { FastifyInstance, FastifyReply } from 'fastify'
import { fail } from '../problems.ts'
import { readRelease } from '../session/content/stored.ts'
import { contentSystemOf, EXTENDED_DATA_DEFINITION, programSystemOf } from '../session/handoff/fhir/code-systems.ts'
import { addressOf, OF_CONTENT, OF_PROGRAM, PROGRAM_VERSION } from '../session/handoff/fhir/codes.ts'
import type { InterviewParts } from '../session/interview/interview.ts'
import { findRelease } from '../store/content/releases.ts'
import { sendFhir } from './documents.ts'
import type { RateLimit } from './rate-limits.ts'

/** Releases whose code systems are kept ready; those of one are some megabytes. */
const MOST_KEPT = 3
/** Writing them out takes a moment in which nobody else is answered: a node does it at most so often, whoever asks. */
const WRITTEN_EVERY_MS = 10_000
const VERSION = /^[\w.-]{1,64}$/
const LATER = { headers: { 'retry-after': String(WRITTEN_EVERY_MS / 1_000) } }
const HOW = { schema: { hide: true }, config: { priority: 'exports' } } as const

type Texts = ReadonlyMap<string, string>
type Query = { url?: unknown; version?: unknown }

/**
 * What stands behind our codes in FHIR, for whoever receives them: code systems of the release in use or of the one that
 * is asked for, by name or by their address. Nothing in it is about anybody, so it takes no key.
 */
export function terminologyRoutes(
  app: FastifyInstance,
  { core, releases, looks }: Pick<InterviewParts, 'core' | 'releases'> & { looks: RateLimit },
): void {
  const kept = new Map<string, Promise<Texts>>()
  let writtenAt = Number.NEGATIVE_INFINITY

  /** The code system as JSON; null when there is none of this name or version. */
  async function textOf(system: string, wished: unknown): Promise<string | null> {
    const ofProgram = OF_PROGRAM.find((one) => one === system)
    if (ofProgram)
      return wished === undefined || wished === PROGRAM_VERSION ? JSON.stringify(programSystemOf(ofProgram)) : null
    if (!OF_CONTENT.some((one) => one === system)) return null
    const version = wished === undefined ? await releases.versionFor({ contentVersion: null }) : String(wished)
    if (version === null) return fail('content-unavailable', LATER)
    return VERSION.test(version) ? ((await textsOf(version))?.get(system) ?? null) : null
  }

  async function textsOf(version: string): Promise<Texts | null> {
    const known = kept.get(version)
    if (known) return known
    if (!(await findRelease(core.db, version))) return null
    return kept.get(version) ?? keep(version)
  }

  function keep(version: string): Promise<Texts> {
    if (performance.now() < writtenAt + WRITTEN_EVERY_MS) return fail('overloaded', LATER)
    writtenAt = performance.now()
    const made = written(version)
    const [oldest] = kept.keys()
    if (kept.size >= MOST_KEPT && oldest !== undefined) kept.delete(oldest)
    kept.set(version, made)
    made.catch(() => kept.delete(version))
    return made
  }

  /** Read from the database and let go again: an old release is not kept in memory because someone asked for its codes. */
  async function written(version: string): Promise<Texts> {
    const stored = await readRelease(core, version)
    if (stored.kind !== 'whole') return fail('content-unavailable', LATER)
    return new Map(OF_CONTENT.map((system) => [system, JSON.stringify(contentSystemOf(system, stored.content))]))
  }

  app.get<{ Params: { system: string }; Querystring: Query }>(
    '/fhir/CodeSystem/:system',
    HOW,
    async (request, reply) => {
      looks.takeFrom(request)
      return sendText(reply, (await textOf(request.params.system, request.query.version)) ?? fail('not-found'))
    },
  )

  /** How a terminology client looks a code system up. */
  app.get<{ Querystring: Query }>('/fhir/CodeSystem', HOW, async (request, reply) => {
    looks.takeFrom(request)
    const { url, version } = request.query
    const system = [...OF_CONTENT, ...OF_PROGRAM].find((one) => addressOf(one) === url)
    const text = system ? await textOf(system, version) : null
    const entry = text === null ? '' : `,"entry":[{"fullUrl":${JSON.stringify(url)},"resource":${text}}]`
    return sendText(reply, `{"resourceType":"Bundle","type":"searchset","total":${text === null ? 0 : 1}${entry}}`)
  })

  app.get('/fhir/StructureDefinition/extended-data', HOW, (_request, reply) =>
    sendFhir(reply, EXTENDED_DATA_DEFINITION),
  )
}

const sendText = (reply: FastifyReply, text: string): FastifyReply =>
  reply.header('content-type', 'application/fhir+json; charset=utf-8').send(text)
