import type { Problem } from './types.ts'

/** Fyr refused the request and said why. `code` is the last part of the problem's type, such as `session-not-found`. */
export class FyrProblem extends Error {
  override readonly name = 'FyrProblem'
  readonly status: number
  readonly code: string
  readonly problem: Problem

  constructor(problem: Problem) {
    super(problem.detail || problem.title)
    this.status = problem.status
    this.code = problem.type.slice(problem.type.lastIndexOf('/') + 1)
    this.problem = problem
  }
}

/** No response from Fyr: it could not be reached, took too long, or something else answered in its place. */
export class FyrUnreachable extends Error {
  override readonly name = 'FyrUnreachable'
}

/** The problem in a response. Anything but a problem document came from something between us and Fyr. */
export async function problemOf(reply: Response): Promise<FyrProblem | FyrUnreachable> {
  try {
    const body: unknown = await reply.json()
    if (isProblem(body)) return new FyrProblem(body)
  } catch {
    // not JSON: reported below
  }
  return new FyrUnreachable(`Fyr did not answer; something answered ${reply.status} in its place.`)
}

function isProblem(body: unknown): body is Problem {
  if (typeof body !== 'object' || body === null) return false
  const { type, status, title } = body as Record<string, unknown>
  return typeof type === 'string' && typeof status === 'number' && typeof title === 'string'
}
