/** The parts of an OpenAPI 3.1 document that are completed and shown here. */

export type Schema = {
  $ref?: string
  type?: string | readonly string[]
  format?: string
  const?: unknown
  enum?: readonly unknown[]
  anyOf?: readonly Schema[]
  items?: Schema
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  additionalProperties?: boolean | Schema
  description?: string
  deprecated?: boolean
  minimum?: number
  maximum?: number
  maxLength?: number
  maxItems?: number
}

export type Content = Record<string, { schema?: Schema; example?: unknown; examples?: Record<string, unknown> }>
export type Header = { description: string; schema: Schema; example?: unknown } | { $ref: string }
export type Answer = { description: string; headers?: Record<string, Header>; content?: Content }

export type Parameter = {
  name: string
  in: 'path' | 'query' | 'header' | 'cookie'
  required?: boolean
  description?: string
  schema?: Schema
  example?: unknown
}

export type Operation = {
  operationId: string
  summary: string
  description?: string
  tags: readonly string[]
  security?: readonly Record<string, readonly string[]>[]
  parameters?: Parameter[]
  requestBody?: { required?: boolean; description?: string; content: Content }
  responses: Record<string, Answer>
}

export type Paths = Record<string, Record<string, Operation>>

export type ApiDocument = {
  info: { title: string; version: string; description: string }
  servers: readonly { url: string }[]
  tags: readonly { name: string; description: string }[]
  paths: Paths
  webhooks: Paths
  components: {
    schemas: Record<string, Schema>
    headers: Record<string, Header>
    examples: Record<string, { summary: string; value: unknown }>
    securitySchemes: Record<string, object>
  }
}

/** Every operation with its path and method, in the order of the document. */
export function operationsIn(paths: Paths): { path: string; method: string; operation: Operation }[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
}
