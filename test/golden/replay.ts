import { createHash } from 'node:crypto'
import { conclude } from '../../src/engine/deciding/conclude.ts'
import type { Answer, CompiledRelease } from '../../src/engine/content.ts'
import { interview } from '../../src/engine/interview.ts'
import type { Content } from '../../src/engine/load.ts'

/** A release as it was published, with interviews and every byte that came of them. */
export interface Golden {
  readonly release: CompiledRelease
  readonly sessions: readonly { readonly about: string; readonly answers: readonly Answer[]; readonly expected: Replayed }[]
}

export interface Replayed {
  /** A digest of the step after no answer, after the first, and so on. */
  readonly steps: readonly string[]
  readonly outcome: string
}

export function replay(content: Content, answers: readonly Answer[]): Replayed {
  const steps = Array.from({ length: answers.length + 1 }, (_, count) => JSON.stringify(interview(content, answers.slice(0, count))))
  return { steps: steps.map((step) => createHash('sha256').update(step).digest('hex').slice(0, 16)), outcome: JSON.stringify(conclude(content, answers)) }
}
