import pc from 'picocolors'
import type { Complaint, Language, Question, Rule } from '../../engine/content.ts'
import type { Content } from '../../engine/load.ts'
import { conditionText } from '../../engine/text/condition-text.ts'
import { words as wordsOf } from './thoughts.ts'

/** One complaint as text in one language: whom it is for, what it asks and by which rules it judges. */
export function complaintText(content: Content, complaint: Complaint, language: Language): string {
  const words = (path: string) => wordsOf({ content, language, who: 'self' }, path) ?? ''
  const section = (title: string, lines: readonly string[]) =>
    lines.length > 0 ? `\n\n${pc.bold(title)}\n${lines.join('\n')}` : ''
  const rule = (one: Rule) =>
    `${pc.bold(one.level)} ${one.id}${unsureText(one)}\n    ${words(`rule.${complaint.id}.${one.id}.label`)}\n    ${pc.dim(conditionText(one.when))}\n    ${pc.dim(`sources: ${one.sources.join(', ') || '–'}`)}`
  const questions = complaint.questions.flatMap(({ id, ask }) => {
    const question = content.release.questions[id]
    return question ? [questionText(question, ask, words)] : []
  })
  const head = `${pc.bold(words(`complaint.${complaint.id}.name`))} ${pc.dim(`(${complaint.id}, ${complaint.kind})`)}`
  const scope = `for: ${complaint.applies ? conditionText(complaint.applies) : 'everyone'} · otherwise: ${complaint.otherwise ?? 'no urgency'}`
  return [
    `${head}\n${scope}`,
    section('Questions', questions),
    section('Rules', complaint.rules.map(rule)),
    section('Reassuring', complaint.reassuring.map(rule)),
    section(
      'One level more urgent',
      (complaint.modifiers ?? []).map(
        ({ id, when, rules }) =>
          `${id}\n    ${pc.dim(conditionText(when))}\n    ${pc.dim(`rules: ${rules.join(', ')}`)}`,
      ),
    ),
    section(
      'Conditions to consider',
      complaint.differential.map(({ id }) => `${words(`differential.${complaint.id}.${id}`)} ${pc.dim(id)}`),
    ),
    section(
      'Advice',
      complaint.advice.map(
        ({ id, levels }) => `${pc.dim(`${levels[0]}–${levels.at(-1)}`)} ${words(`advice.${complaint.id}.${id}`)}`,
      ),
    ),
    section(
      'Safety net',
      complaint.safetyNet.map(
        ({ id, levels }) => `${pc.dim(`${levels[0]}–${levels.at(-1)}`)} ${words(`safetyNet.${complaint.id}.${id}`)}`,
      ),
    ),
    section(
      'Sources',
      Object.entries(complaint.sources).map(([id, { title, url }]) => `${id}: ${title}${url ? pc.dim(` ${url}`) : ''}`),
    ),
  ].join('')
}

function unsureText({ ifUnsure }: Rule): string {
  if (ifUnsure === 'ignore') return ''
  return pc.dim(ifUnsure === 'apply' ? ' (also when unsure)' : ` (${ifUnsure} when unsure)`)
}

function questionText(question: Question, ask: string, words: (path: string) => string): string {
  const facts = [
    question.kind,
    ask === 'always' ? 'always asked' : '',
    question.applies ? `when ${conditionText(question.applies)}` : '',
  ].filter(Boolean)
  const options = (question.options ?? []).map((option) => {
    const text = words(`question.${question.id}.option.${option.id}.text`) || words(`common.${option.id}.text`)
    return `    ${option.redFlag ? pc.red('▪') : '▫'} ${text} ${pc.dim(`${option.id}${option.applies ? `, when ${conditionText(option.applies)}` : ''}`)}`
  })
  return [
    `${question.redFlag ? pc.red('▪ ') : ''}${words(`question.${question.id}.text`)} ${pc.dim(`${question.id}: ${facts.join(', ')}`)}`,
    ...options,
  ].join('\n')
}
