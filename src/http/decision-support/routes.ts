import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { type Language, LEVELS } from '../../engine/content.ts'
import { fail, invalid, Problem } from '../../problems.ts'
import type { InterviewParts } from '../../session/interview/interview.ts'
import { judge, judgementsOf } from '../../session/judgement.ts'
import type { Session } from '../../session/open.ts'
import { pictureOf, versionOf } from '../../session/picture/picture.ts'
import { readByVisit } from '../../session/read.ts'
import { smallPicture } from '../../session/uploads/small.ts'
import { closeVisit, note, openVisit } from '../../session/visit.ts'
import type { Objects } from '../../store/objects.ts'
import { findKeptUpload } from '../../store/uploads.ts'
import { refuseCrossSite } from '../credentials.ts'
import { keptBytes, sendFile } from '../files.ts'
import { bodyOptional, InLanguage, languageOf, singleTexts } from '../parameters.ts'
import { answer, JudgementView, refTo, refusals, Summary, savedFile } from '../schemas.ts'
import { BegunVisit, PictureView, SignOfLife } from './schemas.ts'
import { clearVisitCookie, keepVisitCookie, setVisitCookie, type VisitContext, visitOf } from './visit.ts'

const tags = ['Decision support']
const security = [{ visitCookie: [] }, { visitSecret: [] }]
const LONGEST_REASON = 1_000

const Embedded = Type.Object({
  embedded: Type.Optional(Type.Boolean({ description: 'The page is shown in a frame of another site' })),
})
const nothing = { 204: { description: 'Done', type: 'null' as const } }

/** What a visit shows beyond the picture itself. */
export type VisitViews = InterviewParts & {
  objects: Objects | null
  summary: (session: Session, language: Language) => Promise<string>
}

/** The decision support API: a clinician's visit to one session. Every read is an audit entry first. */
export function decisionSupportRoutes(scope: FastifyInstance, context: VisitContext, views: VisitViews): void {
  const app = scope.withTypeProvider<TypeBoxTypeProvider>()
  const { core, publicUrl } = context
  const { objects } = views

  app.post(
    '/visits',
    {
      schema: {
        operationId: 'openVisit',
        summary: 'Exchange a link token for a visit',
        description: 'Works any number of times while the token does; each exchange is a visit of its own.',
        tags,
        security: [],
        body: Type.Object({
          token: Type.String({ maxLength: 200 }),
          configuration: Type.String({ maxLength: 60 }),
          ...Embedded.properties,
        }),
        response: { 201: answer(BegunVisit, 'The visit'), ...refusals(400, 403, 404, 405, 410, 413, 415) },
      },
    },
    async (request, reply) => {
      const { token, configuration, embedded = false } = request.body
      refuseCrossSite(request, publicUrl)
      const visit = await openVisit(core, token, configuration).catch((error) => {
        if (error instanceof Problem && error.code === 'link-not-found') context.invalidPerAddress.takeFrom(request)
        throw error
      })
      setVisitCookie(reply, publicUrl, visit.id, visit.secret, embedded)
      return reply.code(201).send({
        visitId: visit.id,
        secret: embedded ? visit.secret : null,
        auditUserIdentifier: visit.auditUserIdentifier,
        endsTimestamp: visit.endsAt.toISOString(),
      })
    },
  )

  app.post(
    '/alive',
    {
      schema: {
        operationId: 'keepVisit',
        summary: 'Sign of life of the open page',
        description: 'Says whether there is something new to see, and nothing of what it is: so it is no audit entry.',
        tags,
        security,
        body: Embedded,
        response: { 200: answer(SignOfLife, 'The visit goes on'), ...refusals(400, 401, 403, 405, 413, 415) },
      },
      preValidation: bodyOptional,
    },
    async (request, reply) => {
      const visit = await visitOf(request, context)
      keepVisitCookie(request, reply, context, request.body.embedded === true)
      return {
        version: versionOf(visit),
        ongoing: visit.status !== 'Ended' && visit.is_active,
        secondsLeft: visit.seconds_left,
      }
    },
  )

  app.post(
    '/close',
    {
      schema: {
        operationId: 'closeVisit',
        summary: 'End the visit',
        tags,
        security,
        body: Embedded,
        response: { ...nothing, ...refusals(400, 401, 403, 405, 413, 415) },
      },
      preValidation: bodyOptional,
    },
    async (request, reply) => {
      const visit = await visitOf(request, context)
      await closeVisit(core, visit)
      clearVisitCookie(reply, publicUrl, visit.id, request.body.embedded === true)
      return reply.code(204).send(null)
    },
  )

  app.get(
    '/picture',
    {
      schema: {
        operationId: 'getPicture',
        summary: 'Everything a clinician sees of the session',
        tags,
        security,
        querystring: InLanguage,
        response: { 200: answer(PictureView, 'The picture'), ...refusals(400, 401, 405) },
      },
      validatorCompiler: singleTexts,
    },
    async (request) => {
      const language = languageOf(request.query.language)
      const visit = await visitOf(request, context)
      const session = await readByVisit(core, visit, 'session.viewed', { language, version: versionOf(visit) })
      return pictureOf(views, visit, session, language ?? session.configuration.defaultLanguage)
    },
  )

  app.get(
    '/summary',
    {
      schema: {
        operationId: 'getVisitSummary',
        summary: 'The text summary, exactly as over the interface',
        tags,
        security,
        querystring: InLanguage,
        response: { 200: answer(Summary, 'The summary'), ...refusals(400, 401, 405) },
      },
      validatorCompiler: singleTexts,
    },
    async (request) => {
      const language = languageOf(request.query.language)
      const visit = await visitOf(request, context)
      const session = await readByVisit(core, visit, 'session.summary.read', { language })
      return { data: await views.summary(session, language ?? session.configuration.defaultLanguage) }
    },
  )

  app.get(
    '/files/:fileId',
    {
      config: { worksOnFiles: true },
      schema: {
        operationId: 'getVisitFile',
        summary: 'A file of the session',
        tags,
        security,
        params: Type.Object({ fileId: Type.String({ format: 'uuid' }) }),
        querystring: Type.Object({ size: Type.Optional(Type.Enum(['small', 'whole'])) }),
        response: {
          200: savedFile,
          ...refusals(400, 401, 404, 405),
        },
      },
    },
    async (request, reply) => {
      const { size = 'whole' } = request.query
      const visit = await visitOf(request, context)
      const { account_id: accountId, session_id: sessionId } = visit
      const id = request.params.fileId.toLowerCase()
      const kept = (await findKeptUpload(core.db, accountId, sessionId, id)) ?? fail('file-not-found')
      const { bytes, name } = await keptBytes(core, objects, accountId, sessionId, kept)
      const isSmall = size === 'small' && kept.mime_type.startsWith('image/')
      const shown = isSmall ? await smallPicture(bytes) : bytes
      await note(core, visit, 'session.file.read', { file: id, size })
      return sendFile(reply, isSmall ? 'image/jpeg' : kept.mime_type, name, shown)
    },
  )

  app.post(
    '/judgements',
    {
      schema: {
        operationId: 'judge',
        summary: 'Judge the urgency differently',
        tags,
        security,
        body: Type.Object({
          id: Type.String({
            format: 'uuid',
            description: 'Made by the client; the same id again is the same judgement',
          }),
          urgency: Type.Enum([...LEVELS]),
          reason: Type.String({ minLength: 1, maxLength: LONGEST_REASON }),
        }),
        response: {
          201: { type: 'array', items: refTo(JudgementView), description: 'All judgements about the session' },
          ...refusals(400, 401, 403, 405, 413, 415),
        },
      },
    },
    async (request, reply) => {
      const { id, urgency, reason } = request.body
      if (reason.trim() === '') invalid('/reason', 'is required')
      const visit = await visitOf(request, context)
      const session = await readByVisit(core, visit, 'session.judgements.read')
      await judge(core, visit, session, { id, level: urgency, reason: reason.trim() })
      return reply.code(201).send(await judgementsOf(core, session))
    },
  )
}
