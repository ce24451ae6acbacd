import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { LANGUAGES, type Language } from '../engine/content.ts'
import { fail, invalid } from '../problems.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export const SessionParams = Type.Object({ sessionId: Type.String({ format: 'uuid' }) })
export const InLanguage = Type.Object({ language: Type.Optional(Type.Enum([...LANGUAGES])) })

/** The form of the id comes before query and body; upper case is taken, lower case is answered. */
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

/** Query values are texts given once; their meaning is read by the route, which knows more forms than a format does. */
export function singleTexts({
  httpPart,
  schema,
}: {
  httpPart?: string
  schema: unknown
}): (value: unknown) => { value: unknown } | { error: Error } {
  const names = httpPart === 'querystring' ? Object.keys((schema as { properties?: object }).properties ?? {}) : []
  return (value) => {
    const given = value as Record<string, unknown>
    const doubled = names.find((name) => given[name] !== undefined && typeof given[name] !== 'string')
    if (doubled === undefined) return { value }
    const error = Object.assign(new Error('given twice'), {
      validation: [
        {
          instancePath: `/${doubled}`,
          message: 'is given more than once',
          keyword: 'type',
          params: {},
          schemaPath: '',
        },
      ],
    })
    return { error }
  }
}
