import type { CodeSystem, CodeSystemConcept, StructureDefinition } from 'fhir/r4.js'
import { LANGUAGES, type Language, LEVELS, SECTIONS } from '../../../engine/content.ts'
import { tagOf } from '../../../engine/languages.ts'
import type { Content } from '../../../engine/load.ts'
import { say } from '../../../engine/text/words.ts'
import { addressOf, type ContentSystem, PROGRAM_VERSION, type ProgramSystem, plain, type System } from './codes.ts'
import { EXTENDED_DATA } from './people.ts'

const TITLES: Readonly<Record<System, string>> = {
  complaint: 'What a patient seeks help for',
  question: 'Questions and signs',
  option: 'Options of questions',
  rule: 'Rules that give an urgency',
  condition: 'Conditions to consider',
  danger: 'Kinds of danger heard in own words',
  level: 'Levels of urgency',
  section: 'Sections of a hand-off',
  document: 'Documents and methods',
  risk: 'What is assessed',
}

const IN_TIME = [
  '10 minutes, life at risk',
  '10 minutes',
  '1 hour',
  '4 hours',
  '1 day',
  '1 week',
  '1 month',
  'Self-care',
]

const PROGRAM_CODES: Readonly<Record<ProgramSystem, readonly CodeSystemConcept[]>> = {
  level: LEVELS.map((code, at) => ({ code, display: IN_TIME[at] ?? code })),
  section: [...SECTIONS.map((code) => ({ code, display: code })), { code: 'red-flag', display: 'Red flag' }],
  document: [
    { code: 'triage-summary', display: 'Triage summary' },
    { code: 'rules', display: 'The rules of a content release' },
  ],
  risk: [
    { code: 'urgency', display: 'How soon care is needed' },
    { code: 'conditions', display: 'Conditions to consider' },
  ],
}

/** A code, and the places in the words where it is named, the first that there is. */
type Coded = readonly [code: string, ...paths: string[]]

/** The codes of each code system that comes from the content. */
const CONTENT_CODES: Readonly<Record<ContentSystem, (content: Content) => readonly Coded[]>> = {
  complaint: ({ release }) => release.complaints.map(({ id }) => [id, `complaint.${id}.label`]),
  question: ({ release }) => Object.keys(release.questions).map((id) => [id, `question.${id}.label`]),
  option: ({ release }) =>
    Object.values(release.questions).flatMap(({ id, options = [] }) =>
      options.map(
        (one): Coded => [`${id}.${one.id}`, `question.${id}.option.${one.id}.label`, `common.${one.id}.label`],
      ),
    ),
  rule: ({ release }) =>
    release.complaints.flatMap(({ id, rules }) =>
      [...rules.map((rule) => rule.id), 'otherwise'].map(
        (rule): Coded => [`${id}.${rule}`, `rule.${id}.${rule}.label`],
      ),
    ),
  condition: ({ release }) =>
    release.complaints.flatMap(({ id, differential }) =>
      differential.map((one): Coded => [`${id}.${one.id}`, `differential.${id}.${one.id}`]),
    ),
  danger: ({ release }) => release.dangers.map(({ id }) => [id]),
}

/** A code system of a content release, whole, with its names in every language. */
export const contentSystemOf = (system: ContentSystem, content: Content): CodeSystem =>
  codeSystem(
    system,
    content.release.version,
    `Codes of the content release ${content.release.version}.`,
    CONTENT_CODES[system](content).map((coded) => conceptOf(content, coded)),
  )

export const programSystemOf = (system: ProgramSystem): CodeSystem =>
  codeSystem(system, PROGRAM_VERSION, 'Codes of the program.', PROGRAM_CODES[system])

function codeSystem(
  system: System,
  version: string,
  description: string,
  concept: readonly CodeSystemConcept[],
): CodeSystem {
  return {
    resourceType: 'CodeSystem',
    id: system,
    language: 'en',
    url: addressOf(system),
    version,
    name: `Fyr${system[0]?.toUpperCase()}${system.slice(1)}`,
    title: `Fyr: ${TITLES[system]}`,
    status: 'active',
    experimental: false,
    publisher: 'Fyr',
    description,
    caseSensitive: true,
    content: 'complete',
    count: concept.length,
    ...(concept.length > 0 && { concept: [...concept] }),
  }
}

function conceptOf(content: Content, [code, ...paths]: Coded): CodeSystemConcept {
  const nameIn = (language: Language): string | undefined => {
    for (const path of paths) {
      const name = plain(say(content, language, path, { who: 'self' }) ?? '').trim()
      if (name) return name
    }
    return undefined
  }
  const designation = LANGUAGES.flatMap((language) => {
    const value = language === 'en' ? undefined : nameIn(language)
    return value ? [{ language: tagOf(language), value }] : []
  })
  return { code, display: nameIn('en') ?? code, ...(designation.length > 0 && { designation }) }
}

/** The one extension of ours. */
export const EXTENDED_DATA_DEFINITION: StructureDefinition = {
  resourceType: 'StructureDefinition',
  id: 'extended-data',
  url: EXTENDED_DATA,
  version: PROGRAM_VERSION,
  name: 'ExtendedData',
  title: 'Fyr: what the integrating system gave at creation',
  status: 'active',
  publisher: 'Fyr',
  description: 'The extendedData of the session as JSON text, unchanged.',
  fhirVersion: '4.0.1',
  kind: 'complex-type',
  abstract: false,
  context: [{ type: 'element', expression: 'Encounter' }],
  type: 'Extension',
  baseDefinition: 'http://hl7.org/fhir/StructureDefinition/Extension',
  derivation: 'constraint',
  differential: {
    element: [
      { id: 'Extension', path: 'Extension', max: '1' },
      { id: 'Extension.extension', path: 'Extension.extension', max: '0' },
      { id: 'Extension.url', path: 'Extension.url', fixedUri: EXTENDED_DATA },
      { id: 'Extension.value[x]', path: 'Extension.value[x]', min: 1, type: [{ code: 'string' }] },
    ],
  },
}
