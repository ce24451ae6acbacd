import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import Value from 'typebox/value'
import { type ContentProblem, type Located, readDocument } from '../../engine/compile/document.ts'
import { differences } from '../../engine/text/differences.ts'
import { ClinicFile, type SchemaPart } from './clinic-file.ts'

/** Where in the file something is: accounts, 0, configurations, 1, languages. */
export type Pointer = readonly (string | number)[]

export type FileFault = { line: number; path: string; message: string }

/** The file cannot be applied as it is; each fault has its line and its path. */
export class FileFaults extends Error {
  readonly faults: readonly FileFault[]

  constructor(faults: readonly FileFault[]) {
    super('The file has faults.')
    this.faults = faults
  }
}

/** What a file says, and a way to tell faults by their place in it. */
export type ReadFile = { file: ClinicFile; faultAt: (pointer: Pointer, message: string) => FileFault }

const compiled = Compile(ClinicFile)

/** Reads a file of accounts, in YAML or JSON, or throws FileFaults. */
export function readClinicFile(text: string): ReadFile {
  const unreadable: ContentProblem[] = []
  const root = readDocument({ path: '', text }, unreadable)
  if (!root || unreadable.length > 0)
    throw new FileFaults(unreadable.map(({ line, message }) => ({ line, path: '', message })))
  const faultAt = (pointer: Pointer, message: string): FileFault => ({
    line: lineOf(root, pointer),
    path: pathText(pointer),
    message,
  })
  const faults: FileFault[] = []
  const value = plainOf(root, ClinicFile, [], (pointer, message) => faults.push(faultAt(pointer, message)))
  if (faults.length > 0) throw new FileFaults(faults)
  if (compiled.Check(value)) return { file: value, faultAt }
  throw new FileFaults(schemaFaults(ClinicFile, value, []).map(({ pointer, message }) => faultAt(pointer, message)))
}

type Tell = (pointer: Pointer, message: string) => void
/** The plain value of a piece. A number becomes the text it was written as where only text is taken: 112 is whom to call. */
function plainOf(node: Located, schema: TSchema | undefined, pointer: Pointer, tell: Tell): unknown {
  const part: SchemaPart = schema ?? {}
  const choices = part.anyOf ?? [part]
  switch (node.kind) {
    case 'scalar': {
      const takes = (type: string) => choices.some((choice) => choice.type === type)
      const isText = typeof node.value === 'number' && takes('string') && !takes('number') && !takes('integer')
      return isText ? node.source : node.value
    }
    case 'list': {
      const items = choices.find((choice) => choice.items)?.items
      return node.items.map((item, at) => plainOf(item, items, [...pointer, at], tell))
    }
    case 'map': {
      const known = choices.find((choice) => choice.properties)?.properties
      const entries = [...node.entries].map(([name, inner]) => {
        const place = [...pointer, name]
        if (known && !Object.hasOwn(known, name)) tell(place, unknownText(name, Object.keys(known)))
        return [name, plainOf(inner, known?.[name], place, tell)]
      })
      return Object.fromEntries(entries)
    }
  }
}

const FARTHEST = 3

function unknownText(name: string, known: readonly string[]): string {
  const [nearest] = known
    .map((other) => ({ other, count: differences(name.toLowerCase(), other.toLowerCase(), FARTHEST) }))
    .filter(({ count }) => count <= FARTHEST)
    .sort((a, b) => a.count - b.count)
  return nearest ? `is no field; did you mean ${nearest.other}?` : `is no field; there are ${known.join(', ')}`
}

type SchemaFault = { pointer: Pointer; message: string }

/** Goes into objects and lists itself: the checker stops after a few faults, and an operator wants to know all of them. */
function schemaFaults(schema: TSchema, value: unknown, pointer: Pointer): SchemaFault[] {
  const part: SchemaPart = schema
  if (part.properties && isPlain(value)) {
    const missing = (part.required ?? []).filter((name) => !Object.hasOwn(value, name))
    return [
      ...missing.map((name) => ({ pointer, message: `must have the field ${name}` })),
      ...Object.entries(part.properties)
        .filter(([name]) => Object.hasOwn(value, name))
        .flatMap(([name, inner]) => schemaFaults(inner, value[name], [...pointer, name])),
    ]
  }
  const { items } = part
  const inside =
    items && Array.isArray(value) ? value.flatMap((one, at) => schemaFaults(items, one, [...pointer, at])) : []
  return inside.length > 0 ? inside : leafFaults(part, value, pointer)
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** One fault for each place: of alternatives that all fail, the first, and none where something inside is at fault. */
function leafFaults(part: SchemaPart, value: unknown, pointer: Pointer): SchemaFault[] {
  const first = new Map<string, string>()
  for (const { instancePath, message, params } of Value.Errors(part, value)) {
    const allowed = 'allowedValues' in params ? `: ${params.allowedValues.join(', ')}` : ''
    if (!first.has(instancePath)) first.set(instancePath, `${message}${allowed}`)
  }
  const paths = [...first.keys()]
  return [...first]
    .filter(([path]) => !paths.some((other) => other.startsWith(`${path}/`)))
    .map(([path, message]) => ({ pointer: [...pointer, ...pointerOf(path)], message }))
}

/** /accounts/0/name as accounts, 0, name. */
export const pointerOf = (path: string): Pointer =>
  path
    .split('/')
    .slice(1)
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part.replaceAll('~1', '/').replaceAll('~0', '~')))

const pathText = (pointer: Pointer): string =>
  pointer.map((part, at) => (typeof part === 'number' ? `[${part}]` : at === 0 ? part : `.${part}`)).join('')

/** The line of a place, or of the nearest that is there around it. */
function lineOf(root: Located, pointer: Pointer): number {
  let node = root
  for (const part of pointer) {
    const inner =
      node.kind === 'map' ? node.entries.get(String(part)) : node.kind === 'list' ? node.items[Number(part)] : undefined
    if (!inner) break
    node = inner
  }
  return node.place[1]
}
