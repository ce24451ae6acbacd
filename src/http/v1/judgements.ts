import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import type { Core } from '../../events/core.ts'
import { judgementsOf } from '../../session/judgement.ts'
import { readByKey } from '../../session/read.ts'
import { idOf, idOr, SessionParams, singleTexts } from '../parameters.ts'
import { JudgementView, refTo, refusals } from '../schemas.ts'
import { callerOf } from './caller.ts'

/** Our addition to the ten: what clinicians judged differently. */
export function judgementsRoute(scope: FastifyInstance, core: Core): void {
  scope.withTypeProvider<TypeBoxTypeProvider>().get(
    '/session/:sessionId/judgements',
    {
      preValidation: idOr('session-not-found'),
      validatorCompiler: singleTexts,
      schema: {
        operationId: 'getSessionJudgements',
        summary: 'Judgements of clinicians',
        description:
          'An addition to the documented interface: where a clinician judged the urgency differently, and why.',
        tags: ['Sessions'],
        params: SessionParams,
        response: {
          200: { type: 'array', items: refTo(JudgementView), description: 'The judgements, oldest first' },
          ...refusals(401, 403, 404, 405),
        },
      },
    },
    async (request) =>
      judgementsOf(core, await readByKey(core, callerOf(request), idOf(request), 'session.judgements.read')),
  )
}
