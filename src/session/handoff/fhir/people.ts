import type {
  ContactPoint,
  Device,
  Encounter,
  Organization,
  Patient,
  PractitionerRole,
  RelatedPerson,
} from 'fhir/r4.js'
import type { Sex } from '../../../engine/intake.ts'
import { VERSION } from '../../../version.ts'
import { type Contact, contactOf, patientReferenceOf } from '../../contact.ts'
import type { Bundling, Named } from './bundle.ts'
import { CANONICAL, hl7, plain } from './codes.ts'

/** FHIR's own codes; that they look like our answers is coincidence. */
const GENDERS: Readonly<Record<Sex, NonNullable<Patient['gender']>>> = {
  Male: 'male',
  Female: 'female',
  Other: 'other',
}

/** What is known of the patient: sex, how they can be reached, and the integrating system's reference. There is no birth date, so the age is an observation of its own. */
export function patient({ handoff: { session }, ref, publicUrl, sheet }: Bundling): Named<Patient> {
  const [contact, reference] = [contactOf(session), patientReferenceOf(session)]
  return {
    name: 'patient',
    resource: {
      resourceType: 'Patient',
      ...(reference !== null && {
        identifier: [
          {
            system: `${publicUrl}/fhir/patient-reference/${session.slug}`, // the clinic's own numbers, whatever they are
            value: plain(reference),
            assigner: { display: plain(sheet.clinic) },
          },
        ],
      }),
      ...(contact && { telecom: [phone(contact)] }),
      gender: session.row.patient_sex === null ? 'unknown' : GENDERS[session.row.patient_sex],
      managingOrganization: ref('organization'),
    },
  }
}

const phone = ({ phone: value, when }: Contact): ContactPoint => ({
  system: 'phone',
  value,
  ...(when !== null && {
    extension: [{ url: 'http://hl7.org/fhir/StructureDefinition/contactpoint-comment', valueString: plain(when) }],
  }),
})

/** The person who answered for the patient; nothing else is known of them. */
export const relatedPerson = ({ ref, sheet }: Bundling): Named<RelatedPerson> => ({
  name: 'related-person',
  resource: {
    resourceType: 'RelatedPerson',
    patient: ref('patient'),
    relationship: [{ text: sheet.word('byOther') }],
  },
})

/** The professional who filled it in with the patient; nothing else is known of them. */
export const professional = ({ ref, sheet }: Bundling): Named<PractitionerRole> => ({
  name: 'professional',
  resource: {
    resourceType: 'PractitionerRole',
    organization: ref('organization'),
    code: [{ text: sheet.word('byProfessional') }],
  },
})

export const organization = ({ sheet }: Bundling): Named<Organization> => ({
  name: 'organization',
  resource: { resourceType: 'Organization', name: plain(sheet.clinic) },
})

/** The software that asked and judged, with its version. */
export const device = (): Named<Device> => ({
  name: 'device',
  resource: {
    resourceType: 'Device',
    status: 'active',
    deviceName: [{ name: 'Fyr', type: 'user-friendly-name' }],
    version: [{ value: VERSION }],
  },
})

const STATUSES = {
  Created: 'planned',
  StartedChat: 'in-progress',
  Ended: 'finished',
  AiSessionNotCreated: 'unknown',
} as const satisfies Record<string, Encounter['status']>

/** The levels as the priorities that FHIR suggests. Self-care needs no encounter, so it has none of them. */
const PRIORITIES: Record<string, ReturnType<typeof hl7>> = Object.fromEntries(
  (
    [
      [['Level1', 'Level2'], 'EM', 'emergency'],
      [['Level3', 'Level4', 'Level5'], 'UR', 'urgent'],
      [['Level6', 'Level7'], 'R', 'routine'],
    ] as const
  ).flatMap(([levels, code, display]) => levels.map((level) => [level, hl7('v3-ActPriority', code, display)])),
)

/** What the integrating system gave at creation, as JSON. */
export const EXTENDED_DATA = `${CANONICAL}/StructureDefinition/extended-data`

/** The session itself: when it was, what it was about, and how urgent that is. */
export function encounter({ handoff, sheet, codes, ref }: Bundling): Named<Encounter> {
  const { row, seal } = handoff.session
  const extended = seal.text('extendedData', row.sealed_extended_data)
  const { level, title, time } = sheet.urgency
  const priority = level && PRIORITIES[level]
  const reasons = handoff.outcome.complaints.map((id, at) => codes.concept('complaint', id, sheet.complaints[at] ?? id))
  const words = sheet.matter === null ? '' : plain(sheet.matter)
  return {
    name: 'encounter',
    resource: {
      resourceType: 'Encounter',
      ...(extended !== null && { extension: [{ url: EXTENDED_DATA, valueString: plain(extended) }] }),
      identifier: [{ system: 'urn:ietf:rfc:3986', value: `urn:uuid:${row.id}` }],
      status: STATUSES[row.status],
      class: hl7('v3-ActCode', 'VR', 'virtual'),
      subject: ref('patient'),
      ...(level && {
        priority: {
          coding: [codes.coding('level', level, title), ...(priority ? [priority] : [])],
          text: time ? `${title}, ${time}` : title,
        },
      }),
      ...(row.started_at && {
        period: {
          start: row.started_at.toISOString(),
          ...(row.completed_at && { end: row.completed_at.toISOString() }),
        },
      }),
      ...((reasons.length > 0 || words.trim()) && {
        reasonCode: [...reasons, ...(words.trim() ? [{ text: words }] : [])],
      }),
      serviceProvider: ref('organization'),
    },
  }
}
