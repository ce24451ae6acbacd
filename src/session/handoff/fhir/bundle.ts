import type { FhirResource, Reference } from 'fhir/r4.js'
import { tagOf } from '../../../engine/languages.ts'
import { answererOf } from '../../who.ts'
import type { Handoff } from '../handoff.ts'
import { type Sheet, sheetOf } from '../sheet.ts'
import { type Codes, codesOf, uuidFor } from './codes.ts'

/** Where a file of the session can be fetched. */
export type FileAddress = (fileId: string) => string

/** What every resource of one bundle is made from. */
export type Bundling = {
  handoff: Handoff
  sheet: Sheet
  codes: Codes
  publicUrl: string
  language: string
  isFinal: boolean
  fileUrl: FileAddress
  /** A reference to a resource of this bundle, by its name here. */
  ref: (name: string) => Reference
  /** Who answered: the patient, someone for them, or a professional with them. Null while nobody has said so. */
  source: Reference | null
}

/** A resource and the name others refer to it by. */
export type Named<T extends FhirResource = FhirResource> = { name: string; resource: T }

export const findingName = (question: string, option?: string): string =>
  option === undefined ? `finding.${question}` : `finding.${question}.${option}`

export function bundlingOf(handoff: Handoff, publicUrl: string, fileUrl: FileAddress): Bundling {
  const { row } = handoff.session
  const answerer = answererOf(row)
  const ref = (name: string): Reference => ({
    reference: `urn:uuid:${uuidFor(row.id, name)}`,
    type: typeOf(name),
  })
  return {
    handoff,
    sheet: sheetOf(handoff),
    codes: codesOf(row.content_version),
    publicUrl,
    language: tagOf(handoff.language),
    isFinal: row.status === 'Ended',
    fileUrl,
    ref,
    source: answerer && ref(answerer),
  }
}

const TYPES: Record<string, FhirResource['resourceType']> = {
  composition: 'Composition',
  patient: 'Patient',
  'related-person': 'RelatedPerson',
  professional: 'PractitionerRole',
  organization: 'Organization',
  device: 'Device',
  encounter: 'Encounter',
  urgency: 'RiskAssessment',
  considerations: 'RiskAssessment',
  'questionnaire-response': 'QuestionnaireResponse',
  finding: 'Observation',
  unconfirmed: 'Observation',
  file: 'DocumentReference',
}

/** What kind of resource a name stands for; the address alone does not say. */
function typeOf(name: string): FhirResource['resourceType'] {
  const type = TYPES[name.split('.')[0] ?? '']
  if (!type) throw new Error(`The bundle has no resource called ${name.split('.')[0]}.`)
  return type
}
