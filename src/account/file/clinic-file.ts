import Type, { type Static } from 'typebox'
import { CHOOSABLE_EVENTS } from '../../store/webhooks/events.ts'
import { ConfigurationDocument, SLUG } from '../configuration.ts'
import { Cap, MonitoredHours } from '../hours.ts'
import { COUNTRIES } from '../numbers.ts'
import { ENDPOINT_NAME } from '../webhook-endpoints.ts'

const closed = { additionalProperties: false }

const WebhookPart = Type.Object(
  {
    endpoint: Type.String({
      pattern: ENDPOINT_NAME.source,
      examples: ['main'],
      description: 'Its name; most have one called main.',
    }),
    url: Type.String({ description: 'Where events are sent. Its secret is shown once, when it is made.' }),
    events: Type.Optional(Type.Array(Type.Enum([...CHOOSABLE_EVENTS]), { minItems: 1, uniqueItems: true })),
    enabled: Type.Optional(Type.Boolean()),
  },
  closed,
)

const KeyPart = Type.Object(
  {
    note: Type.String({ maxLength: 200, description: 'What it is for. A key is issued if none with this note works.' }),
    sandbox: Type.Optional(Type.Boolean({ description: 'What it creates is a test.' })),
  },
  closed,
)

const documentFields = Type.Partial(Type.Omit(ConfigurationDocument, ['contentVersion'])).properties

const ConfigurationPart = Type.Object(
  {
    slug: Type.String({ pattern: SLUG.source, examples: ['harbour-2'], description: 'Its address: /t/<slug>.' }),
    enabled: Type.Optional(Type.Boolean()),
    country: Type.Optional(
      Type.Enum(COUNTRIES, { description: 'Takes the numbers people call there, where they are not given here.' }),
    ),
    ...documentFields,
    webhooks: Type.Optional(Type.Array(WebhookPart)),
    keys: Type.Optional(Type.Array(KeyPart)),
  },
  closed,
)

const AccountPart = Type.Object(
  {
    name: Type.String({ minLength: 1, description: 'What it is known by here, and what people call it.' }),
    id: Type.Optional(
      Type.String({ description: 'Of an account that is there: for one to rename, or of several of a name.' }),
    ),
    timeZone: Type.Optional(Type.String({ description: 'Such as Europe/Helsinki.' })),
    active: Type.Optional(Type.Boolean({ description: 'False lets no users in, whatever else is open.' })),
    monitoredHours: Type.Optional(Type.Union([MonitoredHours, Type.Null()])),
    cap: Type.Optional(Type.Union([Cap, Type.Null()])),
    configurations: Type.Optional(Type.Array(ConfigurationPart)),
  },
  closed,
)

/**
 * A deployment's accounts as an operator writes them down. What is left out stays as it is; null takes away. Secrets and
 * keys are never in it.
 */
export const ClinicFile = Type.Object(
  { accounts: Type.Array(AccountPart) },
  {
    ...closed,
    $id: 'https://w3id.org/fyr/clinic.schema.json',
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'fyr apply',
  },
)
export type ClinicFile = Static<typeof ClinicFile>
export type AccountPart = Static<typeof AccountPart>
export type ConfigurationPart = Static<typeof ConfigurationPart>
export type WebhookPart = Static<typeof WebhookPart>
export type KeyPart = Static<typeof KeyPart>

/** The names of the fields of a configuration's document that a file may set. */
export const DOCUMENT_FIELDS = Object.keys(documentFields) as (keyof typeof documentFields)[]

/** The schema for editors, as docs/clinic.schema.json has it. */
export const clinicSchemaText = (): string => `${JSON.stringify(ClinicFile, null, 2)}\n`
