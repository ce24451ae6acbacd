import type { FastifyRequest } from 'fastify'
import { Problem } from '../../problems.ts'
import { StaleSession } from '../../session/interview/answer.ts'
import type { User } from '../../session/interview/user.ts'
import { viewOf } from '../../session/interview/view.ts'
import { keptUserOf, type TriageContext, userOf } from './user.ts'

type Change = (user: User) => Promise<User>
type View = ReturnType<typeof viewOf>

/** Runs a change; when the session has moved on, the refusal carries the session as it is now. */
export async function changing(
  request: FastifyRequest,
  context: TriageContext,
  change: Change,
  how: { ending?: boolean } = {},
): Promise<Awaited<View>> {
  const { core } = context
  try {
    return await viewOf(core, await change(await userOf(request, context, how)))
  } catch (error) {
    if (!(error instanceof StaleSession)) throw error
    const now = await userOf(request, context, how)
    const answerId = (request.body as { id?: unknown } | undefined)?.id
    if (now.interview.history.some((entry) => entry.id === answerId)) return viewOf(core, now) // the first request with this answer won
    throw new Problem(error.problem.code, { members: { current: await viewOf(core, now) } })
  }
}

/**
 * Takes an answer on this node's cached session, without reading first: the write checks everything. On any refusal it
 * starts again from the database.
 */
export async function answering(
  request: FastifyRequest<{ Body: { id: string; version: number } }>,
  context: TriageContext,
  change: Change,
): Promise<Awaited<View>> {
  const { id, version } = request.body
  const known = keptUserOf(request, context)
  const isCurrent = known?.session.row.version === version
  if (!isCurrent || known.interview.history.some((entry) => entry.id === id)) return changing(request, context, change)
  const { row } = known.session
  context.perUser.take(row.id)
  try {
    return await viewOf(context.core, await change(known))
  } catch (error) {
    if (!(error instanceof StaleSession || error instanceof Problem)) throw error
    context.cache.forget(row.id)
    return changing(request, context, change)
  }
}
