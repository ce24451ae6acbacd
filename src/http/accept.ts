import type { FastifyRequest } from 'fastify'

/** How much one of these media types is wished for by name; 0 when none is named. */
export function wishFor(accept: string | undefined, ...types: readonly string[]): number {
  const wishes = (accept ?? '').split(',').map((part) => {
    const [type = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    const weight = Number(parameters.find((text) => text.startsWith('q='))?.slice(2) ?? 1)
    return { type, weight: Number.isFinite(weight) ? weight : 0 }
  })
  return Math.max(0, ...wishes.filter(({ type }) => types.includes(type)).map(({ weight }) => weight))
}

const OF_PROGRAMS = /^\/(?:api\/(?!docs)|fhir\/)/

/** Whether a person asks: a browser says that it would rather have HTML. What lies below the interfaces is for programs. */
export function wantsPage({ method, url, headers }: Pick<FastifyRequest, 'method' | 'url' | 'headers'>): boolean {
  if ((method !== 'GET' && method !== 'HEAD') || OF_PROGRAMS.test(url)) return false
  const html = wishFor(headers.accept, 'text/html', 'application/xhtml+xml')
  return html > 0 && html >= wishFor(headers.accept, 'application/json', 'application/problem+json')
}
