import { createHash } from 'node:crypto'
import type { CodeableConcept, Coding, Quantity } from 'fhir/r4.js'

/**
 * What our codes are known by, the same in every deployment and for good. Every node serves what stands behind it, see
 * code-systems.ts.
 */
export const CANONICAL = 'https://w3id.org/fyr/fhir'

/** Our code systems whose codes come from the content: their version is that of the release. */
export const OF_CONTENT = ['complaint', 'question', 'option', 'rule', 'condition', 'danger'] as const
/** Our code systems whose codes stand here in the program. */
export const OF_PROGRAM = ['level', 'section', 'document', 'risk'] as const
export const PROGRAM_VERSION = '1'

export type ContentSystem = (typeof OF_CONTENT)[number]
export type ProgramSystem = (typeof OF_PROGRAM)[number]
export type System = ContentSystem | ProgramSystem

const HL7 = 'http://terminology.hl7.org/CodeSystem'
export const UCUM = 'http://unitsofmeasure.org'
const ABSENT_EXTENSION = 'http://hl7.org/fhir/StructureDefinition/data-absent-reason'

/** The codes of one bundle: those of its content release and those of the program. */
export type Codes = {
  coding: (system: System, code: string, display?: string) => Coding
  concept: (system: System, code: string, text: string, standard?: Coding) => CodeableConcept
}

export const addressOf = (system: System): string => `${CANONICAL}/CodeSystem/${system}`

const isOfProgram = (system: System): system is ProgramSystem => OF_PROGRAM.some((one) => one === system)

/** A session without content has codes without a version. */
export function codesOf(contentVersion: string | null): Codes {
  const coding = (system: System, code: string, display?: string): Coding => {
    const version = isOfProgram(system) ? PROGRAM_VERSION : contentVersion
    return {
      system: addressOf(system),
      ...(version !== null && { version }),
      code,
      ...(display && { display: plain(display) }),
    }
  }
  const concept = (system: System, code: string, text: string, standard?: Coding): CodeableConcept => ({
    coding: [coding(system, code), ...(standard ? [standard] : [])],
    text: plain(text),
  })
  return { coding, concept }
}

/** A single code of the terminology that FHIR itself publishes. */
export const hl7 = (system: string, code: string, display: string): Coding => ({
  system: `${HL7}/${system}`,
  code,
  display,
})

/** A single code of LOINC, whose licence allows that with the notice in docs/handoff.md. */
export const loinc = (code: string, display: string): Coding => ({ system: 'http://loinc.org', code, display })

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
