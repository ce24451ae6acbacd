import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import type { Core } from '../../events/core.ts'
import { contactOf, patientReferenceOf } from '../../session/contact.ts'
import { readByKey } from '../../session/read.ts'
import { idOf, idOr, SessionParams, singleTexts } from '../parameters.ts'
import { answer, refusals } from '../schemas.ts'
import { callerOf } from './caller.ts'
import { Contact } from './schemas.ts'

/** Our addition to the ten: how the patient can be reached. Nothing else in the interface tells it, nor does a webhook. */
export function contactRoute(scope: FastifyInstance, core: Core): void {
  scope.withTypeProvider<TypeBoxTypeProvider>().get(
    '/session/:sessionId/contact',
    {
      preValidation: idOr('session-not-found'),
      validatorCompiler: singleTexts,
      schema: {
        operationId: 'getSessionContact',
        summary: 'How the patient can be reached',
        description:
          'An addition to the documented interface: the telephone number that the user left, and the reference that the session was created with.',
        tags: ['Sessions'],
        params: SessionParams,
        response: {
          200: answer(Contact, 'The contact; null where nothing was given'),
          ...refusals(401, 403, 404, 405),
        },
      },
    },
    async (request) => {
      const session = await readByKey(core, callerOf(request), idOf(request), 'session.contact.read')
      const { phone, when } = contactOf(session) ?? { phone: null, when: null }
      return { phone, when, reference: patientReferenceOf(session) }
    },
  )
}
