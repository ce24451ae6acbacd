import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../problems.ts'
import { hashOf } from '../store/seal.ts'
import type { Proof } from '../store/users.ts'

const SECRET = /^[A-Za-z0-9_-]{43}$/
const BEARER = /^Bearer ([A-Za-z0-9_-]{43})$/

const isSecure = (publicUrl: string): boolean => publicUrl.startsWith('https:')

/** `__Host-` binds a cookie to this host alone; browsers take that name only over https. */
export const hostCookie = (publicUrl: string, name: string): string => `${isSecure(publicUrl) ? '__Host-' : ''}${name}`

/** In a frame of another site a cookie must be marked as such, and is partitioned by embedding site. */
export function cookieFlags(publicUrl: string, embedded: boolean) {
  const crossSite = embedded && isSecure(publicUrl)
  const sameSite: 'none' | 'lax' = crossSite ? 'none' : 'lax'
  return { path: '/', httpOnly: true, secure: isSecure(publicUrl), sameSite, partitioned: crossSite }
}

/** The secret sent as bearer: null when it is malformed, undefined when there is none. */
export function bearerOf(request: FastifyRequest): string | null | undefined {
  const header = request.headers.authorization
  return header === undefined ? undefined : (BEARER.exec(header)?.[1] ?? null)
}

/** A secret in a cookie, if it is well-formed. */
export function cookieOf(request: FastifyRequest, name: string): string | null {
  const value = request.cookies[name]
  return value && SECRET.test(value) ? value : null
}

const userCookie = (publicUrl: string): string => hostCookie(publicUrl, 'fyr-user')

export function setUserCookie(
  reply: FastifyReply,
  publicUrl: string,
  cookie: string,
  hours: number,
  embedded: boolean,
): void {
  reply.setCookie(userCookie(publicUrl), cookie, {
    ...cookieFlags(publicUrl, embedded),
    maxAge: Math.round(hours * 3_600),
  })
}

export function clearUserCookie(reply: FastifyReply, publicUrl: string): void {
  reply.clearCookie(userCookie(publicUrl), cookieFlags(publicUrl, false))
}

/** The user's proof: a bearer takes precedence over a cookie; an API key does not count here. */
export function userProof(request: FastifyRequest, publicUrl: string): Proof | null {
  const bearer = bearerOf(request)
  if (bearer !== undefined) return bearer === null ? null : { kind: 'bearer', hash: hashOf(bearer) }
  const cookie = cookieOf(request, userCookie(publicUrl))
  return cookie ? { kind: 'cookie', hash: hashOf(cookie) } : null
}

/** Where a cookie is the credential, changes are only accepted from our own pages. */
export function refuseCrossSite(request: FastifyRequest, publicUrl: string): void {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined) {
    if (site !== 'same-origin') throw new Problem('cross-site-request')
    return
  }
  if (request.headers.origin !== new URL(publicUrl).origin) throw new Problem('cross-site-request')
}

/** The same, for requests that change something. */
export function refuseCrossSiteChange(request: FastifyRequest, publicUrl: string): void {
  if (request.method !== 'GET' && request.method !== 'HEAD') refuseCrossSite(request, publicUrl)
}
