import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { LEVELS } from '../../engine/content.ts'
import { ACTOR_KINDS } from '../../session/export/access-log.ts'
import { EXPORT_FORMAT, exportOf } from '../../session/export/export.ts'
import type { InterviewParts } from '../../session/interview/interview.ts'
import { readByKey } from '../../session/read.ts'
import { InLanguage, idOf, idOr, languageOf, SessionParams, singleTexts } from '../parameters.ts'
import {
  answer,
  IssueType,
  JudgementView,
  Language,
  moment,
  named,
  nullable,
  nullableRef,
  refTo,
  refusals,
  SessionStatus,
  Sex,
  wholeNumber,
} from '../schemas.ts'
import { callerOf } from './caller.ts'

const text = (description?: string) => Type.String({ ...(description && { description }) })
const at = Type.String({ format: 'date-time' })
/** A part that is handed out as it is stored. */
const asStored = (description: string) =>
  Type.Unsafe<object>({ type: 'object', additionalProperties: true, description })

const AccessLogEntry = named(
  'AccessLogEntry',
  Type.Object({
    timestamp: at,
    kind: Type.Enum([...ACTOR_KINDS]),
    who: text('The key by its note, the clinician by their identifier, the operator by name; in words'),
    unit: nullable(text('Account and configuration; null where it was for none, such as the operator’s')),
    what: text('In words'),
    action: text('The name of what was done, as in the audit log'),
    fileId: nullable(Type.String({ format: 'uuid' })),
  }),
)

const SessionExport = named(
  'SessionExport',
  Type.Object({
    format: text(`\`${EXPORT_FORMAT}\``),
    exportedTimestamp: at,
    language: refTo(Language),
    session: Type.Object({
      sessionId: Type.String({ format: 'uuid' }),
      account: text(),
      configuration: text(),
      sessionStatus: refTo(SessionStatus),
      sessionCreatedTimestamp: at,
      userStartedTimestamp: moment('When the user started the session'),
      sessionCompletedTimestamp: moment('When the session was completed'),
      lastActiveTimestamp: at,
      abandonedTimestamp: moment('When it was found that nobody continued it'),
      canBeEnteredUntil: at,
      canBeContinuedUntil: at,
      keptDays: wholeNumber('For how many days after the last activity it is kept'),
      languageCode: text(),
      sessionFlow: text(),
      issueType: refTo(IssueType),
      contentRelease: nullable(Type.String()),
      overrideDemandManagement: Type.Boolean(),
      returnUrl: nullable(Type.String({ format: 'uri' })),
      isTest: Type.Boolean(),
    }),
    patient: Type.Object({
      age: nullable(Type.Number({ format: 'double' })),
      sex: nullableRef(Sex),
      answeredBy: nullable(Type.String()),
      reference: nullable(Type.String()),
      contact: nullable(Type.Object({ phone: text(), when: nullable(Type.String()) })),
    }),
    toldAtCreation: asStored('What the integrating system said when it made the session, `extendedData` too'),
    descriptionOfMatter: nullable(text('In the user’s own words')),
    summary: text('The text summary'),
    urgency: Type.Object({
      level: nullable(Type.Enum([...LEVELS])),
      title: text(),
      time: nullable(Type.String()),
      isFinal: Type.Boolean(),
      remark: nullable(Type.String()),
      emergencyCard: nullable(text('The emergency card that was shown, where the user answered on after it')),
      reasons: Type.Array(asStored('A rule that decided, with the answers it rests on and its sources')),
      alsoTrue: Type.Array(asStored('A rule that is true as well')),
      redFlags: Type.Array(Type.Object({ state: text(), heading: text(), labels: Type.Array(text()) })),
      unconfirmed: Type.Array(text('Own words that tell of a danger which no sign has confirmed')),
      considerations: Type.Array(asStored('A condition to consider, with what speaks for and against it')),
    }),
    outcome: nullable(asStored('The outcome as it was stored at the end')),
    answers: Type.Array(
      Type.Object({
        at,
        kind: Type.Enum(['answered', 'changed', 'withdrawn']),
        label: text(),
        asked: text('The question in words'),
        answer: nullable(text('The answer in words')),
        before: nullable(text('What was answered before, in words')),
        words: Type.Boolean({ description: 'Whether these are the patient’s own words' }),
        counts: Type.Boolean({ description: 'Whether this answer is the one that counts in the end' }),
        from: nullable(Type.Enum(['own-words', 'integrator'])),
        question: text('The id of the question'),
        value: Type.Unknown({ description: 'The answer as it is stored' }),
        heard: nullable(asStored('What was heard in own words')),
      }),
      { description: 'Everything that was said, in its order, changes and withdrawals too' },
    ),
    judgements: Type.Array(refTo(JudgementView)),
    files: Type.Array(
      Type.Object({
        fileId: Type.String({ format: 'uuid' }),
        name: text(),
        mimeType: nullable(Type.String()),
        size: wholeNumber('Bytes'),
        remarks: Type.Array(text()),
        addedTimestamp: at,
        removedTimestamp: moment('When the user removed it; only its name is kept from then on'),
        isKept: Type.Boolean({ description: 'Whether its bytes can be read: `GET …/files/{fileId}`' }),
      }),
    ),
    deliveries: Type.Array(
      Type.Object({
        deliveryId: text(),
        endpoint: text(),
        type: text(),
        state: text(),
        queuedTimestamp: at,
        attempts: Type.Array(
          Type.Object({
            timestamp: at,
            status: nullable(wholeNumber()),
            error: nullable(Type.String()),
            answer: nullable(text('The beginning of what the receiver answered')),
          }),
        ),
      }),
      { description: 'What was sent to webhooks about it' },
    ),
    signIns: Type.Array(
      Type.Object({
        kind: text(),
        enteredTimestamp: at,
        expiresTimestamp: at,
        signedOutTimestamp: moment('When the user signed out'),
      }),
    ),
    visits: Type.Array(Type.Object({ auditUserIdentifier: text(), openedTimestamp: at, aliveUntilTimestamp: at })),
    accessLog: Type.Array(refTo(AccessLogEntry), {
      description: 'Who did or saw what, and when; this export is its last line',
    }),
  }),
)

export const EXPORT_COMPONENTS = [AccessLogEntry, SessionExport]

/** Our addition to the ten: everything kept of one session, for the patient who asks for it. */
export function exportRoute(scope: FastifyInstance, parts: InterviewParts): void {
  scope.withTypeProvider<TypeBoxTypeProvider>().get(
    '/session/:sessionId/export',
    {
      config: { priority: 'exports' },
      preValidation: idOr('session-not-found'),
      validatorCompiler: singleTexts,
      schema: {
        operationId: 'exportSession',
        summary: 'Everything kept of a session',
        description:
          'An addition to the documented interface: everything that is kept of the session, in words and as it is stored, with its access log. Files are listed; their bytes are read by `GET …/files/{fileId}`.',
        tags: ['Sessions'],
        params: SessionParams,
        querystring: InLanguage,
        response: { 200: answer(SessionExport, 'The session'), ...refusals(400, 401, 403, 404, 405) },
      },
    },
    async (request) => {
      const caller = callerOf(request)
      const language = languageOf(request.query.language) ?? caller.configuration.defaultLanguage
      const session = await readByKey(parts.core, caller, idOf(request), 'session.exported')
      return exportOf(parts, session, language)
    },
  )
}
