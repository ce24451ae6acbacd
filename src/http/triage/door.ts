import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { ConfigurationDocument } from '../../account/configuration.ts'
import { readDocument } from '../../account/configuration.ts'
import { fail, Problem } from '../../problems.ts'
import { emergencyCheck } from '../../session/chat/emergency.ts'
import type { UserSession } from '../../session/chat/user.ts'
import { languageOf } from '../../session/chat/user.ts'
import { viewOf } from '../../session/chat/view.ts'
import { enterInvited, enterOpen } from '../../session/enter.ts'
import { type ConfigurationRow, findConfigurationBySlug } from '../../store/configurations.ts'
import { hashOf } from '../../store/seal.ts'
import { answer, refTo, refusals } from '../interface/api.ts'
import { publicConfiguration } from './public-configuration.ts'
import { AnswerValue, EmergencyCheck, EnteredSession, languageParameter, PublicConfiguration } from './schemas.ts'
import { presentedBy, refuseCrossSite, setUserCookie, type UserDoorway, userOf } from './user.ts'

const tags = ['Triage']
const slugParams = { params: Type.Object({ slug: Type.String({ maxLength: 60 }) }) }
const credential = Type.Optional(
  Type.Enum(['cookie', 'bearer'], { description: 'bearer: no cookie is set; the session’s secret is the credential' }),
)
/** The check asks half a dozen questions; each answer is gone through anew with every request. */
const MOST_CHECK_ANSWERS = 20
const embedded = Type.Optional(Type.Boolean({ description: 'The page is shown in a frame of another site' }))

/** What can be done before there is a session: looking, entering, and the short emergency check. */
export function doorRoutes(scope: FastifyInstance, doorway: UserDoorway): void {
  const app = scope.withTypeProvider<TypeBoxTypeProvider>()
  const { core, releases, publicUrl } = doorway

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
      doorway.looks.take(request.ip)
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

  app.post(
    '/configurations/:slug/emergency-check',
    {
      config: { isLastResort: true },
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
            maxItems: MOST_CHECK_ANSWERS,
          }),
        }),
        response: {
          200: answer(EmergencyCheck, 'The next question or the card'),
          ...refusals(400, 404, 405, 413, 415, 503),
        },
      },
    },
    async (request) => {
      doorway.emergencyChecks.take(request.ip)
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
