import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { ConfigurationDocument } from '../../account/configuration.ts'
import { readDocument } from '../../account/configuration.ts'
import { fail, Problem } from '../../problems.ts'
import { answerQuestion, goBack, MovedOn } from '../../session/chat/answer.ts'
import { proposeComplaints, searchComplaints } from '../../session/chat/complaints.ts'
import { emergencyCheck } from '../../session/chat/emergency.ts'
import { answeredQuestion } from '../../session/chat/question.ts'
import type { UserSession } from '../../session/chat/user.ts'
import { languageOf } from '../../session/chat/user.ts'
import { viewOf } from '../../session/chat/view.ts'
import { type Completion, finish, stop } from '../../session/end.ts'
import { enterInvited, enterOpen, signOut } from '../../session/enter.ts'
import { changeLanguage } from '../../store/answers.ts'
import { type ConfigurationRow, findConfigurationBySlug } from '../../store/configurations.ts'
import { hashOf } from '../../store/seal.ts'
import { answer, refTo, refusals } from '../interface/api.ts'
import { publicConfiguration } from './public-configuration.ts'
import {
  AnswerValue,
  EmergencyCheck,
  EnteredSession,
  languageParameter,
  Proposals,
  PublicConfiguration,
  QuestionView,
  SessionView,
} from './schemas.ts'
import {
  clearUserCookie,
  cookieName,
  presentedBy,
  refuseCrossSite,
  setUserCookie,
  type UserDoorway,
  userOf,
} from './user.ts'

const tags = ['Triage']
const slugParams = { params: Type.Object({ slug: Type.String({ maxLength: 60 }) }) }
const id = Type.String({ format: 'uuid', description: 'Made by the client; the same id again is the same answer' })
const version = Type.Integer({ minimum: 0, description: 'The version of the session this is based on' })
const credential = Type.Optional(
  Type.Enum(['cookie', 'bearer'], { description: 'bearer: no cookie is set; the session’s secret is the credential' }),
)
const embedded = Type.Optional(Type.Boolean({ description: 'The page is shown in a frame of another site' }))
const security = [{ userCookie: [] }, { sessionSecret: [] }]

/** The triage API: a session from the front door to its end, for our own app and for an integrator's. */
export function triageRoutes(scope: FastifyInstance, doorway: UserDoorway, completion: Completion): void {
  const app = scope.withTypeProvider<TypeBoxTypeProvider>()
  const { core, releases, publicUrl } = doorway
  const view = {
    200: answer(SessionView, 'The session as it is now'),
    ...refusals(400, 401, 403, 404, 405, 409, 410, 413, 415),
  }

  /** Runs a change; when the session has moved on, the refusal carries the session as it is now. */
  async function changing(
    request: FastifyRequest,
    change: (user: UserSession) => Promise<UserSession>,
  ): Promise<ReturnType<typeof viewOf>> {
    const user = await userOf(request, doorway)
    try {
      const after = await change(user)
      const { row, history, step } = after
      releases.recent.keep(row.id, { version: row.version, history, step })
      return await viewOf(core, after)
    } catch (error) {
      if (!(error instanceof MovedOn)) throw error
      const now = await userOf(request, doorway)
      const answerId = (request.body as { id?: unknown } | undefined)?.id
      if (now.history.some((entry) => entry.id === answerId)) return viewOf(core, now) // the first sending of this very answer won
      throw new Problem(error.problem.code, { members: { current: await viewOf(core, now) } })
    }
  }

  app.get(
    '/configurations/:slug',
    {
      schema: {
        operationId: 'getConfiguration',
        summary: 'What a configuration shows to everyone',
        tags,
        security: [],
        ...slugParams,
        response: { 200: answer(PublicConfiguration, 'The configuration'), ...refusals(404, 405) },
      },
    },
    async (request) => {
      const { account_id: accountId, slug, read } = await configurationAt(request.params.slug)
      return publicConfiguration(core, releases, accountId, slug, read)
    },
  )

  app.post(
    '/configurations/:slug/sessions',
    {
      schema: {
        operationId: 'enterOpen',
        summary: 'Enter by the public address',
        description: 'Creates a session under a configuration of type OPEN and enters it.',
        tags,
        security: [],
        ...slugParams,
        body: Type.Object({ language: Type.Optional(languageParameter), credential, embedded }),
        response: { 201: answer(EnteredSession, 'The session'), ...refusals(400, 403, 404, 405, 413, 415) },
      },
      preValidation: bodyOptional,
    },
    async (request, reply) => {
      const { language = null, credential: kind = 'cookie' } = request.body
      if (kind === 'cookie') refuseCrossSite(request, publicUrl)
      doorway.perUser.take(request.ip)
      const configuration = await configurationAt(request.params.slug)
      const entered = await enterOpen(core, releases, configuration, {
        language: language && languageOf(language, configuration.read),
        credential: kind,
      })
      if (entered.cookie)
        setUserCookie(
          reply,
          publicUrl,
          entered.cookie,
          entered.user.configuration.userCookieHours,
          request.body.embedded === true,
        )
      return reply.code(201).send({ secret: entered.secret, session: await viewOf(core, entered.user) })
    },
  )

  app.post(
    '/enter',
    {
      schema: {
        operationId: 'enterInvited',
        summary: 'Enter with the secret of a session',
        description:
          'First entry sets the user’s start. Another browser may take over after confirming the patient’s age or year of birth.',
        tags,
        security: [],
        body: Type.Object({
          secret: Type.String({ maxLength: 100 }),
          configuration: Type.Optional(Type.String({ maxLength: 60 })),
          credential,
          embedded,
          age: Type.Optional(Type.Number({ minimum: 0, maximum: 130 })),
          birthYear: Type.Optional(Type.Integer({ minimum: 1880, maximum: 2200 })),
        }),
        response: { 200: answer(EnteredSession, 'The session'), ...refusals(400, 403, 404, 405, 410, 413, 415) },
      },
    },
    async (request, reply) => {
      const { secret, configuration, credential: kind = 'cookie', age, birthYear } = request.body
      if (kind === 'cookie') refuseCrossSite(request, publicUrl)
      const same = kind === 'cookie' ? await alreadyHere(request, secret) : null
      if (same) return { secret: null, session: await viewOf(core, same) }
      try {
        const entered = await enterInvited(core, releases, secret, {
          credential: kind,
          slug: configuration,
          confirmation: { age, birthYear },
        })
        if (entered.cookie)
          setUserCookie(
            reply,
            publicUrl,
            entered.cookie,
            entered.user.configuration.userCookieHours,
            request.body.embedded === true,
          )
        return { secret: null, session: await viewOf(core, entered.user) }
      } catch (error) {
        if (error instanceof Problem && error.code === 'session-not-found') doorway.invalidPerAddress.take(request.ip)
        throw error
      }
    },
  )

  app.get(
    '/session',
    { schema: { operationId: 'getOwnSession', summary: 'The session as it is now', tags, security, response: view } },
    async (request) => viewOf(core, await userOf(request, doorway)),
  )

  app.get(
    '/session/questions/:question',
    {
      schema: {
        operationId: 'getAnsweredQuestion',
        summary: 'A question answered before, to change it in place',
        tags,
        security,
        params: Type.Object({ question: Type.String({ maxLength: 100 }) }),
        response: { 200: answer(QuestionView, 'The question with its answer as `given`'), ...refusals(401, 404, 405) },
      },
    },
    async (request) => answeredQuestion(await userOf(request, doorway), request.params.question),
  )

  app.post(
    '/session/answers',
    {
      schema: {
        operationId: 'answerQuestion',
        summary: 'Answer, or change an earlier answer',
        tags,
        security,
        body: Type.Object({ id, question: Type.String({ maxLength: 100 }), value: refTo(AnswerValue), version }),
        response: view,
      },
    },
    async (request) =>
      changing(request, (user) => answerQuestion(core, user, { ...request.body, value: request.body.value })),
  )

  app.post(
    '/session/back',
    {
      schema: {
        operationId: 'goBack',
        summary: 'Go back one question',
        tags,
        security,
        body: Type.Object({ id, version }),
        response: view,
      },
    },
    async (request) => changing(request, (user) => goBack(core, user, request.body)),
  )

  app.post(
    '/session/finish',
    {
      schema: {
        operationId: 'finishSession',
        summary: 'Send the finished interview',
        tags,
        security,
        body: Type.Object({ version }),
        response: view,
      },
    },
    async (request) =>
      changing(request, async (user) => (await finish(core, user, request.body.version, completion)).user),
  )

  app.post(
    '/session/stop',
    {
      schema: {
        operationId: 'stopSession',
        summary: 'Stop at the emergency card',
        tags,
        security,
        body: Type.Object({ version }),
        response: view,
      },
    },
    async (request) =>
      changing(request, async (user) => (await stop(core, user, request.body.version, completion)).user),
  )

  app.put(
    '/session/language',
    {
      schema: {
        operationId: 'changeLanguage',
        summary: 'Change the language; answers stay',
        tags,
        security,
        body: Type.Object({ language: languageParameter }),
        response: view,
      },
    },
    async (request) => {
      const user = await userOf(request, doorway)
      const language = languageOf(request.body.language, user.configuration)
      if (!(await changeLanguage(core.db, user.accountId, user.row.id, language))) fail('session-not-found')
      return viewOf(core, { ...user, language })
    },
  )

  app.post(
    '/session/proposals',
    {
      schema: {
        operationId: 'proposeComplaints',
        summary: 'Complaints that fit the user’s own words',
        tags,
        security,
        body: Type.Object({
          text: Type.String({ maxLength: 2_000 }),
          search: Type.Optional(Type.Boolean({ description: 'The text is a search, not a description' })),
        }),
        response: { 200: answer(Proposals, 'Up to five, best first'), ...refusals(400, 401, 404, 405, 413, 415) },
      },
    },
    async (request) => {
      const user = await userOf(request, doorway)
      return request.body.search
        ? searchComplaints(user, request.body.text)
        : proposeComplaints(user, request.body.text)
    },
  )

  app.post(
    '/sign-out',
    {
      schema: {
        operationId: 'signOut',
        summary: 'Sign this browser out at once',
        tags,
        security,
        response: { 204: { type: 'null', description: 'Signed out' }, ...refusals(401, 403, 405) },
      },
    },
    async (request, reply) => {
      const user = await userOf(request, doorway)
      const cookie = request.cookies[cookieName(publicUrl)]
      if (cookie && presentedBy(request, publicUrl)?.kind === 'cookie')
        await signOut(core, user.accountId, user.row.id, hashOf(cookie))
      clearUserCookie(reply, publicUrl)
      return reply.header('clear-site-data', '"cache", "storage"').code(204).send(null)
    },
  )

  app.post(
    '/configurations/:slug/emergency-check',
    {
      schema: {
        operationId: 'emergencyCheck',
        summary: 'The short emergency check',
        description:
          'Works when the service is closed, and stores nothing: all answers so far come with every request.',
        tags,
        security: [],
        ...slugParams,
        body: Type.Object({
          language: Type.Optional(languageParameter),
          answers: Type.Array(Type.Object({ question: Type.String({ maxLength: 100 }), value: refTo(AnswerValue) }), {
            maxItems: 40,
          }),
        }),
        response: {
          200: answer(EmergencyCheck, 'The next question or the card'),
          ...refusals(400, 404, 405, 413, 415, 503),
        },
      },
    },
    async (request) => {
      const configuration = await configurationAt(request.params.slug)
      const language = languageOf(request.body.language ?? configuration.read.defaultLanguage, configuration.read)
      return emergencyCheck(releases, configuration.read, language, request.body.answers)
    },
  )

  /** A browser that opens its link again is simply where it was. */
  async function alreadyHere(request: FastifyRequest, secret: string): Promise<UserSession | null> {
    if (presentedBy(request, publicUrl)?.kind !== 'cookie') return null
    try {
      const user = await userOf(request, doorway)
      return user.row.secret_hash.equals(hashOf(secret)) ? user : null
    } catch {
      return null
    }
  }

  async function configurationAt(slug: string): Promise<ConfigurationRow & { read: ConfigurationDocument }> {
    const row = await findConfigurationBySlug(core.db, slug)
    const read = row?.enabled ? readDocument(row.document) : null
    if (!row || !read || 'faults' in read) return fail('not-found')
    return { ...row, read: read.document }
  }
}

async function bodyOptional(request: FastifyRequest): Promise<void> {
  request.body ??= {}
}
