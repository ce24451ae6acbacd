import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Core } from '../../events/core.ts'
import { fail } from '../../problems.ts'
import { keepVisitAlive } from '../../session/visit.ts'
import { hashOf } from '../../store/seal.ts'
import { type VisitDoor, wasVisit } from '../../store/visits.ts'
import { bearerOf, cookieFlags, cookieOf, hostCookie, refuseCrossSiteChange } from '../credentials.ts'
import type { RateLimit } from '../rate-limits.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Slightly longer than a visit lives without a sign of life: the database's clock counts, not the browser's. */
const COOKIE_SECONDS = 6 * 60

/** How clinicians are identified at this deployment. */
export type VisitContext = { core: Core; publicUrl: string; perVisit: RateLimit; invalidPerAddress: RateLimit }

/** One cookie for each visit: two patients open in two tabs must never be confused. */
const cookieName = (publicUrl: string, visitId: string): string => hostCookie(publicUrl, `fyr-visit-${visitId}`)

export function setVisitCookie(
  reply: FastifyReply,
  publicUrl: string,
  visitId: string,
  secret: string,
  embedded: boolean,
): void {
  const flags = cookieFlags(publicUrl, embedded)
  reply.setCookie(cookieName(publicUrl, visitId), secret, { ...flags, maxAge: COOKIE_SECONDS })
}

/** The caller's visit: a bearer takes precedence over the cookie of the visit that the page names. Keeps it alive. */
export async function visitOf(request: FastifyRequest, context: VisitContext): Promise<VisitDoor> {
  const { core, publicUrl, perVisit, invalidPerAddress } = context
  const presented = presentedBy(request, publicUrl) ?? fail('visit-missing')
  if (presented.kind === 'cookie') refuseCrossSiteChange(request, publicUrl)
  const hash = hashOf(presented.secret)
  const visit = await keepVisitAlive(core, hash)
  if (!visit) {
    if (!(await wasVisit(core.db, hash))) invalidPerAddress.takeFrom(request)
    return fail('visit-missing')
  }
  perVisit.take(visit.id)
  if (presented.kind === 'cookie' && presented.visitId !== visit.id) fail('visit-missing')
  return visit
}

/** While the page is open each sign of life renews its cookie, so that cookies of closed pages expire by themselves. */
export function keepVisitCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  { publicUrl }: VisitContext,
  embedded: boolean,
): void {
  const presented = presentedBy(request, publicUrl)
  if (presented?.kind !== 'cookie') return
  setVisitCookie(reply, publicUrl, presented.visitId, presented.secret, embedded)
}

export function clearVisitCookie(reply: FastifyReply, publicUrl: string, visitId: string, embedded: boolean): void {
  reply.clearCookie(cookieName(publicUrl, visitId), cookieFlags(publicUrl, embedded))
}

type Presented = { kind: 'bearer'; secret: string } | { kind: 'cookie'; secret: string; visitId: string }

function presentedBy(request: FastifyRequest, publicUrl: string): Presented | null {
  const bearer = bearerOf(request)
  if (bearer !== undefined) return bearer === null ? null : { kind: 'bearer', secret: bearer }
  const visitId = request.headers['x-visit-id']
  if (typeof visitId !== 'string' || !UUID.test(visitId)) return null
  const secret = cookieOf(request, cookieName(publicUrl, visitId))
  return secret ? { kind: 'cookie', secret, visitId } : null
}
