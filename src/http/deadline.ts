import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import { Problem } from '../problems.ts'

const TICK_MS = 200
/** Slightly less than the five seconds that are promised. */
const DEADLINE_TICKS = 23
/** Files and documents take longer, whatever the database does. */
const LONG_DEADLINE_TICKS = 125
/** Where the route itself reads the body: as long as a request may take to arrive. */
const ARRIVING_TICKS = 150

declare module 'fastify' {
  interface FastifyContextConfig {
    /** It works on whole files, or fetches them from another store. */
    worksOnFiles?: boolean
  }
  interface FastifyRequest {
    /** How long it waited for the database before it came to its route. */
    waitedMs: number
  }
}

type Running = { untilTick: number; refuse: (problem: Problem) => void }

/**
 * Refuses requests not answered by their deadline: a slow but responding database could otherwise hold a request once
 * for every statement. Counted in ticks of one clock for all: a timer for each request would cost more, and a machine
 * that stood still for a moment has not been waiting for the database.
 */
export function answerInTime(app: FastifyInstance): void {
  const running = new Set<Running>()
  let tick = 0
  const clock = setInterval(() => {
    tick++
    for (const one of running) {
      if (one.untilTick > tick) continue
      running.delete(one)
      one.refuse(new Problem('database-away', { headers: { 'retry-after': '1' } }))
    }
  }, TICK_MS).unref()
  app.addHook('onClose', (_app, done) => {
    clearInterval(clock)
    done()
  })
  app.decorateRequest('waitedMs', 0)

  function inTime<T>(work: Promise<T>, request: FastifyRequest, ticks: number): Promise<T> {
    return new Promise((done, refuse) => {
      const one = { untilTick: tick + ticks - Math.floor(request.waitedMs / TICK_MS), refuse }
      running.add(one)
      const leave = () => running.delete(one)
      work.then(
        (answer) => {
          leave()
          done(answer)
        },
        (error) => {
          leave()
          refuse(error)
        },
      )
    })
  }

  app.addHook('onRoute', (route) => {
    const { handler } = route
    const arriving = route.config?.takesBytes === true ? ARRIVING_TICKS : 0
    const ticks = arriving + (isLong(route) ? LONG_DEADLINE_TICKS : DEADLINE_TICKS)
    route.handler = function (request, reply) {
      const work: unknown = handler.call(this, request, reply)
      return work instanceof Promise ? inTime(work, request, ticks) : work
    }
  })
}

const isLong = ({ config }: RouteOptions): boolean =>
  config?.takesBytes === true || config?.worksOnFiles === true || config?.priority === 'exports'
