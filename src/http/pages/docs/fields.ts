import type { Parameter, Schema } from '../../openapi/document.ts'
import { escaped } from '../html.ts'

const REF = '#/components/schemas/'

export type Schemas = Readonly<Record<string, Schema>>

export const nameOf = (ref: string): string => ref.slice(REF.length)

/** Words in backquotes are code. */
export const prose = (text: string): string => escaped(text).replace(/`([^`]+)`/g, '<code>$1</code>')

/** The type of a value in a few words: a link where it is a shape of its own, and the values where it is one of a list. */
export function typeOf(schema: Schema, schemas: Schemas): string {
  if (schema.$ref) {
    const name = nameOf(schema.$ref)
    const values = schemas[name]?.enum
    return values ? valuesOf(values) : `<a href="#shape-${name}">${name}</a>`
  }
  if (schema.enum) return valuesOf(schema.enum)
  if (schema.const !== undefined) return valuesOf([schema.const])
  if (schema.anyOf) return [...new Set(schema.anyOf.map((one) => typeOf(one, schemas)))].join(' or ')
  if (Array.isArray(schema.type))
    return schema.type.map((type) => (type === 'null' ? type : typeOf({ ...schema, type }, schemas))).join(' or ')
  if (schema.type === 'array') return `list of ${schema.items ? typeOf(schema.items, schemas) : 'anything'}`
  if (typeof schema.type !== 'string') return 'any JSON'
  return `${schema.format ?? schema.type}${limitsOf(schema)}`
}

const valuesOf = (values: readonly unknown[]): string =>
  values.map((value) => `<code class="option">${escaped(String(value))}</code>`).join(' ')

function limitsOf({ minimum, maximum, maxLength }: Schema): string {
  if (maxLength !== undefined) return `, up to ${maxLength.toLocaleString('en-GB')} characters`
  if (minimum !== undefined && maximum !== undefined) return `, ${minimum} to ${maximum}`
  return ''
}

/** The fields of an object, with those inside it below. */
export function fieldsOf(schema: Schema, schemas: Schemas): string {
  const shape = innerOf(schema, schemas)
  if (!shape?.properties) return ''
  const { required = [] } = shape
  const rows = Object.entries(shape.properties).map(([name, field]) => {
    const inside = field.$ref || refIn(field) ? '' : fieldsOf(field, schemas)
    const words = field.description ?? field.anyOf?.find((one) => one.description)?.description
    return row(name, typeOf(field, schemas), { required: required.includes(name), words, inside })
  })
  return `<dl class="fields">${rows.join('')}</dl>`
}

const refIn = (schema: Schema): boolean =>
  schema.anyOf?.some((one) => one.$ref) === true || schema.items?.$ref !== undefined

/** The object that a schema is, holds in a list, or offers beside null. */
function innerOf(schema: Schema, schemas: Schemas): Schema | null {
  if (schema.$ref) return innerOf(schemas[nameOf(schema.$ref)] ?? {}, schemas)
  if (schema.properties) return schema
  if (schema.items) return innerOf(schema.items, schemas)
  const objects = schema.anyOf?.filter((one) => one.properties) ?? []
  return objects.length === 1 ? (objects[0] ?? null) : null
}

type Row = { required: boolean; words?: string | undefined; inside?: string }

const row = (name: string, type: string, { required, words, inside = '' }: Row): string =>
  `<div><dt><code>${escaped(name)}</code> <span class="type">${type}</span>${required ? '' : ' <span class="optional">· optional</span>'}</dt><dd>${words ? `<p>${prose(words)}</p>` : ''}${inside}</dd></div>`

export function parametersOf(parameters: readonly Parameter[], schemas: Schemas): string {
  const rows = parameters.map(({ name, in: place, required = false, description, schema = {} }) =>
    row(name, `${place === 'header' ? 'header, ' : ''}${typeOf(schema, schemas)}`, {
      required,
      words: description ?? schema.description,
    }),
  )
  return `<dl class="fields">${rows.join('')}</dl>`
}
