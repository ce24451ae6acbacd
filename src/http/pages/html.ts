import { randomBytes } from 'node:crypto'
import type { FastifyReply } from 'fastify'

/** Escapes text for HTML. Everything that is put into a page goes through here. */
export const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')

export type Page = {
  html: string | Buffer
  /** Of the page's own style, where it has one. */
  nonce?: string
  /** Origins that may show the page in a frame; none means nobody. */
  framedBy: readonly string[]
  /** Origins of pictures beside our own, such as a logo. */
  picturesFrom?: readonly string[]
}

export const newNonce = (): string => randomBytes(16).toString('base64')

/** Sends a page under a policy that allows our own files and nothing else. */
export function sendPage(reply: FastifyReply, { html, nonce, framedBy, picturesFrom = [] }: Page): FastifyReply {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${nonce ? ` 'nonce-${nonce}'` : ''}`,
    `img-src ${["'self'", 'blob:', 'data:', ...picturesFrom].join(' ')}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${framedBy.length > 0 ? framedBy.join(' ') : "'none'"}`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ]
  return reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', policy.join('; '))
    .send(html)
}
