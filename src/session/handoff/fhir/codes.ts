import { createHash } from 'node:crypto'
import type { CodeableConcept, Coding, Quantity } from 'fhir/r4.js'

/**
 * Our codes are defined here and in the content, so their systems are addresses of this deployment. Of other code
 * systems only single codes of FHIR's own terminology and the units of UCUM are used.
 */
const SYSTEMS = [
  'complaint',
  'question',
  'option',
  'rule',
  'condition',
  'level',
  'section',
  'document',
  'risk',
  'danger',
] as const
export type System = (typeof SYSTEMS)[number]

const HL7 = 'http://terminology.hl7.org/CodeSystem'
export const UCUM = 'http://unitsofmeasure.org'
const ABSENT_EXTENSION = 'http://hl7.org/fhir/StructureDefinition/data-absent-reason'

/** Where the codes of one bundle come from: the deployment and its content release. */
export type Codes = {
  systemOf: (system: System) => string
  coding: (system: System, code: string, display?: string) => Coding
  concept: (system: System, code: string, text: string) => CodeableConcept
}

export function codesOf(publicUrl: string, contentVersion: string): Codes {
  const systemOf = (system: System) => `${publicUrl}/fhir/CodeSystem/${system}`
  const coding = (system: System, code: string, display?: string): Coding => ({
    system: systemOf(system),
    version: contentVersion,
    code,
    ...(display && { display: plain(display) }),
  })
  return { systemOf, coding, concept: (system, code, text) => ({ coding: [coding(system, code)], text: plain(text) }) }
}

/** A single code of the terminology that FHIR itself publishes. */
export const hl7 = (system: string, code: string, display: string): Coding => ({
  system: `${HL7}/${system}`,
  code,
  display,
})

const REASONS = {
  'asked-unknown': 'Asked But Unknown',
  'asked-declined': 'Asked But Declined',
  'not-asked': 'Not Asked',
} as const
export type AbsentReason = keyof typeof REASONS

/** Why there is no value: it was asked and is unknown, or it was never asked. */
export const absent = (reason: AbsentReason): CodeableConcept => ({
  coding: [hl7('data-absent-reason', reason, REASONS[reason])],
})

/** The same for an element without a field for it. */
export const absentExtension = (reason: AbsentReason) => ({
  extension: [{ url: ABSENT_EXTENSION, valueCode: reason }],
})

/** The units of content as UCUM writes them. */
const UCUM_CODES: Record<string, string> = {
  years: 'a',
  months: 'mo',
  weeks: 'wk',
  days: 'd',
  hours: 'h',
  minutes: 'min',
  celsius: 'Cel',
  kg: 'kg',
  mmhg: 'mm[Hg]',
  'mmol-l': 'mmol/L',
  'per-minute': '/min',
  percent: '%',
  litres: 'L',
  times: '{times}',
}

export function quantity(value: number, unit: string | undefined, unitWord: string | undefined): Quantity {
  const code = unit === undefined ? undefined : UCUM_CODES[unit]
  return {
    value: Number(value.toFixed(6)),
    ...((unitWord ?? unit) && { unit: unitWord ?? unit }),
    ...(code && { system: UCUM, code }),
  }
}

/** A name-based uuid (version 5) under the session's own: the same session gives the same bundle. */
export function uuidFor(sessionId: string, name: string): string {
  const digest = createHash('sha1')
    .update(Buffer.from(sessionId.replaceAll('-', ''), 'hex'))
    .update(name)
    .digest()
  digest[6] = ((digest[6] ?? 0) & 0x0f) | 0x50
  digest[8] = ((digest[8] ?? 0) & 0x3f) | 0x80
  return digest.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** Text as FHIR allows it: no control characters, no lone surrogates. Nothing visible is lost. */
export const plain = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is taken away
  text.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
