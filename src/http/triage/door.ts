import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { ConfigurationDocument } from '../../account/configuration.ts'
import { readDocument } from '../../account/configuration.ts'
import { fail, Problem } from '../../problems.ts'
import { type Entered, signOut } from '../../session/enter/entry.ts'
import { enterInvited } from '../../session/enter/invited.ts'
import { enterOpen } from '../../session/enter/open.ts'
import { emergencyCheck } from '../../session/interview/emergency.ts'
import type { User } from '../../session/interview/user.ts'
import { viewOf } from '../../session/interview/view.ts'
import { languageOf } from '../../session/open.ts'
import { type ConfigurationRow, findConfigurationBySlug } from '../../store/configurations.ts'
import { hashOf } from '../../store/seal.ts'
import type { Credential } from '../../store/users.ts'
import { refuseCrossSite, setUserCookie, userProof } from '../credentials.ts'
import { bodyOptional } from '../parameters.ts'
import { publicConfiguration } from '../public-configuration.ts'
import { answer, refusals } from '../schemas.ts'
import { givenAnswers, readAnswers } from './given-answers.ts'
import { EmergencyCheck, EnteredSession, languageParameter, PublicConfiguration } from './schemas.ts'
import { type TriageContext, userOf } from './user.ts'

const tags = ['Triage']
const slugParams = { params: Type.Object({ slug: Type.String({ maxLength: 60 }) }) }
const credential = Type.Optional(
  Type.Enum(['cookie', 'bearer'], {
    description: 'bearer: no cookie is set; the reply carries a secret to send as bearer',
  }),
)
const id = Type.Optional(
  Type.String({
    pattern: '^[A-Za-z0-9_-]{43}$',
    description:
      'Made by the client: 256 random bits in base64url, kept to itself. The same id again within 15 minutes, after a lost reply, leads into the same session.',
  }),
)
/** The whole check is a few lists of signs, and is evaluated anew with every request. */
const MOST_CHECK_ANSWERS = 60
const embedded = Type.Optional(Type.Boolean({ description: 'The page is shown in a frame of another site' }))

/** What can be done before there is a session: looking, entering, and the short emergency check. */
export function doorRoutes(scope: FastifyInstance, context: TriageContext): void {
  const app = scope.withTypeProvider<TypeBoxTypeProvider>()
  const { core, releases, publicUrl } = context

  app.get(
    '/configurations/:slug',
    {
      config: { priority: 'lastResort' },
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
      context.looks.takeFrom(request)
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
        body: Type.Object({ language: Type.Optional(languageParameter), id, credential, embedded }),
        response: { 201: answer(EnteredSession, 'The session'), ...refusals(400, 403, 404, 405, 409, 413, 415) },
      },
      preValidation: bodyOptional,
    },
    async (request, reply) => {
      const { language = null, id = null, credential: kind = 'cookie' } = request.body
      if (kind === 'cookie') refuseCrossSite(request, publicUrl)
      context.perUser.takeFrom(request)
      const configuration = await configurationAt(request.params.slug)
      const entered = await enterOpen(context, configuration, {
        language: language && languageOf(language, configuration.read),
        credential: kind,
        id,
      })
      return reply.code(201).send(await letIn(request, reply, kind, entered))
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
          id,
          credential,
          embedded,
          age: Type.Optional(Type.Number({ format: 'double', minimum: 0, maximum: 130 })),
          birthYear: Type.Optional(Type.Integer({ format: 'int32', minimum: 1880, maximum: 2200 })),
        }),
        response: { 200: answer(EnteredSession, 'The session'), ...refusals(400, 403, 404, 405, 410, 413, 415) },
      },
    },
    async (request, reply) => {
      const { secret, configuration, id = null, credential: kind = 'cookie', age, birthYear } = request.body
      if (kind === 'cookie') refuseCrossSite(request, publicUrl)
      const same = kind === 'cookie' ? await alreadyHere(request, secret) : null
      if (same) return { secret: null, session: await viewOf(core, same) }
      try {
        const wish = { credential: kind, id, slug: configuration, confirmation: { age, birthYear } }
        return await letIn(request, reply, kind, await enterInvited(context, secret, wish))
      } catch (error) {
        if (error instanceof Problem && error.code === 'session-not-found') context.invalidPerAddress.takeFrom(request)
        throw error
      }
    },
  )

  app.post(
    '/configurations/:slug/emergency-check',
    {
      config: { priority: 'lastResort' },
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
          answers: givenAnswers({ maxItems: MOST_CHECK_ANSWERS }),
        }),
        response: {
          200: answer(EmergencyCheck, 'The next question or the card'),
          ...refusals(400, 404, 405, 413, 415, 503),
        },
      },
    },
    async (request) => {
      context.emergencyChecks.takeFrom(request)
      const configuration = await configurationAt(request.params.slug)
      const language = languageOf(request.body.language ?? configuration.read.defaultLanguage, configuration.read)
      return emergencyCheck(releases, configuration.read, language, readAnswers(request.body.answers))
    },
  )

  /** Issues the credential, and revokes that of an earlier session in the same browser. */
  async function letIn(
    request: FastifyRequest<{ Body: { embedded?: boolean } }>,
    reply: FastifyReply,
    kind: Credential,
    { user, secret }: Entered,
  ) {
    const session = await viewOf(core, user)
    if (kind === 'bearer') return { secret, session }
    const earlier = userProof(request, publicUrl)
    const left = earlier?.kind === 'cookie' ? await core.userByProof(earlier) : null
    if (earlier && left) {
      await signOut(context, left.account_id, left.session.id, earlier.hash)
      reply.header('clear-site-data', '"cache", "storage"')
    }
    const { userCookieHours } = user.session.configuration
    setUserCookie(reply, publicUrl, secret, userCookieHours, request.body.embedded === true)
    return { secret: null, session }
  }

  /** A browser that opens its link again continues where it was. */
  async function alreadyHere(request: FastifyRequest, secret: string): Promise<User | null> {
    if (userProof(request, publicUrl)?.kind !== 'cookie') return null
    try {
      const user = await userOf(request, context)
      return user.session.row.secret_hash.equals(hashOf(secret)) ? user : null
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
