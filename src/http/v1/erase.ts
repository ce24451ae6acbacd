import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import type { Core } from '../../events/core.ts'
import { fail } from '../../problems.ts'
import { eraseWithFiles } from '../../session/upkeep/erase.ts'
import type { Objects } from '../../store/objects.ts'
import { idOf, idOr, SessionParams, singleTexts } from '../parameters.ts'
import { refusals } from '../schemas.ts'
import { callerOf } from './caller.ts'

/** Our addition to the ten: erases a session, as `fyr session erase` does. */
export function eraseRoute(scope: FastifyInstance, core: Core, objects: Objects | null): void {
  scope.withTypeProvider<TypeBoxTypeProvider>().delete(
    '/session/:sessionId',
    {
      preValidation: idOr('session-not-found'),
      validatorCompiler: singleTexts,
      schema: {
        operationId: 'eraseSession',
        summary: 'Erase a session',
        description:
          'An addition to the documented interface: erases what the session holds, for good. Its key is deleted; links, visits and user cookies end at once. From then on the session is answered with 404, so sending this again is too. Counts and audit entries stay.',
        tags: ['Sessions'],
        params: SessionParams,
        response: {
          204: { type: 'null', description: 'The session is erased' },
          ...refusals(401, 403, 404, 405),
        },
      },
    },
    async (request, reply) => {
      const { accountId, configurationId, keyId } = callerOf(request)
      const found = await core.findSession({ accountId, configurationId, id: idOf(request) })
      const { id } = found ?? fail('session-not-found')
      await eraseWithFiles(core, objects, accountId, id, `key:${keyId}`)
      return reply.code(204).send(null)
    },
  )
}
