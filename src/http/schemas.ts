import Type, { type Static, type TSchema } from 'typebox'
import { CLOSED_REASONS } from '../account/access.ts'
import { LANGUAGES, LEVELS } from '../engine/content.ts'
import { ISSUE_TYPES, SEXES } from '../engine/intake.ts'
import { factsOf } from '../engine/languages.ts'
import { SESSION_STATUSES } from '../store/sessions.ts'

/** The urgencies of the interface, as documented: unset first, then from most to least urgent. */
export const URGENCIES = ['No urgency set', ...LEVELS] as const

/** A plain type or null is one schema of two types: a union would be tried value by value whenever an answer is serialised. */
export const nullable = <T extends TSchema>(schema: T) => {
  const { type } = schema as { type?: unknown }
  if (typeof type !== 'string' || type === 'object' || type === 'array' || 'enum' in schema)
    return Type.Union([schema, Type.Null()])
  return Type.Unsafe<Static<T> | null>({ ...schema, type: [type, 'null'] })
}
/** A whole number from 0 that every client can hold. */
export const wholeNumber = (description?: string) =>
  Type.Integer({ format: 'int32', minimum: 0, ...(description && { description }) })
export const moment = (description: string) => nullable(Type.String({ format: 'date-time', description }))
export type Named = TSchema & { $id: string }
export const named = <T extends TSchema>($id: string, schema: T): T & { $id: string } => ({ ...schema, $id })

const oneOf = (words: readonly string[]): string => new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(words)

export const Language = named(
  'Language',
  Type.Enum([...LANGUAGES], { description: `${oneOf(LANGUAGES.map((language) => factsOf(language).inEnglish))}.` }),
)
export const Sex = named(
  'Sex',
  Type.Enum([...SEXES], { description: 'Biological sex of the patient; it decides which questions are asked.' }),
)
export const Urgency = named(
  'Urgency',
  Type.Enum([...URGENCIES], {
    description:
      'Level1 and Level2: 10 minutes. Level3: 1 hour. Level4: 4 hours. Level5: 1 day. Level6: 1 week. Level7: 1 month. Level8: self-care.',
  }),
)
export const IssueType = named(
  'IssueType',
  Type.Enum([...ISSUE_TYPES], { description: 'None until the user has confirmed it.' }),
)
export const SessionStatus = named(
  'SessionStatus',
  Type.Enum([...SESSION_STATUSES], {
    description: 'Created, StartedChat, Ended, or AiSessionNotCreated when the triage part could not be set up.',
  }),
)
export const ClosedReason = named(
  'ClosedReason',
  Type.Enum([...CLOSED_REASONS], { description: 'Why the service is closed for incoming users.' }),
)

/** A component of the OpenAPI document, referred to by its name. */
export const refTo = <T extends Named>(schema: T) => Type.Unsafe<Static<T>>({ $ref: `${schema.$id}#` })
export const nullableRef = <T extends Named>(schema: T) =>
  Type.Unsafe<Static<T> | null>({ anyOf: [{ $ref: `${schema.$id}#` }, { type: 'null' }] })

export const Summary = named(
  'Summary',
  Type.Object({
    data: Type.String({ description: 'Text summary of the session: section headings and label: value lines' }),
  }),
)

export const ProblemDetails = named(
  'Problem',
  Type.Object(
    {
      type: Type.String({ format: 'uri', description: 'Address of a page that explains the problem' }),
      title: Type.String(),
      status: wholeNumber(),
      detail: Type.String(),
      requestId: Type.String({ format: 'uuid' }),
      errors: Type.Optional(
        Type.Array(Type.Object({ pointer: Type.String({ format: 'json-pointer' }), message: Type.String() })),
      ),
    },
    { description: 'RFC 9457', additionalProperties: true },
  ),
)

export const JudgementView = named(
  'Judgement',
  Type.Object({
    judgementId: Type.String({ format: 'uuid' }),
    judgedTimestamp: Type.String({ format: 'date-time' }),
    auditUserIdentifier: nullable(Type.String()),
    urgency: Type.Enum([...LEVELS]),
    sessionUrgency: nullable(Type.Enum([...LEVELS])),
    reason: Type.String(),
  }),
)

/** Components that several doors share. */
export const SHARED_COMPONENTS = [
  Language,
  Sex,
  Urgency,
  IssueType,
  SessionStatus,
  ClosedReason,
  Summary,
  JudgementView,
  ProblemDetails,
]

/** Statuses that any route may answer with: slow, long or too many requests, and failures on our side. */
const ANYWHERE = [408, 414, 429, 431, 500, 503]

/** The refusals of a route, each with the problem as its body. Their words are in openapi/refusals.ts: they differ by door. */
export function refusals(...statuses: readonly number[]): Record<number, unknown> {
  const content = { 'application/problem+json': { schema: { $ref: 'Problem#' } } }
  return Object.fromEntries([...statuses, ...ANYWHERE].map((status) => [status, { description: 'Refused', content }]))
}

export const answer = <T extends Named>(schema: T, description: string) => ({
  ...refTo(schema),
  description,
})

/** The kinds of file that are taken, and so handed out again. */
const FILE_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'application/pdf']

export const savedFile = {
  description: 'The file',
  content: Object.fromEntries(FILE_TYPES.map((type) => [type, { schema: { type: 'string', format: 'binary' } }])),
}
