import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { giveContact } from '../../session/contact.ts'
import { type Completion, finish, stop } from '../../session/end.ts'
import { signOut } from '../../session/enter/entry.ts'
import { answerScreen, goBack } from '../../session/interview/answer.ts'
import { proposeComplaints, searchComplaints } from '../../session/interview/complaints.ts'
import { goOnIn } from '../../session/interview/language.ts'
import { answeredScreen } from '../../session/interview/question.ts'
import type { User } from '../../session/interview/user.ts'
import { viewOf } from '../../session/interview/view.ts'
import { languageOf } from '../../session/open.ts'
import { readResult } from '../../session/read.ts'
import { clearUserCookie } from '../credentials.ts'
import { sendPdf } from '../documents.ts'
import { answer, nullable, refusals, wholeNumber } from '../schemas.ts'
import { answering, changing } from './changing.ts'
import { givenAnswers, readAnswers } from './given-answers.ts'
import { AnsweredScreen, languageParameter, Proposals, SessionView } from './schemas.ts'
import { type TriageContext, userOf } from './user.ts'

const tags = ['Triage']
const id = Type.String({ format: 'uuid', description: 'Made by the client; the same id again is the same answer' })
const version = wholeNumber('The version of the session this is based on')
const security = [{ userCookie: [] }, { sessionSecret: [] }]

/** More than any screen holds. */
const MOST_ANSWERS = 30

/** The triage API inside a session, to its end, for our own app and for an integrator's. */
export function triageRoutes(scope: FastifyInstance, context: TriageContext, completion: Completion): void {
  const app = scope.withTypeProvider<TypeBoxTypeProvider>()
  const { core, cache, publicUrl } = context
  const view = {
    200: answer(SessionView, 'The session as it is now'),
    ...refusals(400, 401, 403, 404, 405, 409, 410, 413, 415),
  }

  const ending = (request: FastifyRequest, change: (user: User) => Promise<User>) =>
    changing(request, context, change, { ending: true })

  app.get(
    '/session',
    {
      schema: {
        operationId: 'getOwnSession',
        summary: 'The session as it is now',
        tags,
        security,
        response: { 200: view[200], ...refusals(401, 404, 405) },
      },
    },
    async (request) => viewOf(core, await userOf(request, context)),
  )

  app.get(
    '/session/questions/:question',
    {
      schema: {
        operationId: 'getAnsweredQuestion',
        summary: 'A question answered before, or the signs answered with it, to change them in place',
        tags,
        security,
        params: Type.Object({ question: Type.String({ maxLength: 100 }) }),
        response: {
          200: answer(AnsweredScreen, 'The questions with their answers as `given`'),
          ...refusals(401, 404, 405),
        },
      },
    },
    async (request) => answeredScreen(await userOf(request, context), request.params.question),
  )

  app.post(
    '/session/answers',
    {
      schema: {
        operationId: 'answerScreen',
        summary: 'Answer the screen, or change earlier answers',
        description:
          'One answer to every question of the screen, or changes of earlier answers: all are taken or none. The same id again is the same request.',
        tags,
        security,
        body: Type.Object({ id, answers: givenAnswers({ minItems: 1, maxItems: MOST_ANSWERS }), version }),
        response: view,
      },
    },
    async (request) => {
      const given = { ...request.body, answers: readAnswers(request.body.answers) }
      return answering(request, context, (user) => answerScreen(context, user, given))
    },
  )

  app.post(
    '/session/back',
    {
      schema: {
        operationId: 'goBack',
        summary: 'Go back one screen',
        tags,
        security,
        body: Type.Object({ id, version }),
        response: view,
      },
    },
    async (request) => answering(request, context, (user) => goBack(context, user, request.body)),
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
    async (request) => ending(request, (user) => finish({ core, cache, completion }, user, request.body.version)),
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
    async (request) => ending(request, (user) => stop({ core, cache, completion }, user, request.body.version)),
  )

  app.put(
    '/session/contact',
    {
      schema: {
        operationId: 'giveContact',
        summary: 'Say how the clinic can reach the patient',
        description: 'Asked on the last screen: see `contact` of the session. `phone: null` takes it back.',
        tags,
        security,
        body: Type.Object({
          phone: nullable(Type.String({ maxLength: 40 })),
          when: Type.Optional(nullable(Type.String({ maxLength: 200 }))),
        }),
        response: view,
      },
    },
    async (request) => changing(request, context, (user) => giveContact(context, user, request.body)),
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
      const user = await userOf(request, context)
      return viewOf(core, await goOnIn(core, user, languageOf(request.body.language, user.session.configuration)))
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
      const user = await userOf(request, context)
      return request.body.search
        ? searchComplaints(user, request.body.text)
        : proposeComplaints(user, request.body.text)
    },
  )

  app.get(
    '/session/pdf',
    {
      config: { priority: 'exports' },
      schema: {
        operationId: 'getOwnResultPdf',
        summary: 'The result as PDF, to keep',
        description: 'What the result page shows, in the session’s language, once the session has ended.',
        tags,
        security,
        response: {
          200: {
            description: 'The pages',
            content: { 'application/pdf': { schema: { contentMediaType: 'application/pdf' } } },
          },
          ...refusals(401, 404, 405, 409),
        },
      },
    },
    async (request, reply) => {
      const user = await readResult(core, await userOf(request, context))
      const { resultPdfOf } = await import('../../session/handoff/pdf/result-pdf.ts') // loaded with the first: it is large
      return sendPdf(reply, user.session.row.id, await resultPdfOf(user))
    },
  )

  app.post(
    '/sign-out',
    {
      schema: {
        operationId: 'signOut',
        summary: 'Sign this browser or client out at once',
        tags,
        security,
        response: { 204: { type: 'null', description: 'Signed out' }, ...refusals(401, 403, 405) },
      },
    },
    async (request, reply) => {
      const { session, proof } = await userOf(request, context, { ending: true })
      await signOut(context, session.accountId, session.row.id, proof.hash)
      if (proof.kind === 'cookie') clearUserCookie(reply, publicUrl)
      return reply.header('clear-site-data', '"cache", "storage"').code(204).send(null)
    },
  )
}
