import type { FastifyRequest } from 'fastify'

/** Whether a person asks: a browser says that it would rather have HTML, a program never does. */
export function wantsPage({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  const wishes = (headers.accept ?? '').split(',').map((part) => {
    const [type = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    const weight = Number(parameters.find((text) => text.startsWith('q='))?.slice(2) ?? 1)
    return { type, weight: Number.isFinite(weight) ? weight : 0 }
  })
  const wishFor = (...types: readonly string[]): number =>
    Math.max(0, ...wishes.filter(({ type }) => types.includes(type)).map(({ weight }) => weight))
  const html = wishFor('text/html', 'application/xhtml+xml')
  return html > 0 && html >= wishFor('application/json', 'application/problem+json')
}
