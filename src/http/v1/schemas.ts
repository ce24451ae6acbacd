import Type from 'typebox'
import { FLAGS } from '../../engine/flags.ts'
import { SESSION_FLOWS } from '../../session/create.ts'
import { PERIODS } from '../../store/statistics/statistics.ts'
import {
  ClosedReason,
  IssueType,
  JudgementView,
  Language,
  moment,
  named,
  nullable,
  nullableRef,
  refTo,
  SessionStatus,
  Sex,
  Urgency,
  wholeNumber,
} from '../schemas.ts'

/** The schemas of the documented interface. */

/** More than anybody knows of a patient beforehand. */
const MOST_SIGNS = 100

export const NewSession = named(
  'NewSession',
  Type.Object(
    {
      patient: Type.Optional(
        nullable(
          Type.Object({
            age: Type.Optional(
              nullable(
                Type.Number({
                  format: 'double',
                  minimum: 0,
                  maximum: 130,
                  description: 'Years; fractions for infants.',
                }),
              ),
            ),
            birthDate: Type.Optional(
              nullable(
                Type.String({
                  format: 'date',
                  maxLength: 10,
                  description: 'YYYY-MM-DD. Becomes the age and is not kept.',
                }),
              ),
            ),
            sex: Type.Optional(nullableRef(Sex)),
            reference: Type.Optional(
              nullable(
                Type.String({
                  maxLength: 200,
                  description: 'What your system knows the patient by. Opaque; handed back by the contact endpoint.',
                }),
              ),
            ),
          }),
        ),
      ),
      languageCode: Type.Optional(nullableRef(Language)),
      text: Type.Optional(nullable(Type.String({ maxLength: 2000, description: 'The matter in the user’s words.' }))),
      userIsPatient: Type.Optional(nullable(Type.Boolean())),
      issueType: Type.Optional(nullableRef(IssueType)),
      sessionFlow: Type.Optional(nullable(Type.Enum([...SESSION_FLOWS]))),
      overrideDemandManagement: Type.Optional(
        nullable(Type.Boolean({ description: 'True: this session’s user is let in although closed or capped.' })),
      ),
      extendedData: Type.Optional(
        Type.Unknown({ description: 'Any JSON up to 4 KiB, handed back unchanged in the webhook.' }),
      ),
      returnUrl: Type.Optional(
        nullable(
          Type.String({ format: 'uri', maxLength: 500, description: 'An https address on the configuration’s list.' }),
        ),
      ),
      signs: Type.Optional(
        nullable(
          Type.Unsafe<Record<string, boolean>>({
            type: 'object',
            additionalProperties: { type: 'boolean' },
            maxProperties: MOST_SIGNS,
            description:
              'Signs of the content in use that are there (true) or not (false). Shown to the user as proposals; they count when confirmed.',
          }),
        ),
      ),
    },
    { description: 'Everything is optional. Unknown fields are ignored and not stored.' },
  ),
)

export const CreatedSession = named(
  'CreatedSession',
  Type.Object({
    sessionId: Type.String({ format: 'uuid' }),
    url: Type.String({ format: 'uri', description: 'Where the user enters. The part after # is a secret.' }),
    sessionStatus: refTo(SessionStatus),
    sessionCreatedTimestamp: Type.String({ format: 'date-time' }),
    expiresTimestamp: Type.String({
      format: 'date-time',
      description: 'Until when the user can enter for the first time.',
    }),
  }),
)

export const SessionInfo = named(
  'SessionInfo',
  Type.Object({
    descriptionOfMatter: nullable(Type.String({ description: 'Description of the matter' })),
    patientAge: nullable(Type.Number({ format: 'double', minimum: 0, description: 'Age of the patient' })),
    patientSex: nullableRef(Sex),
    sessionCompletedTimestamp: moment('When the session was completed'),
    sessionCreatedTimestamp: moment('When the session was created'),
    urgency: refTo(Urgency),
    userStartedTimestamp: moment('When the user started the session'),
    userWasPatient: nullable(
      Type.Boolean({ description: 'True if the user was the patient; null until someone has entered' }),
    ),
    issueType: refTo(IssueType),
  }),
)

export const Status = named('Status', Type.Object({ sessionStatus: refTo(SessionStatus) }))

export const Link = named(
  'Link',
  Type.Object({
    link: Type.String({ format: 'uri', description: 'URL to decision support, valid for 5 minutes' }),
    token: Type.String({ description: 'Token embedded in the link' }),
    managerScriptUrl: Type.String({ format: 'uri', description: 'URL of the decision support manager script' }),
  }),
)

export const File = named(
  'File',
  Type.Object({
    mimeType: Type.String({ description: 'Type of the file' }),
    downloadUrl: Type.String({ format: 'uri', description: 'URL to access the file while the user cookie is alive' }),
  }),
)

export const Contact = named(
  'Contact',
  Type.Object({
    phone: nullable(Type.String({ description: 'As the user wrote it' })),
    when: nullable(Type.String({ description: 'When the patient can best be reached, in the user’s words' })),
    reference: nullable(Type.String({ description: '`patient.reference` as it was given at creation' })),
  }),
)

export const AccessInfo = named(
  'AccessInfo',
  Type.Object({
    active: Type.Boolean({ description: 'Active state of the account' }),
    open: Type.Boolean({ description: 'Open state of the account' }),
    closedReason: nullableRef(ClosedReason),
  }),
)

export const SessionCount = named(
  'SessionCount',
  Type.Object({
    completed: wholeNumber('Number of completed sessions'),
    active: wholeNumber('Number of ongoing sessions'),
  }),
)

export const SessionList = named(
  'SessionList',
  Type.Object({
    sessions: Type.Array(
      Type.Object({
        sessionId: Type.String({ format: 'uuid' }),
        sessionStatus: refTo(SessionStatus),
        sessionCreatedTimestamp: Type.String({ format: 'date-time' }),
        userStartedTimestamp: moment('When the user started the session'),
        sessionCompletedTimestamp: moment('When the session was completed'),
        isTest: Type.Boolean({ description: 'Created with a sandbox key: in no count and in no statistics' }),
        urgency: Type.Optional(refTo(Urgency)),
        flag: Type.Optional(
          nullable(
            Type.Enum([...FLAGS], {
              description: 'With `include=urgency`: red for Level1 to Level3, warning for Level4',
            }),
          ),
        ),
        complaints: Type.Optional(
          nullable(
            Type.Array(Type.String(), { description: 'Ids of the complaints; null until the session has ended' }),
          ),
        ),
        contact: Type.Optional(refTo(Contact)),
        judgement: Type.Optional(nullableRef(JudgementView)),
      }),
    ),
    nextCursor: nullable(Type.String({ description: 'Give it as `cursor` for the next page; null on the last one.' })),
  }),
)

const amount = Type.Number({ format: 'double', minimum: 0 })
const spread = (description: string) => nullable(Type.Object({ p50: amount, p90: amount }, { description }))
const TOOK = {
  durationSeconds: spread('From entering to the end; null where fewer than `smallestGroup` finished'),
  screens: spread('Answered screens, those answered again too; null likewise'),
}
const FUNNEL = {
  created: wholeNumber('Sessions created'),
  started: wholeNumber('Of these, entered by a user'),
  finished: wholeNumber('Of these, ended'),
  left: wholeNumber('Of these, entered and not continued within their lifetime'),
  erased: wholeNumber('Of the finished, those whose contents are erased: they are in no group'),
  ...TOOK,
}
const groups = (description: string) =>
  Type.Array(
    Type.Object({
      value: nullable(Type.String({ description: 'Null: the groups that are too small to be told apart' })),
      finished: wholeNumber('Finished sessions'),
      ...TOOK,
    }),
    { description },
  )
const withheld = (description: string) => nullable(wholeNumber(`${description}; null where it is withheld`))

export const Statistics = named(
  'Statistics',
  Type.Object({
    start: Type.String({ format: 'date-time' }),
    end: Type.String({ format: 'date-time' }),
    by: Type.Enum([...PERIODS]),
    timeZone: Type.String({ description: 'Whose days they are' }),
    smallestGroup: wholeNumber('Fewer than this are not told apart'),
    total: Type.Object(FUNNEL),
    periods: Type.Array(Type.Object({ start: Type.String({ format: 'date-time' }), ...FUNNEL })),
    urgencies: groups('By urgency'),
    complaints: groups('By complaint; a session with two is in both, one without is under `none`'),
    languages: groups('By language'),
    judgements: Type.Array(
      Type.Object({
        complaint: nullable(Type.String()),
        contentRelease: nullable(Type.String()),
        judged: wholeNumber('Sessions with an urgency that a clinician judged; the last judgement counts'),
        agreed: withheld('Judged to be as urgent'),
        underTriaged: withheld('Judged to be more urgent than the session said'),
        overTriaged: withheld('Judged to be less urgent'),
      }),
      { description: 'By complaint and content release' },
    ),
  }),
)

export const V1_COMPONENTS = [
  NewSession,
  CreatedSession,
  SessionInfo,
  Status,
  Link,
  File,
  Contact,
  AccessInfo,
  SessionCount,
  SessionList,
  Statistics,
]
