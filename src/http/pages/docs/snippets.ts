import type { Operation, Parameter } from '../../openapi/document.ts'
import { SHOWN_OPTIONAL } from '../../openapi/examples/parameters.ts'

/** One operation as it is called. */
export type Call = { path: string; method: string; operation: Operation }

/** How each credential is sent: the header, and the name that the examples give its value. */
const CREDENTIALS: Readonly<Record<string, { header: string; before: string; name: string }>> = {
  key: { header: 'X-Service-API-Key', before: '', name: 'KEY' },
  sessionSecret: { header: 'Authorization', before: 'Bearer ', name: 'SECRET' },
  visitSecret: { header: 'Authorization', before: 'Bearer ', name: 'VISIT' },
}

type Sent = { address: string; headers: [name: string, value: string][]; variable: [string, string, string] | null }

/** What the example of an operation sends beside its body. */
function sentBy({ path, operation }: Call): Sent {
  const { parameters = [], requestBody, security = [{ key: [] }] } = operation
  const shownAs = ({ example = '' }: Parameter) => String(example)
  const isShown = ({ name, required, example }: Parameter) =>
    example !== undefined && (required === true || SHOWN_OPTIONAL.has(name))
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = parameters.find((one) => one.name === name)
    return encodeURIComponent(parameter ? shownAs(parameter) : name)
  })
  const query = new URLSearchParams(
    parameters.filter((one) => one.in === 'query' && isShown(one)).map((one) => [one.name, shownAs(one)]),
  )
  const credential = security
    .flatMap((one) => Object.keys(one))
    .map((name) => CREDENTIALS[name])
    .find((one) => one !== undefined)
  const [type] = Object.keys(requestBody?.content ?? {})
  const headers = parameters.filter((one) => one.in === 'header' && isShown(one))
  return {
    address: `${filled}${query.size > 0 ? `?${query}` : ''}`,
    variable: credential ? [credential.header, credential.before, credential.name] : null,
    headers: [
      ...headers.map((one): [string, string] => [one.name, shownAs(one)]),
      ...(type ? [['Content-Type', type] satisfies [string, string]] : []),
    ],
  }
}

const bodyOf = ({ operation }: Call): unknown => operation.requestBody?.content['application/json']?.example
const takesBytes = ({ operation }: Call): boolean =>
  operation.requestBody?.content['application/octet-stream'] !== undefined

/** The name under which an answer that is no JSON is saved; null where it is read at once. */
function savedAs({ operation }: Call): string | null {
  const types = Object.keys(operation.responses['200']?.content ?? {})
  if (types.length === 0 || types.some((type) => type.endsWith('json'))) return null
  return types.includes('image/jpeg') ? 'file' : 'session.pdf'
}

export function curlOf(call: Call): string {
  const { address, headers, variable } = sentBy(call)
  const body = bodyOf(call)
  const saved = savedAs(call)
  const method = call.method.toUpperCase()
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"$URL${address}"`,
    ...(variable ? [`-H "${variable[0]}: ${variable[1]}$${variable[2]}"`] : []),
    ...headers.map(([name, value]) => `-H "${name}: ${value}"`),
    ...(body === undefined ? [] : [`-d '${readable(body).replaceAll("'", "'\\''")}'`]),
    ...(takesBytes(call) ? ['--data-binary @throat.jpg'] : []),
    ...(saved ? [`-o ${saved}`] : []),
  ].join(' \\\n  ')
}

export function typescriptOf(call: Call): string {
  const { address, headers, variable } = sentBy(call)
  const body = bodyOf(call)
  const method = call.method.toUpperCase()
  const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  const lines = [
    ...(method === 'GET' ? [] : [`method: '${method}',`]),
    ...(variable || headers.length > 0
      ? [
          'headers: {',
          ...(variable
            ? [
                `  '${variable[0]}': ${variable[1] ? `\`${variable[1]}\${${variable[2].toLowerCase()}}\`` : variable[2].toLowerCase()},`,
              ]
            : []),
          ...headers.map(([name, value]) => `  '${name}': ${quoted(value)},`),
          '},',
        ]
      : []),
    ...(body === undefined ? [] : [`body: JSON.stringify(${literal(body)}),`]),
    ...(takesBytes(call) ? ['body: file, // a Blob, such as what an <input type="file"> holds'] : []),
  ]
  const options = lines.length > 0 ? `, {\n${indented(lines.join('\n'))}\n}` : ''
  return `const reply = await fetch(\`\${url}${address}\`${options})\n${readingOf(call)}`
}

function readingOf(call: Call): string {
  if (call.operation.responses['204']) return '// 204: done, there is nothing to read'
  if (savedAs(call)) return 'const bytes = await reply.arrayBuffer()'
  return 'const answer = await reply.json()'
}

const WIDEST_LINE = 60

/** JSON on one line where it fits, else on several. */
function readable(value: unknown): string {
  const line = JSON.stringify(value)
  return line.length <= WIDEST_LINE ? line : JSON.stringify(value, null, 2)
}

/** JSON as somebody would write it in TypeScript: names without quotes where they need none. */
function literal(value: unknown): string {
  return readable(value)
    .replace(/([{,]\s*)"([A-Za-z_]\w*)":/g, '$1$2: ')
    .replaceAll(':  ', ': ')
}

const indented = (text: string): string => text.replaceAll(/^(?=.)/gm, '  ')
