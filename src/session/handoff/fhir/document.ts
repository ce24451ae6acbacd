import type { Composition, CompositionSection, DocumentReference, Provenance, Reference } from 'fhir/r4.js'
import { said } from '../evidence-words.ts'
import type { Sheet } from '../sheet.ts'
import type { Bundling, Named } from './bundle.ts'
import { hl7, plain } from './codes.ts'
import type { Finding } from './findings.ts'

/** The files of the session. Their bytes are fetched from their own address, while that is allowed. */
export const files = ({ handoff, fileUrl, ref, source }: Bundling): Named<DocumentReference>[] =>
  handoff.files.map(({ id, name, mimeType, size, at }) => ({
    name: `file.${id}`,
    resource: {
      resourceType: 'DocumentReference',
      identifier: [{ system: 'urn:ietf:rfc:3986', value: `urn:uuid:${id}` }],
      status: 'current',
      subject: ref('patient'),
      date: at.toISOString(),
      ...(source && { author: [source] }),
      content: [
        {
          attachment: {
            contentType: mimeType,
            url: fileUrl(id),
            size,
            ...(plain(name).trim() && { title: plain(name) }),
            creation: at.toISOString(),
          },
        },
      ],
      context: { encounter: [ref('encounter')] },
    },
  }))

/** Who made this from what: whoever answered told it, the software put it together. */
export function provenance({ handoff, ref, source: informant, sheet }: Bundling): Named<Provenance> {
  const agent = (code: string, display: string) => ({
    coding: [hl7('provenance-participant-type', code, display)],
  })
  const { content_version: contentVersion } = handoff.session.row
  const source = (what: Reference) => ({ role: 'source' as const, what })
  const entity = [
    ...(handoff.interview.step.ledger.length > 0 ? [source(ref('questionnaire-response'))] : []),
    ...(contentVersion === null ? [] : [source({ display: `${sheet.word('content')} ${contentVersion}` })]),
  ]
  return {
    name: 'provenance',
    resource: {
      resourceType: 'Provenance',
      target: [ref('composition'), ref('urgency')],
      recorded: handoff.asOf.toISOString(),
      activity: { coding: [hl7('v3-DataOperation', 'CREATE', 'create')] },
      agent: [
        ...(informant ? [{ type: agent('informant', 'Informant'), who: informant }] : []),
        { type: agent('assembler', 'Assembler'), who: ref('device'), onBehalfOf: ref('organization') },
      ],
      ...(entity.length > 0 && { entity }),
    },
  }
}

/** The document's readable page, for viewers that understand nothing else in the bundle. */
export function composition(bundling: Bundling, findings: readonly Finding[]): Named<Composition> {
  const { handoff, sheet, codes, isFinal, ref } = bundling
  return {
    name: 'composition',
    resource: {
      resourceType: 'Composition',
      language: bundling.language,
      identifier: { system: 'urn:ietf:rfc:3986', value: `urn:uuid:${handoff.session.row.id}` },
      status: isFinal ? 'final' : 'preliminary',
      type: codes.concept('document', 'triage-summary', sheet.word('title')),
      subject: ref('patient'),
      encounter: ref('encounter'),
      date: handoff.asOf.toISOString(),
      author: [ref('device')],
      title: sheet.word('title'),
      custodian: ref('organization'),
      section: sectionsOf(bundling, findings),
    },
  }
}

function sectionsOf({ sheet, ref, handoff }: Bundling, findings: readonly Finding[]): CompositionSection[] {
  const { word } = sheet
  const told = new Set<string>()
  const named = (names: readonly string[]) => {
    for (const name of names) told.add(name)
    return names
  }
  const of = (section: Finding['section']) =>
    named(findings.filter((one) => one.section === section).map(({ name }) => name))
  const section = (title: string, lines: readonly Line[], entries: readonly string[] = []): CompositionSection[] =>
    lines.length > 0 ? [{ title, text: narrative(lines), ...(entries.length > 0 && { entry: entries.map(ref) }) }] : []
  const sections = [
    section(word('urgency'), urgencyLines(sheet), ['urgency']),
    section(
      word('patient'),
      sheet.patient.map(({ label, value }) => [label, value ?? word('unknown')] as const),
      of('patient'),
    ),
    section(word('matter'), [sheet.matter ?? word('noWords'), [word('complaint'), sheet.complaints.join('; ')]]),
    section(word('redFlags'), flagLines(sheet), of('redFlags')),
    ...sheet.history.map((part) => section(part.heading, historyLines(part, sheet), of(part.section))),
    section(
      word('considerations'),
      considerationLines(sheet),
      sheet.considerations.length > 0 ? ['considerations'] : [],
    ),
    section(
      word('files'),
      handoff.files.map(({ name }) => name),
      handoff.files.map(({ id }) => `file.${id}`),
    ),
  ]
  const rest = findings.map(({ name }) => name).filter((name) => !told.has(name))
  const answered = handoff.interview.step.ledger.length > 0 ? ['questionnaire-response'] : []
  const facts = sheet.facts.map(({ label, value }) => [label, value] as const)
  return [...sections.flat(), ...section(word('session'), facts, [...answered, ...rest])]
}

const urgencyLines = (sheet: Sheet): Line[] => [
  sheet.urgency.time ? `${sheet.urgency.title}, ${sheet.urgency.time}` : sheet.urgency.title,
  ...sheet.reasons.map(
    ({ label, answers }) => [label, answers.map((one) => said(one, sheet)).join('; ') || '–'] as const,
  ),
  sheet.remark,
  sheet.card && ([sheet.word('card'), sheet.card] as const),
  sheet.word('proposal'),
  sheet.reviewNotice,
]

const flagLines = ({ redFlags, unconfirmed, word }: Sheet): Line[] => [
  ...unconfirmed.map((words) => [word('unconfirmed'), words] as const),
  ...redFlags.map(({ heading, labels }) => [heading, labels.join('; ')] as const),
]

const historyLines = ({ present, denied, unknown }: Sheet['history'][number], { word }: Sheet): Line[] => [
  ...present.map(({ label, values }) => [label, values.join('; ') || word('present')] as const),
  [word('denied'), denied.join('; ')],
  [word('unsure'), unknown.join('; ')],
]

const considerationLines = (sheet: Sheet): Line[] =>
  sheet.considerations.map((one) => {
    const sides = [
      ...one.for.map((each) => `+ ${said(each, sheet)}`),
      ...one.against.map((each) => `\u2212 ${said(each, sheet)}`),
    ]
    return [one.label, sides.join('; ') || '–']
  })

type Line = string | null | readonly [label: string, text: string]

/** Lines as the limited XHTML that FHIR allows. A label without text is left out. */
function narrative(lines: readonly Line[]): { status: 'generated'; div: string } {
  const told = lines.flatMap((line) => {
    if (line === null) return []
    if (typeof line === 'string') return line.trim() ? [`<p>${escaped(line)}</p>`] : []
    return line[1].trim() ? [`<p><b>${escaped(line[0])}:</b> ${escaped(line[1])}</p>`] : []
  })
  return { status: 'generated', div: `<div xmlns="http://www.w3.org/1999/xhtml">${told.join('') || '<p>–</p>'}</div>` }
}

const escaped = (text: string): string =>
  plain(text)
    .replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`)
    .replace(/\r\n?|\n/g, '<br/>')
