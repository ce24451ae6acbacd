import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { fhirOf } from '../../session/handoff/fhir/fhir.ts'
import { handoffOf } from '../../session/handoff/handoff.ts'
import type { InterviewParts } from '../../session/interview/interview.ts'
import { readByVisit } from '../../session/read.ts'
import type { Objects } from '../../store/objects.ts'
import { sendFhir, sendPdf } from '../documents.ts'
import { fileAddress } from '../files.ts'
import { InLanguage, languageOf, singleTexts } from '../parameters.ts'
import { refusals } from '../schemas.ts'
import { type VisitContext, visitOf } from './visit.ts'

const described = {
  tags: ['Decision support'],
  security: [{ visitCookie: [] }, { visitSecret: [] }],
  querystring: InLanguage,
}

/** The hand-offs of the interface for the visiting clinician: the same documents, audited under the visit. */
export function visitHandoffRoutes(
  scope: FastifyInstance,
  context: VisitContext,
  parts: InterviewParts & { objects: Objects | null },
): void {
  const app = scope.withTypeProvider<TypeBoxTypeProvider>()
  const { core, publicUrl } = context
  const { objects } = parts

  /** The visited session for hand-off, in the requested language or the configuration's own; the read is recorded first. */
  async function opened(request: FastifyRequest<{ Querystring: { language?: string } }>, action: string) {
    const wished = languageOf(request.query.language)
    const visit = await visitOf(request, context)
    const session = await readByVisit(core, visit, action, { language: wished })
    const handoff = await handoffOf(parts, session, wished ?? session.configuration.defaultLanguage)
    return { handoff, keyId: visit.key_id }
  }

  app.get(
    '/pdf',
    {
      config: { priority: 'exports' },
      schema: {
        operationId: 'getVisitPdf',
        summary: 'Summary as PDF',
        ...described,
        response: {
          200: {
            description: 'The pages',
            content: { 'application/pdf': { schema: { contentMediaType: 'application/pdf' } } },
          },
          ...refusals(400, 401, 405),
        },
      },
      validatorCompiler: singleTexts,
    },
    async (request, reply) => {
      const { handoff } = await opened(request, 'session.pdf.read')
      const { pdfOf } = await import('../../session/handoff/pdf/pdf.ts') // loaded on first use: it is large
      return sendPdf(reply, handoff.session.row.id, await pdfOf(core, objects, handoff))
    },
  )

  app.get(
    '/fhir',
    {
      config: { priority: 'exports' },
      schema: {
        operationId: 'getVisitFhir',
        summary: 'Session as FHIR R4 document',
        ...described,
        response: {
          200: {
            description: 'The bundle',
            content: { 'application/fhir+json': { schema: { type: 'object', additionalProperties: true } } },
          },
          ...refusals(400, 401, 405),
        },
      },
      validatorCompiler: singleTexts,
    },
    async (request, reply) => {
      const { handoff, keyId } = await opened(request, 'session.fhir.read')
      const { accountId, row } = handoff.session
      const fileUrl = (id: string) => fileAddress(core, publicUrl, { accountId, sessionId: row.id, keyId }, id)
      return sendFhir(reply, fhirOf(handoff, publicUrl, fileUrl))
    },
  )
}
