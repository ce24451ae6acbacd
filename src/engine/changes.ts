import { assess } from './assess.ts'
import { chooseNext } from './choose.ts'
import { type Answer, type Change, LEVELS, type Level, type Value } from './content.ts'
import { ABSENT, PENDING } from './evaluate.ts'
import { findingsFrom } from './findings.ts'
import type { Content } from './load.ts'
import { otherValues } from './other-values.ts'

/** The level these answers give, and whether anything still to be asked could change it. */
export function levelOf(content: Content, answers: readonly Answer[]): { level: Level | null; decided: boolean } {
  const findings = findingsFrom(content, answers)
  const verdict = assess(findings)
  return { level: LEVELS[verdict.rank] ?? null, decided: chooseNext(findings, verdict).decided }
}

/**
 * Every single other answer that would have given another level: each question answered so far, with each other answer it offers,
 * put to the engine again. Only what is certain is told; who the patient is stays as it is.
 */
export function whatWouldChange(content: Content, answers: readonly Answer[]): Change[] {
  const findings = findingsFrom(content, answers)
  const present = levelOf(content, answers)
  if (!present.decided) return []
  const changes: Change[] = []
  for (const slot of findings.answered) {
    const question = content.questions[slot]?.question
    const standing = findings.standing(slot)
    if (!question || standing === ABSENT || standing === PENDING || content.intake.includes(slot)) continue
    for (const value of otherValues(content, question, findings.value(slot), findings.offered(slot))) {
      const { level, decided } = levelOf(content, replaced(answers, question.id, value))
      if (decided && level !== present.level) changes.push({ question: question.id, value, level })
    }
  }
  return changes
}

function replaced(answers: readonly Answer[], question: string, value: Value): Answer[] {
  return [...answers, { question, value }]
}
