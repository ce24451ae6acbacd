import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/compile'

import { LANGUAGES, type Language } from '../engine/content.ts'
import type { NumberByLanguage } from './numbers.ts'
import { shapeFaults } from './shape-faults.ts'

export const CONFIGURATION_TYPES = ['OPEN', 'INVITED'] as const
/** Whether patients are asked how the clinic can reach them; `required` binds only where the clinic makes contact. */
export const CONTACT_WISHES = ['none', 'optional', 'required'] as const

const httpsAddress = Type.String({
  pattern: '^https://[^\\s/?#]+(/[^\\s?#]*)?$',
  maxLength: 500,
  examples: ['https://clinic.example.org/privacy'],
})
const origin = Type.String({
  pattern: '^https?://[a-z0-9.-]+(:\\d{1,5})?$',
  maxLength: 300,
  examples: ['https://www.example.org'],
})
const phone = Type.String({ pattern: '^[+0-9][0-9 ()-]{1,24}$', examples: ['112', '09 310 1001'] })
const phoneByLanguage = Type.Object(
  { default: phone, ...Object.fromEntries(LANGUAGES.map((language) => [language, Type.Optional(phone)])) },
  { additionalProperties: false },
)
/** What the clinic says itself when it is closed, in the languages it has written it in. */
const closedMessage = Type.Unsafe<Partial<Record<Language, string>> | null>(
  Type.Union([
    Type.Object(
      Object.fromEntries(
        LANGUAGES.map((language) => [language, Type.Optional(Type.String({ minLength: 1, maxLength: 500 }))]),
      ),
      { additionalProperties: false },
    ),
    Type.Null(),
  ]),
)
const line = Type.Unsafe<NumberByLanguage | null>(Type.Union([phone, phoneByLanguage, Type.Null()]))

/** What an account publishes for its patients. Stored as one document, which must match this schema. */
export const ConfigurationDocument = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 120 }),
    type: Type.Enum([...CONFIGURATION_TYPES]),
    languages: Type.Array(Type.Enum([...LANGUAGES]), { minItems: 1, maxItems: LANGUAGES.length, uniqueItems: true }),
    defaultLanguage: Type.Enum([...LANGUAGES]),
    emergencyNumber: phone,
    clinicPhone: Type.Union([phone, Type.Null()]),
    adviceNumber: Type.Optional(Type.Union([phone, Type.Null()])),
    crisisLine: Type.Optional(line),
    poisonLine: Type.Optional(line),
    closedMessage: Type.Optional(closedMessage),
    privacyUrl: Type.Optional(Type.Union([httpsAddress, Type.Null()])),
    accessibilityUrl: Type.Optional(Type.Union([httpsAddress, Type.Null()])),
    contact: Type.Optional(Type.Enum([...CONTACT_WISHES])),
    theme: Type.Object({
      accent: Type.Union([Type.String({ pattern: '^#[0-9a-f]{6}$', examples: ['#0a5c8f'] }), Type.Null()]),
      logoUrl: Type.Union([httpsAddress, Type.Null()]),
    }),
    allowedOrigins: Type.Array(origin, { maxItems: 20 }),
    returnUrls: Type.Array(httpsAddress, { maxItems: 20 }),
    entryLifetimeHours: Type.Number({ exclusiveMinimum: 0, maximum: 720 }),
    sessionLifetimeHours: Type.Number({ exclusiveMinimum: 0, maximum: 720 }),
    userCookieHours: Type.Number({ exclusiveMinimum: 0, maximum: 720 }),
    standingAlarmMinutes: Type.Number({ minimum: 1, maximum: 1440 }),
    retentionDays: Type.Integer({ minimum: 1, maximum: 3650 }),
    refuseFlaggedPdfs: Type.Optional(Type.Boolean()),
    contentVersion: Type.Union([Type.String({ minLength: 1, maxLength: 100 }), Type.Null()]),
  },
  { additionalProperties: false },
)
export type ConfigurationDocument = Static<typeof ConfigurationDocument>

const compiled = Compile(ConfigurationDocument)
const compiledParts = new Map(
  Object.entries(ConfigurationDocument.properties).map(([name, part]) => [name, Compile(part)]),
)

/** The defaults of a configuration. The emergency number has none: it must be given. */
export const DEFAULT_DOCUMENT: Omit<ConfigurationDocument, 'name' | 'type' | 'emergencyNumber'> = {
  languages: [...LANGUAGES],
  defaultLanguage: 'en',
  clinicPhone: null,
  adviceNumber: null,
  crisisLine: null,
  poisonLine: null,
  closedMessage: null,
  privacyUrl: null,
  accessibilityUrl: null,
  contact: 'none',
  theme: { accent: null, logoUrl: null },
  allowedOrigins: [],
  returnUrls: [],
  entryLifetimeHours: 24,
  sessionLifetimeHours: 24,
  userCookieHours: 72,
  standingAlarmMinutes: 30,
  retentionDays: 90,
  refuseFlaggedPdfs: false,
  contentVersion: null,
}

/** Whether a field may have this value. */
export const fitsField = (name: string, value: unknown): boolean => compiledParts.get(name)?.Check(value) === true

/** The document if it is valid, else its faults: a pointer and a sentence each. */
export function readDocument(
  value: unknown,
): { document: ConfigurationDocument } | { faults: { pointer: string; message: string }[] } {
  if (!compiled.Check(value)) {
    return {
      faults: shapeFaults(ConfigurationDocument, value).map(({ at, message }) => ({
        pointer: `/${at.join('/')}`,
        message,
      })),
    }
  }
  if (!value.languages.includes(value.defaultLanguage)) {
    return { faults: [{ pointer: '/defaultLanguage', message: 'must be one of languages' }] }
  }
  return { document: value }
}

/**
 * The valid fields of a document that may no longer be valid, with defaults for the rest. For what must happen all the
 * same: ending an emergency, erasing sessions past their retention.
 */
export function readAsFarAsItFits(value: unknown): ConfigurationDocument {
  const read = readDocument(value)
  if ('document' in read) return read.document
  const fallback: ConfigurationDocument = { name: '–', type: 'INVITED', emergencyNumber: '112', ...DEFAULT_DOCUMENT }
  const stored = value !== null && typeof value === 'object' ? Object.entries(value) : []
  const fitting = Object.fromEntries(stored.filter(([name, part]) => compiledParts.get(name)?.Check(part)))
  const mended = readDocument({ ...fallback, ...fitting })
  return 'document' in mended ? mended.document : fallback
}

/** The part of an address that names a configuration: short, lower case, unambiguous in a path. */
export const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,58}[a-z0-9])?$/
