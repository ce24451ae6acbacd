import { gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { type ApiDocument, operationsIn } from '../../openapi/document.ts'
import { styleOf } from '../bundles.ts'
import { escaped, sendPage } from '../html.ts'
import { json } from './code.ts'
import { fieldsOf, parametersOf, prose, typeOf } from './fields.ts'
import { idOf, operationPart } from './operation.ts'
import { quickStart } from './quick-start.ts'

/** The page for developers, made from the OpenAPI document when it is first asked for. It needs no script. */
export function docsPage(app: FastifyInstance, publicUrl: string): void {
  let made: { html: string; gzip: Buffer } | null = null
  app.get('/api/docs', { schema: { hide: true } }, (request, reply) => {
    if (!made) {
      const document: object = app.swagger()
      const html = pageOf(document as ApiDocument, publicUrl)
      made = { html, gzip: gzipSync(html) }
    }
    reply.header('vary', 'accept-encoding')
    if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? ''))
      return sendPage(reply, { html: made.html, framedBy: [] })
    return sendPage(reply.header('content-encoding', 'gzip'), { html: made.gzip, framedBy: [] })
  })
}

function pageOf(document: ApiDocument, publicUrl: string): string {
  const { info, tags, components, paths } = document
  const { schemas } = components
  const shared = sharedShapes(document)
  const calls = operationsIn(paths)
  const groups = tags
    .map(({ name, description }) => ({
      name,
      description,
      id: name.toLowerCase().replaceAll(' ', '-'),
      calls: calls.filter(({ operation }) => operation.tags.includes(name)),
    }))
    .filter((group) => group.calls.length > 0)
  const contents = contentsOf(groups, Object.keys(document.webhooks))
  const style = styleOf('docs/docs.css')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(info.title)}: the interface</title>
<link rel="icon" href="data:,">
${style ? `<link rel="stylesheet" href="${style}">` : ''}
</head>
<body>
<a class="skip" href="#main">To the content</a>
<header class="bar"><p><strong>Fyr</strong> for developers</p><p class="quiet">Version ${escaped(info.version)}</p></header>
<div class="layout">
<nav class="side" aria-label="Contents">${contents}</nav>
<main id="main">
<h1>The interface</h1>
<p class="lead">${escaped(info.description)}</p>
<details class="menu"><summary>Contents</summary><nav aria-label="Contents, folded">${contents}</nav></details>
${quickStart(publicUrl)}
${groups
  .map(
    (
      group,
    ) => `<section aria-labelledby="${group.id}"><h2 id="${group.id}">${escaped(group.name)}</h2><p class="lead">${escaped(group.description)}</p>
${group.calls.map((call) => operationPart(call, schemas, (name) => shared.has(name))).join('\n')}</section>`,
  )
  .join('\n')}
${webhooksPart(document)}
<section aria-labelledby="shapes"><h2 id="shapes">Shapes</h2><p class="lead">What several operations take or answer with.</p>
${Object.entries(schemas)
  .filter(([name, schema]) => shared.has(name) && !schema.enum)
  .map(
    ([name, schema]) =>
      `<section class="shape" id="shape-${name}" aria-labelledby="shape-${name}-title"><h3 id="shape-${name}-title">${name}</h3>${schema.description ? `<p>${prose(schema.description)}</p>` : ''}${fieldsOf(schema, schemas) || `<p>${typeOf(schema, schemas)}</p>`}</section>`,
  )
  .join('\n')}
</section>
</main>
</div>
</body>
</html>
`
}

type Group = { name: string; id: string; calls: ReturnType<typeof operationsIn> }

function contentsOf(groups: readonly Group[], events: readonly string[]): string {
  const list = (title: string, target: string, rows: readonly string[]) =>
    `<p><a href="#${target}">${escaped(title)}</a></p><ul>${rows.join('')}</ul>`
  return [
    '<p><a href="#quick-start">Three steps</a></p>',
    ...groups.map(({ name, id, calls }) =>
      list(
        name,
        id,
        calls.map(({ operation }) => `<li><a href="#${idOf(operation)}">${escaped(operation.summary)}</a></li>`),
      ),
    ),
    list(
      'Webhooks',
      'webhooks',
      events.map((event) => `<li><a href="#event-${event}">${escaped(event)}</a></li>`),
    ),
    '<p><a href="#shapes">Shapes</a></p>',
  ].join('')
}

/** Components that are linked to: everything but what one operation alone takes or answers with. */
function sharedShapes({ paths, components }: ApiDocument): ReadonlySet<string> {
  const uses = new Map<string, number>()
  const count = (name: string, times: number) => uses.set(name, (uses.get(name) ?? 0) + times)
  const namesIn = (value: unknown) =>
    [...JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name = '']) => name)
  for (const { operation } of operationsIn(paths)) {
    const { requestBody, responses } = operation
    for (const name of new Set(namesIn([requestBody ?? null, responses]))) count(name, 1)
  }
  // A shape within another is linked to from there.
  for (const schema of Object.values(components.schemas)) for (const name of namesIn(schema)) count(name, 2)
  return new Set([...uses].filter(([, times]) => times > 1).map(([name]) => name))
}

function webhooksPart({ webhooks, components, tags }: ApiDocument): string {
  const parts = operationsIn(webhooks).map(({ path: event, operation }) => {
    const media = operation.requestBody?.content['application/json']
    return `<section class="operation" id="event-${event}" aria-labelledby="event-${event}-title"><div class="words">
<h3 id="event-${event}-title"><code>${event}</code></h3><p>${prose(operation.description ?? '')}</p>
<h4>Headers</h4>${parametersOf(operation.parameters ?? [], components.schemas)}
<h4>Body</h4>${media?.schema ? fieldsOf(media.schema, components.schemas) : ''}</div>
<div class="example">${json('Body', media?.example)}</div></section>`
  })
  const lead = tags.find(({ name }) => name === 'Webhooks')?.description ?? ''
  return `<section aria-labelledby="webhooks"><h2 id="webhooks">Webhooks</h2><p class="lead">${escaped(lead)} Verify the signature over the bytes that arrived, answer 2xx within 15 seconds, and remember the <code>webhook-id</code>.</p>${parts.join('\n')}</section>`
}
