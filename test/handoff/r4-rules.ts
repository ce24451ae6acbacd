type Json = null | boolean | number | string | Json[] | { [name: string]: Json }
type Thing = { [name: string]: Json }
export type Resource = Thing & { resourceType: string }
type Entry = { fullUrl: string; resource: Resource }
export type BundleJson = Resource & { entry: Entry[] }

const INSTANT =
  /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]\d{2}:\d{2})$/
const DATE_TIME = /^\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01])(T.+)?)?)?$/
const MOMENTS = [
  'timestamp',
  'recorded',
  'date',
  'start',
  'end',
  'authored',
  'creation',
  'effectiveDateTime',
  'occurrenceDateTime',
]
const INSTANTS = ['timestamp', 'recorded']
const ADDRESSES = ['url', 'system', 'fullUrl', 'reference', 'questionnaire']
const CODES = ['code', 'status', 'type', 'gender', 'role', 'valueCode', 'contentType']
const RESOURCE_TYPES = ['Patient']

/** Which resources an element may refer to, for every element that this hand-off uses. */
const TARGETS: Record<string, readonly string[]> = {
  'Composition.subject': ['Patient'],
  'Composition.encounter': ['Encounter'],
  'Composition.author': ['Device', 'Patient', 'RelatedPerson', 'Organization'],
  'Composition.custodian': ['Organization'],
  'Composition.section.entry': ['RiskAssessment', 'Observation', 'QuestionnaireResponse', 'DocumentReference'],
  'Patient.managingOrganization': ['Organization'],
  'RelatedPerson.patient': ['Patient'],
  'PractitionerRole.organization': ['Organization'],
  'Encounter.subject': ['Patient'],
  'Encounter.serviceProvider': ['Organization'],
  'QuestionnaireResponse.subject': ['Patient'],
  'QuestionnaireResponse.encounter': ['Encounter'],
  'QuestionnaireResponse.author': ['Device', 'Patient', 'RelatedPerson', 'Organization'],
  'QuestionnaireResponse.source': ['Patient', 'RelatedPerson', 'PractitionerRole'],
  'QuestionnaireResponse.item.item.answer.valueReference': ['DocumentReference'],
  'Observation.subject': ['Patient', 'Device'],
  'Observation.encounter': ['Encounter'],
  'Observation.performer': ['Patient', 'RelatedPerson', 'Organization', 'PractitionerRole'],
  'Observation.derivedFrom': ['QuestionnaireResponse', 'DocumentReference', 'Observation'],
  'RiskAssessment.subject': ['Patient'],
  'RiskAssessment.encounter': ['Encounter'],
  'RiskAssessment.performer': ['Device'],
  'RiskAssessment.basis': ['Observation'],
  'DocumentReference.subject': ['Patient', 'Device'],
  'DocumentReference.author': ['Device', 'Organization', 'Patient', 'RelatedPerson', 'PractitionerRole'],
  'DocumentReference.context.encounter': ['Encounter'],
  'Provenance.target': ['Composition', 'RiskAssessment'],
  'Provenance.agent.who': ['Device', 'Patient', 'RelatedPerson', 'Organization', 'PractitionerRole'],
  'Provenance.agent.onBehalfOf': ['Organization', 'Patient'],
  'Provenance.entity.what': ['QuestionnaireResponse'],
}

/** What R4 demands and no type can say: forms of values, invariants, references, and that the document hangs together. */
export function ruleFaults(bundle: BundleJson): string[] {
  const faults: string[] = []
  const byUrl = new Map(bundle.entry.map(({ fullUrl, resource }) => [fullUrl, resource]))
  if (byUrl.size !== bundle.entry.length) faults.push('bdl-7: two entries have the same fullUrl')
  const identifier = bundle.identifier as Thing | undefined
  if (!identifier?.system || !identifier.value) faults.push('bdl-9: a document has an identifier with system and value')
  if (!bundle.timestamp) faults.push('bdl-10: a document has a timestamp')
  if (bundle.type !== 'document' || bundle.entry[0]?.resource.resourceType !== 'Composition')
    faults.push('bdl-11: a document begins with its Composition')
  walk({ ...bundle, entry: bundle.entry.map(({ fullUrl }) => ({ fullUrl })) }, 'Bundle', byUrl, faults)
  for (const { resource } of bundle.entry) {
    walk(resource, resource.resourceType, byUrl, faults)
    faults.push(...(INVARIANTS[resource.resourceType]?.(resource, bundle) ?? []))
  }
  return [...faults, ...unreachable(bundle, byUrl)]
}

function walk(value: Json | undefined, path: string, byUrl: ReadonlyMap<string, Resource>, faults: string[]): void {
  const name = path.split('.').at(-1) ?? ''
  if (value === null || value === undefined) faults.push(`${path}: null has no place`)
  else if (Array.isArray(value)) {
    if (value.length === 0) faults.push(`${path}: an empty list has no place`)
    for (const one of value) walk(one, path, byUrl, faults)
  } else if (typeof value === 'object') {
    if (Object.keys(value).length === 0) faults.push(`${path}: ele-1, an element has a value or children`)
    faults.push(...shapeFaults(value, path, byUrl))
    for (const [inner, child] of Object.entries(value)) walk(child, `${path}.${inner}`, byUrl, faults)
  } else if (typeof value === 'string') faults.push(...textFaults(value, name).map((fault) => `${path}: ${fault}`))
  else if (typeof value === 'number' && !Number.isFinite(value)) faults.push(`${path}: not a number`)
}

function textFaults(text: string, name: string): string[] {
  const faults: string[] = []
  if (text.trim() === '') faults.push('an empty text has no place')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: R4 forbids exactly these
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/.test(text)) faults.push('control characters')
  if (MOMENTS.includes(name) && !(INSTANTS.includes(name) ? INSTANT : DATE_TIME).test(text)) faults.push('not a moment')
  if (text.includes('T') && MOMENTS.includes(name) && !INSTANT.test(text))
    faults.push('a time needs seconds and a zone')
  if (ADDRESSES.includes(name) && (/\s/.test(text) || !/^[a-z][a-z0-9+.-]*:/.test(text)))
    faults.push('not an absolute address')
  if (CODES.includes(name) && !/^\S+( \S+)*$/.test(text)) faults.push('not a code')
  if (name === 'contentType' && !/^\w+\/[\w.+-]+$/.test(text)) faults.push('not a MIME type')
  if (name === 'language' && !/^[a-z]{2,3}$/.test(text)) faults.push('not a language')
  if (name === 'subjectType' && !RESOURCE_TYPES.includes(text)) faults.push('not a resource type')
  if (name === 'div' && !isXhtml(text)) faults.push('txt-1: not the XHTML that a narrative takes')
  return faults
}

function shapeFaults(value: Thing, path: string, byUrl: ReadonlyMap<string, Resource>): string[] {
  const faults: string[] = []
  const values = Object.keys(value).filter((name) => /^value[A-Z]/.test(name))
  if (values.length > 1) faults.push(`${path}: more than one value`)
  if ('extension' in value)
    for (const one of value.extension as Thing[])
      if (!Object.keys(one).some((name) => /^value[A-Z]/.test(name)))
        faults.push(`${path}: ext-1, an extension has a value`)
  if (path.endsWith('Quantity') && 'code' in value && !('system' in value))
    faults.push(`${path}: qty-3, a code has a system`)
  if (
    path.endsWith('eriod') &&
    typeof value.start === 'string' &&
    typeof value.end === 'string' &&
    value.start > value.end
  )
    faults.push(`${path}: per-1, it ends before it begins`)
  if (typeof value.reference === 'string') faults.push(...referenceFaults(value.reference, value.type, path, byUrl))
  return faults
}

function referenceFaults(
  to: string,
  type: Json | undefined,
  path: string,
  byUrl: ReadonlyMap<string, Resource>,
): string[] {
  const target = byUrl.get(to)
  const allowed = TARGETS[path]
  if (!allowed) return [`${path}: no reference is expected here`]
  if (!target) return [`${path}: refers to something that is not there`]
  if (type !== undefined && type !== target.resourceType)
    return [`${path}: says ${String(type)}, is ${target.resourceType}`]
  return allowed.includes(target.resourceType) ? [] : [`${path}: may not refer to ${target.resourceType}`]
}

const INVARIANTS: Record<string, (resource: Resource, bundle: BundleJson) => string[]> = {
  Composition: ({ section }) =>
    (section as Thing[]).flatMap((one) => ('text' in one || 'entry' in one ? [] : ['cmp-1: a section says something'])),
  Observation: (one) => {
    const has = Object.keys(one).some((name) => /^value[A-Z]/.test(name))
    if (has && 'dataAbsentReason' in one) return ['obs-6: a value and a reason for having none']
    return has || 'dataAbsentReason' in one ? [] : ['an observation says nothing']
  },
  RelatedPerson: () => [],
  Questionnaire: ({ item }) => {
    const items = flat(item as Thing[])
    const ids = items.map(({ linkId }) => linkId)
    return [
      ...(new Set(ids).size === ids.length ? [] : ['que-2: a linkId is used twice']),
      ...items.flatMap((one) => {
        if (one.type === 'group' && !one.item) return ['que-1: a group has items']
        if (one.answerOption && one.type !== 'choice') return ['que-5: only choices have options']
        return one.maxLength !== undefined && !['text', 'string'].includes(String(one.type))
          ? ['que-10: maxLength is for text']
          : []
      }),
    ]
  },
  QuestionnaireResponse: (response, bundle) => {
    const asked = bundle.entry.find(({ resource }) => resource.resourceType === 'Questionnaire')?.resource
    if (response.questionnaire !== `${String(asked?.url)}|${String(asked?.version)}`)
      return ['the questionnaire is another one']
    const questions = new Map(flat(asked?.item as Thing[]).map((one) => [one.linkId, one]))
    return flat(response.item as Thing[]).flatMap((one) => answerFaults(one, questions.get(one.linkId)))
  },
}

const VALUE_OF: Record<string, string> = {
  boolean: 'valueBoolean',
  choice: 'valueCoding',
  quantity: 'valueQuantity',
  decimal: 'valueDecimal',
  integer: 'valueInteger',
  date: 'valueDate',
  text: 'valueString',
  reference: 'valueReference',
}

function answerFaults(item: Thing, question: Thing | undefined): string[] {
  if (!question) return [`${String(item.linkId)}: nobody asked`]
  const answers = (item.answer ?? []) as Thing[]
  const options = new Set(
    ((question.answerOption ?? []) as Thing[]).map(({ valueCoding }) => (valueCoding as Thing).code),
  )
  if (answers.length > 1 && question.repeats !== true) return [`${String(item.linkId)}: more than one answer`]
  return answers.flatMap((one) => {
    if (!((VALUE_OF[String(question.type)] ?? '') in one))
      return [`${String(item.linkId)}: not a ${String(question.type)}`]
    const { code } = (one.valueCoding ?? {}) as Thing
    return code !== undefined && !options.has(code) ? [`${String(item.linkId)}: ${String(code)} was not offered`] : []
  })
}

const flat = (items: readonly Thing[]): Thing[] =>
  items.flatMap((item) => [item, ...flat((item.item ?? []) as Thing[])])

/** A document holds what its Composition leads to, and the Provenance of that. */
function unreachable({ entry }: BundleJson, byUrl: ReadonlyMap<string, Resource>): string[] {
  const reached = new Set<Resource>()
  const visit = (resource: Resource | undefined): void => {
    if (!resource || reached.has(resource)) return
    reached.add(resource)
    for (const [, to = ''] of JSON.stringify(resource).matchAll(/"reference":"([^"]+)"/g)) visit(byUrl.get(to))
  }
  visit(entry[0]?.resource)
  const asked = [...reached].find(({ resourceType }) => resourceType === 'QuestionnaireResponse')?.questionnaire
  return entry
    .map(({ resource }) => resource)
    .filter(
      (one) =>
        !reached.has(one) && one.resourceType !== 'Provenance' && !(asked && one.resourceType === 'Questionnaire'),
    )
    .map(({ resourceType }) => `nothing leads to a ${resourceType}`)
}

/** Balanced, in the XHTML namespace, and only with what a narrative may hold. */
function isXhtml(div: string): boolean {
  const tags = [...div.matchAll(/<(\/?)([a-z]+)([^<>]*?)(\/?)>/g)]
  if (!div.startsWith('<div xmlns="http://www.w3.org/1999/xhtml">') || /&(?!#\d+;)/.test(div)) return false
  if (div.replace(/<\/?[a-z]+[^<>]*>/g, '').match(/[<>]/)) return false
  const open: string[] = []
  for (const [, closes, name = '', rest = '', empty] of tags) {
    if (!['div', 'p', 'b', 'br'].includes(name) || (name !== 'div' && rest.trim() !== '')) return false
    if (empty) continue
    if (!closes) open.push(name)
    else if (open.pop() !== name) return false
  }
  return open.length === 0
}
