import { PENDING, truthOf } from '../conditions/evaluate.ts'
import { PendingQuestions } from '../conditions/pending-questions.ts'
import { type Answer, LEVELS, type Level, type Truth } from '../content.ts'
import type { Content, LoadedRule } from '../load.ts'
import { assess, holds } from './assess.ts'
import { isDecided } from './choose.ts'
import { findingsFrom, type InterviewFindings } from './findings.ts'

/** The state of one rule after some answers. */
export interface ExplainedRule {
  readonly complaint: string
  readonly rule: string
  readonly level: Level
  readonly truth: Truth
  readonly holds: boolean
  /** Questions that keep it undecided. */
  readonly needs: readonly string[]
}

export interface Explanation {
  readonly rules: readonly ExplainedRule[]
  readonly reassuring: readonly ExplainedRule[]
  /** The level if nothing more were known. */
  readonly level: Level | null
  /** Whether nothing left to ask could change it. */
  readonly decided: boolean
}

/** What the engine thinks: every rule of the session with its truth, most urgent first. For authors, not for patients. */
export function explain(content: Content, answers: readonly Answer[]): Explanation {
  const findings = findingsFrom(content, answers)
  const verdict = assess(findings)
  const all = verdict.emergency ? [verdict.emergency, ...verdict.complaints] : verdict.complaints
  const rules = all.flatMap(({ loaded }) =>
    loaded.rules
      .map((rule) => ({ ...explained(rule, findings), form: rule.form }))
      .filter(({ form, holds }) => form === 'itself' || holds)
      .map(({ form: _, ...rule }) => rule),
  )
  return {
    rules: rules.sort((a, b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level)),
    reassuring: all.flatMap(({ loaded }) => loaded.reassuring.map((rule) => explained(rule, findings))),
    level: LEVELS[verdict.rank] ?? null,
    decided: isDecided(findings, verdict),
  }
}

function explained(rule: LoadedRule, findings: InterviewFindings): ExplainedRule {
  const mark = findings.truths.of(rule.when)
  const pending = new PendingQuestions(findings)
  if (mark === PENDING) pending.add(rule.when)
  return {
    complaint: rule.complaint,
    rule: rule.rule.id,
    level: rule.rule.level,
    truth: truthOf(mark),
    holds: holds(rule, mark),
    needs: [...pending.slots].flatMap((slot) => findings.content.questions[slot]?.question.id ?? []),
  }
}
