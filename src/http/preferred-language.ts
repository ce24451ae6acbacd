import type { FastifyRequest } from 'fastify'
import type { Language } from '../engine/content.ts'
import { languageTagged } from '../engine/languages.ts'

/** The language to answer in: the one in the address, else the remembered one, else the first available one that the browser asks for. */
export function preferredLanguage(
  request: FastifyRequest,
  languages: readonly Language[],
  fallback: Language,
  remembered = '',
): Language {
  const wished = new URLSearchParams(request.url.split('?')[1]).get('lang') ?? ''
  for (const part of `${wished},${remembered},${request.headers['accept-language'] ?? ''}`.split(',')) {
    const language = languageTagged(part.split(';')[0]?.trim().toLowerCase().slice(0, 2) ?? '')
    if (language && languages.includes(language)) return language
  }
  return fallback
}
