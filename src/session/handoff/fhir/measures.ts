import type { CodeableConcept, Coding, Observation } from 'fhir/r4.js'
import { type Bundling, findingName } from './bundle.ts'
import { hl7, loinc } from './codes.ts'
import type { Finding } from './findings.ts'

type Measure = { code: Coding; isVitalSign?: true }

/** What the questions that measure something are called in LOINC; a question of another name measures nothing that others know. */
export const MEASURES: Readonly<Record<string, Measure>> = {
  age: { code: loinc('30525-0', 'Age') },
  temperature: { code: loinc('8310-5', 'Body temperature'), isVitalSign: true },
  pulse: { code: loinc('8867-4', 'Heart rate'), isVitalSign: true },
  breaths: { code: loinc('9279-1', 'Respiratory rate'), isVitalSign: true },
  sugar: { code: loinc('15074-8', 'Glucose [Moles/volume] in Blood') },
  pain_severity: { code: loinc('72514-3', 'Pain severity - 0-10 verbal numeric rating [Score] - Reported') },
  pregnancy_weeks: { code: loinc('49051-6', 'Gestational age in weeks') },
}

/** FHIR wants every vital sign in this category. */
export const VITAL_SIGNS: CodeableConcept = { coding: [hl7('observation-category', 'vital-signs', 'Vital Signs')] }

const PRESSURES = [
  ['pressure_upper', loinc('8480-6', 'Systolic blood pressure')],
  ['pressure_lower', loinc('8462-4', 'Diastolic blood pressure')],
] as const

/** Both values of the blood pressure as one vital sign, which is how others know it; each has its own finding as well. */
export function bloodPressure({ ref }: Bundling, findings: readonly Finding[]): Finding[] {
  const parts = PRESSURES.flatMap(([question, code]) => {
    const found = findings.find(({ name }) => name === findingName(question))
    return found?.resource.valueQuantity ? [{ found, code, valueQuantity: found.resource.valueQuantity }] : []
  })
  const [first] = parts
  if (!first || parts.length < PRESSURES.length) return []
  const { valueQuantity: _one, note: _note, ...shared }: Observation = first.found.resource
  return [
    {
      name: 'finding.blood-pressure',
      section: first.found.section,
      resource: {
        ...shared,
        category: [VITAL_SIGNS, ...(shared.category ?? [])],
        code: { coding: [loinc('85354-9', 'Blood pressure panel with all children optional')] },
        derivedFrom: [...(shared.derivedFrom ?? []), ...parts.map(({ found }) => ref(found.name))],
        component: parts.map(({ code, valueQuantity }) => ({ code: { coding: [code] }, valueQuantity })),
      },
    },
  ]
}
