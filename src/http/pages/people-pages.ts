import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LANGUAGES } from '../../engine/content.ts'
import { Problem } from '../../problems.ts'
import { wantsPage } from '../accept.ts'
import { sendProblem } from '../errors.ts'
import { preferredLanguage } from '../preferred-language.ts'
import { newNonce, sendPage } from './html.ts'
import { LANGUAGE_COOKIE } from './patient-page.ts'
import { staticPage } from './static-page.ts'

/**
 * The address of the service itself, and all that lead nowhere. People get a page in their language that says what to
 * do and whom to call; programs get JSON.
 */
export function peoplePages(
  app: FastifyInstance,
  publicUrl: string,
  emergencyNumber: () => Promise<string | null>,
): void {
  app.get('/', { schema: { hide: true } }, (request, reply) => {
    if (wantsPage(request)) return page(request, reply, 'front')
    const at = (path: string) => `${publicUrl}${path}`
    return reply
      .header('vary', 'accept')
      .send({ documentation: at('/api/docs'), openapi: at('/api/openapi.json'), problems: at('/problems') })
  })

  app.setNotFoundHandler((request, reply) => {
    try {
      return app.refuseUnknownPath(request)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      if (error.code === 'not-found' && wantsPage(request)) return page(request, reply.code(404), 'missing')
      reply.header('vary', 'accept')
      sendProblem(reply, error, publicUrl)
      return reply
    }
  })

  async function page(request: FastifyRequest, reply: FastifyReply, about: 'front' | 'missing'): Promise<FastifyReply> {
    const number = await emergencyNumber()
    const language = preferredLanguage(request, LANGUAGES, 'en', request.cookies?.[LANGUAGE_COOKIE])
    const nonce = newNonce()
    const numbers = number === null ? null : { emergencyNumber: number, clinicPhone: null }
    const html = staticPage([language], numbers, about, nonce)
    return sendPage(reply.header('vary', 'accept, accept-language, cookie'), { html, nonce, framedBy: [] })
  }
}
