import type { TSchema } from 'typebox'
import Value from 'typebox/value'
import { differences } from '../engine/text/differences.ts'

/** A place in a value: accounts, 0, configurations, 1, languages. */
export type Pointer = readonly (string | number)[]

export type PlacedFault = { at: Pointer; message: string }

/** What is read of a schema when a value is walked through along it. */
export type SchemaPart = {
  type?: string
  enum?: readonly string[]
  required?: readonly string[]
  anyOf?: readonly SchemaPart[]
  properties?: Record<string, SchemaPart>
  items?: SchemaPart
  examples?: readonly string[]
  minimum?: number
  exclusiveMinimum?: number
  maximum?: number
  maxLength?: number
  maxItems?: number
}

export const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Everything in a value that is not as its schema says, each with its place and the end of a sentence for people. */
export function shapeFaults(schema: TSchema, value: unknown, at: Pointer = []): PlacedFault[] {
  const part = choiceFor(schema, value)
  if (!part) return [{ at, message: `must be ${choicesOf(schema).map(kindText).join(', or ')}` }]
  if (part.properties && isPlain(value)) return fieldFaults(part, part.properties, value, at)
  const { items } = part
  const inside = items && Array.isArray(value) ? value.flatMap((one, n) => shapeFaults(items, one, [...at, n])) : []
  const own = Value.Errors(part, value).filter(({ instancePath }) => instancePath === '')
  return [
    ...inside,
    ...own.slice(0, 1).map(({ keyword, message }) => ({ at, message: WORDS[keyword]?.(part) ?? message })),
  ]
}

function fieldFaults(
  { required = [] }: SchemaPart,
  properties: Record<string, SchemaPart>,
  value: Record<string, unknown>,
  at: Pointer,
): PlacedFault[] {
  const missing = required.filter((name) => !Object.hasOwn(value, name))
  return [
    ...missing.map((name) => ({ at: [...at, name], message: 'must be given' })),
    ...Object.entries(value).flatMap(([name, inner]) => {
      const field = Object.hasOwn(properties, name) ? properties[name] : undefined
      if (field) return shapeFaults(field, inner, [...at, name])
      return [{ at: [...at, name], message: unknownText(name, Object.keys(properties)) }]
    }),
  ]
}

const choicesOf = (part: SchemaPart): readonly SchemaPart[] => part.anyOf?.flatMap(choicesOf) ?? [part]

/** Of several alternatives the one that a value of this kind was meant as; undefined: it is none of them. */
export const choiceFor = (part: SchemaPart, value: unknown): SchemaPart | undefined =>
  choicesOf(part).find((choice) => kindOf(choice) === kindOfValue(value))

const kindOf = ({ type = 'string' }: SchemaPart): string => (type === 'integer' ? 'number' : type)

function kindOfValue(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

const KINDS: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  integer: 'a whole number',
  null: 'null',
  number: 'a number',
}

function kindText(part: SchemaPart): string {
  const names = Object.keys(part.properties ?? {})
  if (names.length > 0) return `a group of fields (${names.slice(0, 3).join(', ')}${names.length > 3 ? ' …' : ''})`
  if (part.enum) return `one of ${part.enum.join(', ')}`
  return KINDS[part.type ?? ''] ?? (part.examples ? `a text such as ${part.examples.join(' or ')}` : 'a text')
}

/** What a rule of a schema asks for, in words. */
const WORDS: Readonly<Record<string, (part: SchemaPart) => string>> = {
  type: (part) => `must be ${kindText(part)}`,
  enum: (part) => `must be ${kindText(part)}`,
  pattern: ({ examples = [] }) => `must look like ${examples.join(' or ')}`,
  minLength: () => 'must not be empty',
  maxLength: ({ maxLength }) => `may have ${maxLength} characters at most`,
  minimum: ({ minimum }) => `must be ${minimum} or more`,
  exclusiveMinimum: ({ exclusiveMinimum }) => `must be more than ${exclusiveMinimum}`,
  maximum: ({ maximum }) => `must be ${maximum} or less`,
  minItems: () => 'must have at least one entry',
  maxItems: ({ maxItems }) => `may have ${maxItems} entries at most`,
  uniqueItems: () => 'has an entry twice',
}

const FARTHEST = 3

function unknownText(name: string, known: readonly string[]): string {
  const [nearest] = known
    .map((other) => ({ other, count: differences(name.toLowerCase(), other.toLowerCase(), FARTHEST) }))
    .filter(({ other, count }) => count <= FARTHEST && count < other.length)
    .sort((a, b) => a.count - b.count)
  return nearest ? `is no field; did you mean ${nearest.other}?` : `is no field; there are ${known.join(', ')}`
}
