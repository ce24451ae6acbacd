// Writes src/client/types.ts, export-types.ts and triage-types.ts from the OpenAPI document and src/client/events.ts from the table of
// events; with --check it only says whether they are up to date.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { EVENT_TYPES, EVENTS, type EventType } from '../src/store/webhooks/events.ts'

const DOCUMENT = new URL('../docs/openapi.json', import.meta.url)
const REF = '#/components/schemas/'

type Schema = {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  description?: string
}
type Document = { paths: Record<string, unknown>; components: { schemas: Record<string, Schema> } }

const { paths, components }: Document = JSON.parse(readFileSync(DOCUMENT, 'utf8'))

/** What says nothing about the type: words for the reader, and limits that only the service can check. */
const PASSED_OVER = [
  'description',
  'format',
  'minimum',
  'maximum',
  'maxLength',
  'minItems',
  'maxItems',
  'maxProperties',
]
const READ = ['$ref', 'type', 'enum', 'anyOf', 'items', 'properties', 'required', 'additionalProperties']

function typeOf(schema: Schema): string {
  const unknown = Object.keys(schema).filter((keyword) => ![...READ, ...PASSED_OVER].includes(keyword))
  if (unknown.length > 0) throw new Error(`The client's types know nothing of "${unknown.join('", "')}": teach them.`)
  if (schema.$ref) return schema.$ref.slice(REF.length)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(' | ')
  const { type } = schema
  if (Array.isArray(type)) return type.map((one) => typeOf({ ...schema, type: one })).join(' | ')
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type
    case 'number':
    case 'integer':
      return 'number'
    case 'array':
      return `(${typeOf(schema.items ?? {})})[]`
    case 'object':
      if (typeof schema.additionalProperties === 'object')
        return `Record<string, ${typeOf(schema.additionalProperties)}>`
      if (!schema.properties) return 'Record<string, unknown>'
      if (Object.keys(schema.properties).length === 0) return 'Record<string, never>'
      return `{\n${membersOf(schema, schema.properties)}\n}`
    default:
      return 'unknown'
  }
}

function membersOf({ required = [], additionalProperties }: Schema, properties: Record<string, Schema>): string {
  const members = Object.entries(properties).map(([name, inner]) => {
    const words = inner.description ?? inner.anyOf?.[0]?.description
    const mark = required.includes(name) ? '' : '?'
    return `${words ? `/** ${words} */\n` : ''}${name}${mark}: ${typeOf(inner)}`
  })
  return [...members, ...(additionalProperties ? ['[key: string]: unknown'] : [])].join('\n')
}

/** The components that the paths of a door refer to, and those they refer to. */
function spokenAt(door: string): string[] {
  const found = new Set<string>()
  const look = (value: unknown): void => {
    for (const name of referredIn(value)) {
      if (found.has(name)) continue
      found.add(name)
      look(components.schemas[name])
    }
  }
  for (const [path, operations] of Object.entries(paths)) if (path.startsWith(`${door}/`)) look(operations)
  return Object.keys(components.schemas).filter((name) => found.has(name))
}

const referredIn = (value: unknown): string[] =>
  [...JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name = '']) => name)

const typesOf = (names: readonly string[]): string =>
  names
    .map((name) => {
      const schema = components.schemas[name] ?? {}
      return `${schema.description ? `/** ${schema.description} */\n` : ''}export type ${name} = ${typeOf(schema)}`
    })
    .join('\n\n')

/** What only an export of a session says: long enough for a file of its own. */
const OF_EXPORT = ['AccessLogEntry', 'SessionExport']

/** What is said at the triage API alone; the rest it has in common with the interface. */
function typesOfTriage(): string {
  const known = spokenAt('/api/v1')
  return typesBeside(spokenAt('/api/triage/v1').filter((name) => !known.includes(name)))
}

/** Types of a file of their own, with what they take from the interface's. */
function typesBeside(own: readonly string[]): string {
  const common = new Set(
    own.flatMap((name) => referredIn(components.schemas[name])).filter((one) => !own.includes(one)),
  )
  return `import type { ${[...common].sort().join(', ')} } from './types.ts'\n\n${typesOf(own)}`
}

/** `session.completed` becomes the type SessionCompleted. */
const nameOf = (event: EventType): string =>
  event.replace(/(?:^|\.)([a-z])/g, (_, letter: string) => letter.toUpperCase())

function typesOfEvents(): string {
  const types = EVENT_TYPES.map((event) => {
    const { description, about, data } = EVENTS[event]
    const session =
      about === 'session'
        ? `sessionId: string
        /** What was given as extendedData when the session was created, or null. */
        extendedData: unknown`
        : `sessionId: null
        extendedData: null`
    return `/** ${description} */
      export type ${nameOf(event)} = {
        id: string
        type: '${event}'
        timestamp: string
        ${session}
        data: ${typeOf(data as Schema)}
      }`
  })
  return [...types, `export type WebhookEvent = ${EVENT_TYPES.map(nameOf).join(' | ')}`].join('\n\n')
}

function formatted(path: string, from: string, types: string): string {
  const text = `// Written by scripts/client-types.ts from ${from}: change that, not this.\n\n${types}\n`
  const done = spawnSync('biome', ['format', `--stdin-file-path=${path}`], {
    input: text,
    encoding: 'utf8',
    cwd: new URL('..', import.meta.url),
  })
  if (done.status !== 0) throw new Error(done.stderr)
  return done.stdout
}

for (const [path, from, types] of [
  [
    'src/client/types.ts',
    'docs/openapi.json',
    typesOf(spokenAt('/api/v1').filter((name) => !OF_EXPORT.includes(name))),
  ],
  ['src/client/export-types.ts', 'docs/openapi.json', typesBeside(OF_EXPORT)],
  ['src/client/triage-types.ts', 'docs/openapi.json', typesOfTriage()],
  ['src/client/events.ts', 'src/store/webhooks/events.ts', typesOfEvents()],
] as const) {
  const file = new URL(`../${path}`, import.meta.url)
  const text = formatted(path, from, types)
  if (!process.argv.includes('--check')) writeFileSync(file, text)
  else if (readFileSync(file, 'utf8') !== text) {
    console.error(`${path} is not what ${from} says. Write it anew: node scripts/client-types.ts`)
    process.exitCode = 1
  }
}
