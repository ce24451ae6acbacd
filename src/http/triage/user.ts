import type { FastifyRequest } from 'fastify'
import { fail } from '../../problems.ts'
import type { InterviewParts } from '../../session/interview/interview.ts'
import { type Opening, openUser, type User } from '../../session/interview/user.ts'
import { type Proof, type SessionDoor, wasUser } from '../../store/users.ts'
import { refuseCrossSiteChange, userProof } from '../credentials.ts'
import type { RateLimit } from '../rate-limits.ts'

/** How users are identified at this deployment: the cookie's name and flags follow from how it is reached. */
export type TriageContext = InterviewParts & {
  publicUrl: string
  perUser: RateLimit
  /** Per address: for looking at a configuration, and separately for the emergency check. */
  looks: RateLimit
  emergencyChecks: RateLimit
  invalidPerAddress: RateLimit
}

/** The proof in a request; with a cookie, changes are only accepted from our own pages. */
function proofOf(request: FastifyRequest, publicUrl: string): Proof {
  const proof = userProof(request, publicUrl) ?? fail('credential-missing')
  if (proof.kind === 'cookie') refuseCrossSiteChange(request, publicUrl)
  return proof
}

/** The caller, with their session as this node last saw it. Not to be trusted before the database has agreed. */
export function keptUserOf(request: FastifyRequest, { cache, publicUrl }: TriageContext): User | null {
  const kept = cache.userWith(proofOf(request, publicUrl))
  const sessionId = kept?.session.row.id
  return sessionId === (request.headers['x-session-id'] ?? sessionId) ? kept : null
}

async function doorOf(
  request: FastifyRequest,
  { core, invalidPerAddress }: TriageContext,
  proof: Proof,
): Promise<SessionDoor> {
  const door = await core.userByProof(proof)
  if (door) return door
  if (!(await wasUser(core.db, proof.hash))) invalidPerAddress.takeFrom(request)
  return fail('credential-missing')
}

/** The caller in their session. The app may send the session id it expects: one browser may have had two. */
export async function userOf(
  request: FastifyRequest,
  context: TriageContext,
  { ending = false }: Pick<Opening, 'ending'> = {},
): Promise<User> {
  const { publicUrl, perUser } = context
  const proof = proofOf(request, publicUrl)
  const door = await doorOf(request, context, proof)
  perUser.take(door.session.id)
  const believed = request.headers['x-session-id']
  if (believed !== undefined && believed !== door.session.id) fail('session-not-found')
  return openUser(context, door, proof, { ending })
}
