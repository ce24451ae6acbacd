import type { Bundle } from 'fhir/r4.js'
import { answererOf } from '../../who.ts'
import type { Handoff } from '../handoff.ts'
import { bundlingOf, type FileAddress, type Named } from './bundle.ts'
import { uuidFor } from './codes.ts'
import { composition, files, provenance } from './document.ts'
import { findings } from './findings.ts'
import { questionnaire, questionnaireResponse } from './interview.ts'
import { device, encounter, organization, patient, professional, relatedPerson } from './people.ts'
import { considerations, urgency } from './urgency.ts'

/**
 * The session as a FHIR R4 document: what was said and concluded at one moment, with a page that people can read. A
 * document, because the parts only mean something together; a collection would lose the page and the moment.
 */
export function fhirOf(handoff: Handoff, publicUrl: string, fileUrl: FileAddress): Bundle {
  const { row } = handoff.session
  const bundling = bundlingOf(handoff, publicUrl, fileUrl)
  const observed = findings(bundling)
  const known = new Set(observed.map(({ name }) => name))
  const isInterviewed = handoff.interview.step.ledger.length > 0
  const entries: Named[] = [
    composition(bundling, observed),
    patient(bundling),
    ...(answererOf(row) === 'related-person' ? [relatedPerson(bundling)] : []),
    ...(answererOf(row) === 'professional' ? [professional(bundling)] : []),
    organization(bundling),
    device(),
    encounter(bundling),
    urgency(bundling, known),
    ...considerations(bundling, known),
    ...(isInterviewed ? [questionnaire(bundling), questionnaireResponse(bundling)] : []),
    ...observed,
    ...files(bundling),
    provenance(bundling),
  ]
  const edition = uuidFor(row.id, `document ${handoff.language} ${row.version} ${row.status} ${handoff.files.length}`)
  return {
    resourceType: 'Bundle',
    language: bundling.language,
    identifier: { system: 'urn:ietf:rfc:3986', value: `urn:uuid:${edition}` },
    type: 'document',
    timestamp: handoff.asOf.toISOString(),
    entry: entries.map(({ name, resource }) => ({ fullUrl: `urn:uuid:${uuidFor(row.id, name)}`, resource })),
  }
}
