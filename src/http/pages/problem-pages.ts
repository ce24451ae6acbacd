import type { FastifyInstance, FastifyReply } from 'fastify'
import { PROBLEMS, Problem, type ProblemCode } from '../../problems.ts'
import { wantsPage } from '../accept.ts'
import { styleOf } from './bundles.ts'
import { escaped, sendPage } from './html.ts'
import { SHELL_WORDS } from './shell-words.ts'

/** A page for each problem type: its address is in every refusal. Programs get the same as JSON. */
export function problemPages(
  app: FastifyInstance,
  publicUrl: string,
  emergencyNumber: () => Promise<string | null>,
): void {
  const told = (code: ProblemCode) => {
    const [status, title, detail] = PROBLEMS[code]
    return { type: `${publicUrl}/problems/${code}`, title, status, detail }
  }

  app.get('/problems', { schema: { hide: true } }, (request, reply) => {
    const codes = Object.keys(PROBLEMS).filter(isProblem)
    if (!wantsPage(request)) return reply.header('vary', 'accept').send({ problems: codes.map(told) })
    const rows = codes.map((code) => {
      const [status, title] = PROBLEMS[code]
      return `<div><dt><code>${status}</code> <a href="problems/${code}">${code}</a></dt><dd><p>${escaped(title)}</p></dd></div>`
    })
    return page(reply, 'Every way a request can be refused', `<dl class="fields">${rows.join('')}</dl>`)
  })

  app.get<{ Params: { code: string } }>('/problems/:code', { schema: { hide: true } }, (request, reply) => {
    const { code } = request.params
    if (!isProblem(code)) {
      if (wantsPage(request)) return reply.callNotFound()
      throw new Problem('not-found')
    }
    if (!wantsPage(request)) return reply.header('vary', 'accept').send(told(code))
    const [status, title, remedy] = PROBLEMS[code]
    return page(
      reply,
      title,
      `<p class="path"><span class="method delete">${status}</span> <code>${code}</code></p><p>${escaped(remedy)}</p><p><a href="../problems">All problems</a> · <a href="../api/docs">The interface</a></p>`,
    )
  })

  /** A patient may land here too, from an app that shows what it was refused with: the number to call is at the end. */
  async function page(reply: FastifyReply, title: string, body: string): Promise<FastifyReply> {
    const number = await emergencyNumber()
    const { callNow, callLocal } = SHELL_WORDS.en
    const style = styleOf('docs/docs.css')
    const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>${escaped(title)}</title><link rel="icon" href="data:,">${style ? `<link rel="stylesheet" href="${style}">` : ''}</head>
<body><header class="bar"><p><strong>Fyr</strong> for developers</p></header><main class="problem"><h1>${escaped(title)}</h1>${body}<p class="quiet">${escaped(number === null ? callLocal : callNow(number))}</p></main></body></html>
`
    return sendPage(reply.header('vary', 'accept'), { html, framedBy: [] })
  }
}

const isProblem = (code: string): code is ProblemCode => Object.hasOwn(PROBLEMS, code)
