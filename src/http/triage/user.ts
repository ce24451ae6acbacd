import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Core } from '../../events/core.ts'
import { fail, Problem } from '../../problems.ts'
import { type Opening, openUserSession, type UserSession } from '../../session/interview/user.ts'
import type { Releases } from '../../session/releases.ts'
import { hashOf } from '../../store/seal.ts'
import { type Proof, type UserDoor, wasUser } from '../../store/users.ts'
import type { RateLimit } from '../rate-limits.ts'

const TOKEN = /^[A-Za-z0-9_-]{43}$/

/** The way users are known at this deployment: the cookie's name and flags follow from how it is reached. */
export type TriageContext = {
  core: Core
  releases: Releases
  publicUrl: string
  perUser: RateLimit
  /** Of one address: looks at a configuration, and apart from them requests of the emergency check. */
  looks: RateLimit
  emergencyChecks: RateLimit
  invalidPerAddress: RateLimit
}

const isSecure = (publicUrl: string): boolean => publicUrl.startsWith('https:')

/** `__Host-` binds the cookie to this host alone; browsers take that name only over https. */
export const cookieName = (publicUrl: string): string => (isSecure(publicUrl) ? '__Host-fyr-user' : 'fyr-user')

/** In a frame of another site the cookie must be marked so, and is kept apart for each embedding site. */
export function setUserCookie(
  reply: FastifyReply,
  publicUrl: string,
  cookie: string,
  hours: number,
  embedded: boolean,
): void {
  const crossSite = embedded && isSecure(publicUrl)
  reply.setCookie(cookieName(publicUrl), cookie, {
    path: '/',
    httpOnly: true,
    secure: isSecure(publicUrl),
    sameSite: crossSite ? 'none' : 'lax',
    partitioned: crossSite,
    maxAge: Math.round(hours * 3_600),
  })
}

export function clearUserCookie(reply: FastifyReply, publicUrl: string): void {
  reply.clearCookie(cookieName(publicUrl), { path: '/', httpOnly: true, secure: isSecure(publicUrl), sameSite: 'lax' })
}

/** The credential that came with the request: a bearer counts before a cookie; an API key is none here. */
export function presentedBy(request: FastifyRequest, publicUrl: string): Proof | null {
  const header = request.headers.authorization
  if (header !== undefined) {
    const secret = /^Bearer ([A-Za-z0-9_-]{43})$/.exec(header)?.[1]
    return secret ? { kind: 'bearer', hash: hashOf(secret) } : null
  }
  const cookie = request.cookies[cookieName(publicUrl)]
  return cookie && TOKEN.test(cookie) ? { kind: 'cookie', hash: hashOf(cookie) } : null
}

/** Where a cookie is the credential, changes are only taken from our own pages. */
export function refuseCrossSite(request: FastifyRequest, publicUrl: string): void {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined) {
    if (site !== 'same-origin') throw new Problem('cross-site-request')
    return
  }
  if (request.headers.origin !== new URL(publicUrl).origin) throw new Problem('cross-site-request')
}

/** What a request proves itself with; a cookie's request for a change comes from our own pages or not at all. */
function proofOf(request: FastifyRequest, publicUrl: string): Proof {
  const proof = presentedBy(request, publicUrl) ?? fail('credential-missing')
  if (proof.kind === 'cookie' && request.method !== 'GET' && request.method !== 'HEAD')
    refuseCrossSite(request, publicUrl)
  return proof
}

/** The session as this node last saw it for whoever asks. Not to be believed before the database has agreed. */
export function keptUserOf(request: FastifyRequest, { releases, publicUrl }: TriageContext): UserSession | null {
  const kept = releases.recent.of(proofOf(request, publicUrl))
  const believed = request.headers['x-session-id'] ?? kept?.row.id
  return kept?.row.id === believed ? kept : null
}

/** Refuses whoever has no session: for routes that would otherwise take in much of a stranger's first. */
export async function refuseStrangers(request: FastifyRequest, context: TriageContext): Promise<void> {
  await doorOf(request, context, proofOf(request, context.publicUrl))
}

async function doorOf(
  request: FastifyRequest,
  { core, invalidPerAddress }: TriageContext,
  proof: Proof,
): Promise<UserDoor> {
  const door = await core.userByProof(proof)
  if (door) return door
  if (!(await wasUser(core.db, proof.hash))) invalidPerAddress.takeFrom(request)
  return fail('credential-missing')
}

/** The session of whoever asks, with the session id the app believes in when it sends one: one browser may have had two. */
export async function userOf(
  request: FastifyRequest,
  context: TriageContext,
  { ending = false }: Pick<Opening, 'ending'> = {},
): Promise<UserSession> {
  const { core, releases, publicUrl, perUser } = context
  const proof = proofOf(request, publicUrl)
  const door = await doorOf(request, context, proof)
  perUser.take(door.session.id)
  const believed = request.headers['x-session-id']
  if (believed !== undefined && believed !== door.session.id) fail('session-not-found')
  return openUserSession(core, releases, door, { proof, ending })
}
