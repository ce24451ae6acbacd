import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import { fhirOf } from '../../session/handoff/fhir/fhir.ts'
import { handoffOf } from '../../session/handoff/handoff.ts'
import type { InterviewParts } from '../../session/interview/interview.ts'
import { readByKey } from '../../session/read.ts'
import type { Objects } from '../../store/objects.ts'
import { sendFhir, sendPdf } from '../documents.ts'
import { fileAddress } from '../files.ts'
import { InLanguage, idOf, idOr, languageOf, SessionParams, singleTexts } from '../parameters.ts'
import { refusals } from '../schemas.ts'
import { callerOf } from './caller.ts'

export type HandoffParts = InterviewParts & { objects: Objects | null; publicUrl: string }

/** Our additions for handing a session over: a PDF to read and print, and a FHIR R4 document for other systems. */
export function handoffRoutes(scope: FastifyInstance, parts: HandoffParts): void {
  const { core, objects, publicUrl } = parts
  const app = scope.withTypeProvider<TypeBoxTypeProvider>()
  const known = { preValidation: idOr('session-not-found'), validatorCompiler: singleTexts }
  const described = { tags: ['Sessions'], params: SessionParams, querystring: InLanguage }

  app.get(
    '/session/:sessionId/pdf',
    {
      config: { priority: 'exports' },
      ...known,
      schema: {
        operationId: 'getSessionPdf',
        summary: 'Summary as PDF',
        description:
          'An addition to the documented interface: the session on one or two tagged A4 pages, with small pictures of its files.',
        ...described,
        response: {
          200: {
            description: 'The pages',
            content: { 'application/pdf': { schema: { contentMediaType: 'application/pdf' } } },
          },
          ...refusals(400, 401, 403, 404, 405),
        },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request)
      const language = languageOf(request.query.language) ?? caller.configuration.defaultLanguage
      const session = await readByKey(core, caller, idOf(request), 'session.pdf.read')
      const handoff = await handoffOf(parts, session, language)
      const { pdfOf } = await import('../../session/handoff/pdf/pdf.ts') // loaded on first use: it is large
      return sendPdf(reply, session.row.id, await pdfOf(core, objects, handoff))
    },
  )

  app.get(
    '/session/:sessionId/fhir',
    {
      config: { priority: 'exports' },
      ...known,
      schema: {
        operationId: 'getSessionFhir',
        summary: 'Session as FHIR R4 document',
        description:
          'An addition to the documented interface: a Bundle of type document with patient, encounter, interview, findings, urgency, files and provenance.',
        ...described,
        response: {
          200: {
            description: 'The bundle',
            content: {
              'application/fhir+json': {
                schema: {
                  type: 'object',
                  required: ['resourceType', 'type', 'entry'],
                  properties: {
                    resourceType: { const: 'Bundle' },
                    type: { const: 'document' },
                    entry: { type: 'array', items: { type: 'object', additionalProperties: true } },
                  },
                  additionalProperties: true,
                },
              },
            },
          },
          ...refusals(400, 401, 403, 404, 405),
        },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request)
      const language = languageOf(request.query.language) ?? caller.configuration.defaultLanguage
      const session = await readByKey(core, caller, idOf(request), 'session.fhir.read')
      const handoff = await handoffOf(parts, session, language)
      const listed = { accountId: caller.accountId, keyId: caller.keyId }
      const fileUrl = (id: string) => fileAddress(core, publicUrl, { ...listed, sessionId: session.row.id }, id)
      return sendFhir(reply, fhirOf(handoff, publicUrl, fileUrl))
    },
  )
}
