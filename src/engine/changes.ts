import { assess, dangerOf } from './assess.ts'
import { chooseNext } from './choose.ts'
import { type Answer, type Change, LEVELS, type Level } from './content.ts'
import { ABSENT, PENDING } from './evaluate.ts'
import { findingsFrom } from './findings.ts'
import type { Content } from './load.ts'
import { otherValues } from './other-values.ts'

/** The level these answers give, and whether anything still to be asked could change it. Until then only rules that hold count. */
export function levelOf(content: Content, answers: readonly Answer[]): { level: Level | null; decided: boolean } {
  const findings = findingsFrom(content, answers)
  const verdict = assess(findings)
  const { decided } = chooseNext(findings, verdict)
  return { level: LEVELS[decided ? verdict.rank : dangerOf(verdict)] ?? null, decided }
}

/**
 * Every single other answer that would have given another level: each question answered so far, with each other answer it offers,
 * put to the engine again. Where that answer would lead to further questions, the level is the one so far. Who the patient is stays.
 */
export function whatWouldChange(content: Content, answers: readonly Answer[]): Change[] {
  const findings = findingsFrom(content, answers)
  const present = levelOf(content, answers)
  if (present.level === null) return []
  const changes: Change[] = []
  for (const slot of findings.answered) {
    const question = content.questions[slot]?.question
    const standing = findings.standing(slot)
    if (!question || standing === ABSENT || standing === PENDING || content.intake.includes(slot)) continue
    for (const value of otherValues(content, question, findings.value(slot), findings.offered(slot))) {
      const { level, decided } = levelOf(content, [...answers, { question: question.id, value }])
      if (level !== present.level) changes.push({ question: question.id, value, level, decided })
    }
  }
  return changes
}
