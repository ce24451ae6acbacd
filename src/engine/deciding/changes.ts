import { ABSENT, PENDING } from '../conditions/evaluate.ts'
import { type Answer, type Change, LEVELS, type Level } from '../content.ts'
import type { Content } from '../load.ts'
import { assess, dangerOf } from './assess.ts'
import { isDecided } from './choose.ts'
import { findingsFrom, type InterviewFindings } from './findings.ts'
import { otherValues } from './other-values.ts'

interface LevelSoFar {
  readonly level: Level | null
  readonly decided: boolean
}

/** The level these findings give, and whether anything still to be asked could change it. Until then only rules that hold count. */
export function levelOf(findings: InterviewFindings): LevelSoFar {
  const verdict = assess(findings)
  const decided = isDecided(findings, verdict)
  return { level: LEVELS[decided ? verdict.rank : dangerOf(verdict)] ?? null, decided }
}

/**
 * Every single different answer that would have given another level: for each question answered so far, each other
 * answer it offers is put to the engine. Where that answer would lead to further questions, the level is the one so
 * far. Answers about who the patient is are not varied.
 */
export function whatWouldChange(content: Content, answers: readonly Answer[]): Change[] {
  const findings = findingsFrom(content, answers)
  const present = levelOf(findings).level
  if (present === null) return []
  const changes: Change[] = []
  for (const slot of findings.answered) {
    const question = content.questions[slot]?.question
    const standing = findings.standing(slot)
    if (!question || standing === ABSENT || standing === PENDING || content.intake.includes(slot)) continue
    if (content.dependents(slot).tests.length === 0) continue
    const said = findings.said(slot) ?? null
    for (const value of otherValues(content, question, said, findings.offered(slot))) {
      findings.suppose(slot, value)
      const { level, decided } = levelOf(findings)
      if (level !== present) changes.push({ question: question.id, value, level, decided })
    }
    findings.suppose(slot, said)
  }
  return changes
}
