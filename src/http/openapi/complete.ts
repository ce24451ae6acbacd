import type { ProblemCode } from '../../problems.ts'
import { type ApiDocument, type Content, type Operation, operationsIn } from './document.ts'
import { EXAMPLES } from './examples/examples.ts'
import { PARAMETER_EXAMPLES } from './examples/parameters.ts'
import { HEADERS, headersOf } from './headers.ts'
import { exampleOf, problemsOf, wordsOf } from './refusals.ts'
import { webhooks } from './webhooks.ts'

/** Operations that take a body but do not need one; the generator would call every body required. */
const OPTIONAL_BODIES = new Set(['createSession', 'enterOpen', 'keepVisit', 'closeVisit'])

/** A file's bytes are no schema that a route could be checked by, so the generator does not know of them. */
const BYTES: Record<string, NonNullable<Operation['requestBody']>> = {
  sendFileBytes: {
    required: true,
    description: 'The next bytes of the file, as they are. All of it at once, or in parts.',
    content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
  },
}

/** What the routes alone cannot say: examples, the headers of answers, the words of each refusal, and the webhooks. */
export function complete(document: ApiDocument): void {
  const problems = new Set<ProblemCode>()
  for (const { path, operation } of operationsIn(document.paths)) {
    completeRequest(operation)
    for (const [status, answer] of Object.entries(operation.responses)) {
      answer.headers = { ...answer.headers, ...headersOf(operation, status) }
      const codes = problemsOf(path, operation.operationId, status)
      if (codes.length > 0) {
        answer.description = wordsOf(codes)
        for (const code of codes) problems.add(code)
      }
      for (const [type, content] of Object.entries(answer.content ?? {})) {
        if (type === 'application/problem+json') content.examples = referred(codes)
        else if (isJson(type)) Object.assign(content, exampleFor(EXAMPLES[operation.operationId]?.response))
      }
    }
  }
  document.webhooks = webhooks()
  document.components.headers = HEADERS
  document.components.examples = Object.fromEntries([...problems].sort().map((code) => [code, exampleOf(code)]))
}

function completeRequest(operation: Operation): void {
  const { operationId, parameters = [] } = operation
  const bytes = BYTES[operationId]
  if (bytes) operation.requestBody = bytes
  for (const parameter of parameters) {
    const example = PARAMETER_EXAMPLES[parameter.name]
    if (example !== undefined) parameter.example = example
  }
  if (!operation.requestBody) return
  if (OPTIONAL_BODIES.has(operationId)) operation.requestBody.required = false
  for (const [type, content] of Object.entries<Content[string]>(operation.requestBody.content))
    if (isJson(type)) Object.assign(content, exampleFor(EXAMPLES[operationId]?.request))
}

const isJson = (type: string): boolean => /[/+]json$/.test(type)
const exampleFor = (value: unknown) => (value === undefined ? {} : { example: value })
const referred = (codes: readonly string[]) =>
  Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]))
