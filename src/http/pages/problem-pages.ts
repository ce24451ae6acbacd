import type { FastifyInstance } from 'fastify'
import { PROBLEMS, Problem, type ProblemCode } from '../../problems.ts'

const STYLE = `body{font:18px/1.5 system-ui,sans-serif;margin:0;background:#fbfaf6;color:#12242d}main{max-width:62ch;margin:0 auto;padding:48px 24px}
a{color:#0b5b78}code{font-size:.9em}h1{font-size:1.6rem;line-height:1.2}dt{font-weight:600;margin-top:16px}dd{margin:0}
@media(prefers-color-scheme:dark){body{background:#0c1a21;color:#e8eef0}a{color:#7cc4de}}`

const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const page = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${STYLE}</style><main>${body}</main></html>\n`

/** A page for each problem type: its address is in every refusal. */
export function problemPages(app: FastifyInstance): void {
  const html = (
    text: string,
    reply: { header: (name: string, value: string) => typeof reply; send: (text: string) => unknown },
  ) =>
    reply.header('content-type', 'text/html; charset=utf-8').header('content-security-policy', PAGE_POLICY).send(text)

  app.get('/problems', { schema: { hide: true } }, (_request, reply) => {
    const rows = Object.entries(PROBLEMS).map(
      ([code, [status, title]]) => `<dt>${status} <a href="problems/${code}">${code}</a></dt><dd>${title}</dd>`,
    )
    html(page('Problems', `<h1>Every way a request can be refused</h1><dl>${rows.join('')}</dl>`), reply)
  })

  app.get<{ Params: { code: string } }>('/problems/:code', { schema: { hide: true } }, (request, reply) => {
    const { code } = request.params
    if (!isProblem(code)) throw new Problem('not-found')
    const [status, title, remedy] = PROBLEMS[code]
    html(
      page(
        code,
        `<p><code>${status} ${code}</code></p><h1>${title}</h1><p>${remedy}</p><p><a href="../problems">All problems</a></p>`,
      ),
      reply,
    )
  })
}

const isProblem = (code: string): code is ProblemCode => Object.hasOwn(PROBLEMS, code)
