import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { LANGUAGES, type Language } from '../engine/content.ts'
import { fail, invalid } from '../problems.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export const SessionParams = Type.Object({ sessionId: Type.String({ format: 'uuid' }) })
export const InLanguage = Type.Object({ language: Type.Optional(Type.Enum([...LANGUAGES])) })

/** Checks the form of the id before query and body; upper case is accepted, lower case returned. */
export function idOr(code: 'session-not-found' | 'invalid-request') {
  return async (request: FastifyRequest): Promise<void> => {
    const { sessionId } = request.params as { sessionId: string }
    if (UUID.test(sessionId)) return
    if (code === 'invalid-request') invalid('/path/sessionId', 'must be a uuid')
    fail(code)
  }
}

export const idOf = (request: { params: { sessionId: string } }): string => request.params.sessionId.toLowerCase()

export function languageOf(text: string | undefined): Language | null {
  if (text === undefined) return null
  return (
    LANGUAGES.find((language) => language === text) ??
    invalid('/query/language', `must be one of ${LANGUAGES.join(', ')}`)
  )
}

/** A missing body is an empty one. */
export async function bodyOptional(request: FastifyRequest): Promise<void> {
  request.body ??= {}
}

type Compiler = (route: {
  httpPart?: string
  schema: unknown
}) => (value: unknown) => { value: unknown } | { error: Error }

/** Query values are strings given once; the route interprets them, as it accepts more forms than a format does. */
export const singleTexts: Compiler = (route) => {
  const names = namesIn(route)
  return (value) => {
    const given = value as Record<string, unknown>
    const doubled = names.find((name) => given[name] !== undefined && typeof given[name] !== 'string')
    return doubled === undefined ? { value } : { error: fault(`/${doubled}`, 'is given more than once') }
  }
}

/** The same, but unknown parameters are refused: a misspelt filter would quietly answer another question. */
export const knownTexts: Compiler = (route) => {
  const names = namesIn(route)
  const single = singleTexts(route)
  return (value) => {
    if (route.httpPart !== 'querystring') return { value }
    const unknown = Object.keys(value as object).find((name) => !names.includes(name))
    if (unknown === undefined) return single(value)
    return { error: fault(/^[\w.-]{1,64}$/.test(unknown) ? `/${unknown}` : '', 'is not a parameter of this request') }
  }
}

const namesIn = ({ httpPart, schema }: Parameters<Compiler>[0]): string[] =>
  httpPart === 'querystring' ? Object.keys((schema as { properties?: object }).properties ?? {}) : []

const fault = (instancePath: string, message: string): Error =>
  Object.assign(new Error(message), {
    validation: [{ instancePath, message, keyword: 'type', params: {}, schemaPath: '' }],
  })
