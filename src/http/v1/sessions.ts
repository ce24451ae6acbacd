import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { Language as LanguageCode } from '../../engine/content.ts'
import type { Core } from '../../events/core.ts'
import { fail, invalid } from '../../problems.ts'
import { createSession, type Front, type NewSession as NewSessionInput } from '../../session/create.ts'
import type { Session } from '../../session/open.ts'
import { readByKey } from '../../session/read.ts'
import { matterOf } from '../../session/sealed.ts'
import { issueLink } from '../../session/visit.ts'
import { userWasPatient } from '../../session/who.ts'
import { statusReader } from '../../store/sessions.ts'
import { bodyOptional, InLanguage, idOf, idOr, languageOf, SessionParams, singleTexts } from '../parameters.ts'
import { answer, refTo, refusals, Summary, URGENCIES } from '../schemas.ts'
import { callerOf } from './caller.ts'
import { CreatedSession, File, Link, NewSession, SessionInfo, Status } from './schemas.ts'

const tags = ['Sessions']
const LONGEST_IDENTIFIER = 256
const LARGEST_EXTENDED_DATA_BYTES = 4_096
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/

/** What the session routes show of a session beyond its own row. */
export type SessionViews = {
  managerScriptUrl: string
  files: (session: Session, keyId: string) => Promise<{ mimeType: string; downloadUrl: string }[]>
  summary: (session: Session, language: LanguageCode) => Promise<string>
}

/** Endpoints 1 to 6: create a session and read its results. */
export function sessionRoutes(scope: FastifyInstance, core: Core, front: Front, views: SessionViews): void {
  const app = scope.withTypeProvider<TypeBoxTypeProvider>()
  const inFlight = new Set<string>()
  const statusOf = statusReader(core.db)
  const params = { params: SessionParams }
  const known = { preValidation: idOr('session-not-found'), validatorCompiler: singleTexts }

  app.post(
    '/session',
    {
      schema: {
        operationId: 'createSession',
        summary: 'Create a session',
        description:
          'Everything in the body is optional, the body too. With an Idempotency-Key a repeated request makes one session only.',
        tags,
        body: refTo(NewSession),
        headers: Type.Object({ 'idempotency-key': Type.Optional(Type.String({ maxLength: 255 })) }),
        response: { 201: answer(CreatedSession, 'The session'), ...refusals(400, 401, 403, 404, 405, 409, 413, 415) },
      },
      preValidation: bodyOptional,
    },
    async (request, reply) => {
      const caller = callerOf(request)
      const given = readNewSession(request)
      const session = await createSession(core, front, caller, given, idempotencyOf(request), inFlight)
      return reply.code(201).header('location', `${front.publicUrl}/api/v1/session/${session.sessionId}`).send(session)
    },
  )

  app.get(
    '/session/:sessionId',
    {
      ...known,
      schema: {
        operationId: 'getSession',
        summary: 'Session info',
        tags,
        ...params,
        response: { 200: answer(SessionInfo, 'The session'), ...refusals(401, 403, 404, 405) },
      },
    },
    async (request) => presentInfo(await readByKey(core, callerOf(request), idOf(request), 'session.read')),
  )

  app.get(
    '/session/:sessionId/status',
    {
      ...known,
      preValidation: idOr('invalid-request'),
      schema: {
        operationId: 'getSessionStatus',
        summary: 'Session status',
        tags,
        ...params,
        response: { 200: answer(Status, 'The status'), ...refusals(400, 401, 403, 404, 405) },
      },
    },
    async (request) => {
      const { accountId, configurationId } = callerOf(request)
      return {
        sessionStatus: (await statusOf({ accountId, configurationId, id: idOf(request) })) ?? fail('session-not-found'),
      }
    },
  )

  app.get(
    '/session/:sessionId/decisionSupportLink',
    {
      ...known,
      schema: {
        operationId: 'getDecisionSupportLink',
        summary: 'Decision support link',
        description: 'The link is valid for 5 minutes. The identifier is in all audit entries of the visit.',
        tags,
        ...params,
        querystring: Type.Object({ auditUserIdentifier: Type.String({ minLength: 1, maxLength: LONGEST_IDENTIFIER }) }),
        response: { 200: answer(Link, 'The link'), ...refusals(400, 401, 403, 404, 405) },
      },
    },
    async (request) => {
      const identifier = identifierOf(request.query.auditUserIdentifier)
      const issued = await issueLink(core, front.publicUrl, callerOf(request), idOf(request), identifier)
      return { ...issued, managerScriptUrl: views.managerScriptUrl }
    },
  )

  app.get(
    '/session/:sessionId/files',
    {
      ...known,
      schema: {
        operationId: 'getSessionFiles',
        summary: 'Files',
        description:
          'All files uploaded during the session, oldest first. They can be fetched as long as the user cookie is alive.',
        tags,
        ...params,
        response: {
          200: { type: 'array', items: refTo(File), description: 'The files' },
          ...refusals(401, 403, 404, 405),
        },
      },
    },
    async (request) => {
      const caller = callerOf(request)
      return views.files(await readByKey(core, caller, idOf(request), 'session.files.read'), caller.keyId)
    },
  )

  app.get(
    '/session/:sessionId/summary',
    {
      ...known,
      schema: {
        operationId: 'getSessionSummary',
        summary: 'Text summary',
        tags,
        ...params,
        querystring: InLanguage,
        response: { 200: answer(Summary, 'The summary'), ...refusals(400, 401, 403, 404, 405) },
      },
    },
    async (request) => {
      const caller = callerOf(request)
      const language = languageOf(request.query.language) ?? caller.configuration.defaultLanguage
      const session = await readByKey(core, caller, idOf(request), 'session.summary.read')
      return { data: await views.summary(session, language) }
    },
  )
}

function identifierOf(text: string | undefined): string {
  if (text === undefined || text.trim() === '') return invalid('/query/auditUserIdentifier', 'is required')
  if ([...text].length > LONGEST_IDENTIFIER)
    invalid('/query/auditUserIdentifier', `may have ${LONGEST_IDENTIFIER} characters`)
  if (text.includes('\0')) invalid('/query/auditUserIdentifier', 'must not hold a NUL')
  return text
}

/** The named fields only: anything unknown is neither read nor stored. */
function readNewSession(request: FastifyRequest): NewSessionInput {
  const body = (request.body ?? {}) as NewSessionInput
  const {
    patient,
    languageCode,
    text,
    userIsPatient,
    issueType,
    sessionFlow,
    overrideDemandManagement,
    extendedData,
    returnUrl,
    signs,
  } = body
  if (extendedData !== undefined && Buffer.byteLength(JSON.stringify(extendedData)) > LARGEST_EXTENDED_DATA_BYTES) {
    invalid('/extendedData', 'may have 4 KiB')
  }
  return {
    ...(patient && {
      patient: {
        age: patient.age ?? null,
        birthDate: patient.birthDate ?? null,
        sex: patient.sex ?? null,
        reference: patient.reference?.trim() ? patient.reference : null,
      },
    }),
    languageCode: languageCode ?? null,
    text: text?.trim() ? text : null,
    userIsPatient: userIsPatient ?? null,
    issueType: issueType ?? null,
    sessionFlow: sessionFlow ?? null,
    overrideDemandManagement: overrideDemandManagement ?? null,
    extendedData,
    returnUrl: returnUrl ?? null,
    signs: signs && Object.keys(signs).length > 0 ? signs : null,
  }
}

function idempotencyOf(request: FastifyRequest): { key: string; body: string } | null {
  const key = request.headers['idempotency-key']
  if (key === undefined) return null
  if (typeof key !== 'string' || !IDEMPOTENCY_KEY.test(key)) {
    invalid('/headers/idempotency-key', 'must be 1 to 255 visible ASCII characters')
  }
  return { key, body: request.bodyText }
}

const momentOf = (moment: Date | null) => moment?.toISOString() ?? null

function presentInfo(session: Session) {
  const { row } = session
  return {
    descriptionOfMatter: matterOf(session),
    patientAge: row.patient_age,
    patientSex: row.patient_sex,
    sessionCompletedTimestamp: momentOf(row.completed_at),
    sessionCreatedTimestamp: row.created_at.toISOString(),
    urgency: URGENCIES[row.urgency ?? 0] ?? 'No urgency set',
    userStartedTimestamp: momentOf(row.started_at),
    userWasPatient: userWasPatient(row),
    issueType: row.issue_type,
  }
}
