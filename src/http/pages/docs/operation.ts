import type { Answer, Operation } from '../../openapi/document.ts'
import { escaped } from '../html.ts'
import { choices, json } from './code.ts'
import { fieldsOf, nameOf, parametersOf, prose, type Schemas, typeOf } from './fields.ts'
import { type Call, curlOf, typescriptOf } from './snippets.ts'

/** What the reader is told of a credential. */
const CREDENTIALS: Readonly<Record<string, string>> = {
  key: 'the key of a configuration, as <code>X-Service-API-Key</code>',
  userCookie: 'the user cookie',
  sessionSecret: 'the secret issued on entering, as bearer',
  visitCookie: 'the cookie of the visit, named by <code>X-Visit-Id</code>',
  visitSecret: 'the secret of the visit, as bearer',
}

export const idOf = ({ operationId }: Operation): string => `op-${operationId}`

/** One operation: what it takes, what it answers and refuses on the left, how it is called on the right. */
export function operationPart(call: Call, schemas: Schemas, isShared: (name: string) => boolean): string {
  const { path, method, operation } = call
  const { summary, description, parameters = [], requestBody } = operation
  const [status = '', answer] = Object.entries(operation.responses).find(([code]) => code.startsWith('2')) ?? []
  const body = requestBody?.content['application/json']
  return `<section class="operation" id="${idOf(operation)}" aria-labelledby="${idOf(operation)}-title">
<div class="words">
<h3 id="${idOf(operation)}-title">${escaped(summary)} <a class="anchor" href="#${idOf(operation)}" aria-label="Link to ${escaped(summary)}">#</a></h3>
<p class="path"><span class="method ${method}">${method.toUpperCase()}</span> <code>${escaped(path).replaceAll('/', '/<wbr>')}</code></p>
${description ? `<p>${prose(description)}</p>` : ''}
<p class="quiet">${credentialWords(operation)}</p>
${parameters.length > 0 ? `<h4>Parameters</h4>${parametersOf(parameters, schemas)}` : ''}
${requestBody ? `<h4>Body${requestBody.required === true ? '' : ' <span class="optional">optional</span>'}</h4>${requestBody.description ? `<p>${prose(requestBody.description)}</p>` : ''}${body?.schema ? fieldsOf(body.schema, schemas) : ''}` : ''}
<h4>Answer <span class="status">${status}</span></h4>
${answer ? answerWords(answer, schemas, isShared) : ''}
<details class="refusals"><summary>When it is refused</summary><dl class="fields">${refusalsOf(operation)}</dl></details>
</div>
<div class="example">
${choices(`${idOf(operation)}-call`, [
  ['curl', curlOf(call)],
  ['TypeScript', typescriptOf(call)],
])}
${exampleOf(status, answer)}
</div>
</section>`
}

function credentialWords({ security = [{ key: [] }] }: Operation): string {
  const names = security.flatMap((one) => Object.keys(one)).map((name) => CREDENTIALS[name] ?? name)
  return names.length > 0 ? `Takes ${names.join(', or ')}.` : 'Takes no credential.'
}

/** A shape that several operations answer with is described once, below. */
function answerWords(
  { description, content = {} }: Answer,
  schemas: Schemas,
  isShared: (name: string) => boolean,
): string {
  const [type = '', media] = Object.entries(content)[0] ?? []
  const schema = media?.schema
  const told = `<p>${prose(description)}</p>`
  if (!schema || !/json$/.test(type))
    return type
      ? `<p>${prose(description)}, as ${Object.keys(content)
          .map((one) => `<code>${escaped(one)}</code>`)
          .join(' ')}.</p>`
      : told
  const ref = schema.$ref ?? schema.items?.$ref
  if (ref && isShared(nameOf(ref))) return `<p>${prose(description)}: ${typeOf(schema, schemas)}.</p>`
  return `${told}${fieldsOf(schema, schemas)}`
}

/** The refusals with the page that says what to do. */
function refusalsOf({ responses }: Operation): string {
  return Object.entries(responses)
    .filter(([status]) => !status.startsWith('2'))
    .map(([status, { description, content = {} }]) => {
      const codes = Object.keys(content['application/problem+json']?.examples ?? {})
      const links = codes.map((code) => `<a href="/problems/${code}">${code}</a>`).join(', ')
      return `<div><dt><code>${status}</code> <span class="type">${links}</span></dt><dd><p>${prose(description)}</p></dd></div>`
    })
    .join('')
}

function exampleOf(status: string, answer: Answer | undefined): string {
  const media = Object.entries(answer?.content ?? {}).find(([type]) => /json$/.test(type))?.[1]
  return media?.example === undefined ? '' : json(`Answer ${status}`, media.example)
}
