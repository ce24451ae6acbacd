import pc from 'picocolors'
import type { Answer, Fact, Language, Outcome, Step, Value, Who } from '../../engine/content.ts'
import { type ExplainedRule, explain } from '../../engine/deciding/explain.ts'
import { hasteOf } from '../../engine/flags.ts'
import type { Content } from '../../engine/load.ts'
import { say } from '../../engine/text/words.ts'

/** The words for a terminal: content, language, and who is spoken to. */
export interface Voice {
  readonly content: Content
  readonly language: Language
  readonly who: Who
}

export function words(
  { content, language, who }: Voice,
  path: string,
  more: Record<string, string | number> = {},
): string | undefined {
  return say(content, language, path, {
    who,
    emergencyNumber: '112',
    clinicNumber: '116 117',
    clinic: 'phone',
    reach: 'yes',
    adviceNumber: '116 117',
    crisisLine: '09 2525 0111',
    poisonLine: '0800 147 111',
    ...more,
  })
}

/** What the engine thinks before it asks: which rules hold, which are open, and why this question. */
export function thoughtsText({ content }: Voice, step: Step, answers: readonly Answer[]): string {
  const { rules, reassuring, level, decided } = explain(content, answers)
  const of = (truth: string) => rules.filter((rule) => rule.truth === truth && !rule.holds)
  const names = (some: readonly ExplainedRule[]) =>
    some.map(({ rule, level: at }) => `${rule} ${pc.dim(at.replace('Level', 'L'))}`).join(', ')
  const lines = [
    `${pc.dim('level')}    ${level ?? 'none'}${decided ? '' : pc.dim(' so far')}${pc.dim(` · about ${step.progress.left} screens left`)}`,
    `${pc.dim('true')}     ${names(rules.filter(({ holds }) => holds)) || '–'}`,
    `${pc.dim('unsure')}   ${names(of('unsure')) || '–'}`,
    `${pc.dim('pending')}  ${shortened(of('pending'), names)}`,
    `${pc.dim('calming')}  ${reassuring.map(({ rule, truth }) => `${rule} ${pc.dim(truth)}`).join(', ') || '–'}`,
  ]
  if (step.obsolete.length > 0) lines.push(`${pc.dim('unused')}   ${step.obsolete.join(', ')}`)
  if (step.kind === 'ask')
    lines.push(
      `${pc.dim('asks')}     ${step.questions.map(({ id }) => id).join(', ')}${pc.dim(`, ${becauseText(step)}`)}`,
    )
  return lines.join('\n')
}

const MOST_NAMED = 8
const shortened = (rules: readonly ExplainedRule[], names: (some: readonly ExplainedRule[]) => string) =>
  rules.length === 0
    ? '–'
    : `${names(rules.slice(0, MOST_NAMED))}${rules.length > MOST_NAMED ? pc.dim(` and ${rules.length - MOST_NAMED} more`) : ''}`

function becauseText({ because, stage }: Extract<Step, { kind: 'ask' }>): string {
  if (because.kind === 'intake') return 'because intake comes first'
  if (because.kind === 'summary') return 'because the summary needs it'
  if (because.kind === 'heard') return 'because the own words tell of it'
  if (because.kind === 'understood') return 'because the own words tell of it, to be confirmed'
  if (because.kind === 'doubted') return 'because it was denied, and the own words tell of it'
  if (because.kind === 'last-look') return 'as a last look before something mild is said'
  return `because rule ${because.complaint}/${because.rule} (${because.level}) is open, stage ${stage}`
}

export function alarmText(voice: Voice, step: Step): string | undefined {
  const [alarm] = step.alarms
  if (!alarm) return undefined
  const title = words(voice, `alarm.${alarm.level}.title`)
  return `${pc.bgRed(pc.white(` ${title} `))} ${words(voice, `rule.${alarm.complaint}.${alarm.rule}.reason`)}`
}

/** The outcome as the patient reads it, then what the clinician gets beside it. */
export function outcomeText(voice: Voice, outcome: Outcome): string {
  const level = outcome.level ?? 'none'
  const list = (title: string, lines: readonly string[]) =>
    lines.length > 0 ? [`\n${pc.bold(title)}`, ...lines.map((line) => `  ${line}`)] : []
  const reason = ({ complaint, rule }: Outcome['reasons'][number]) =>
    words(voice, `rule.${complaint}.${rule}.reason`) ?? rule
  return [
    `${pc.bold(words(voice, `level.${level}.title`) ?? level)} ${pc.dim(`(${level})`)}`,
    words(voice, `level.${level}.do`) ?? '',
    ...list('Because', outcome.reasons.map(reason)),
    ...list(
      'Meanwhile',
      outcome.advice.flatMap((path) => words(voice, path) ?? []),
    ),
    ...list(
      'Seek help sooner if',
      outcome.safetyNet.flatMap((path) => words(voice, path, { haste: hasteOf(outcome.flag) }) ?? []),
    ),
    ...list(
      'For the clinician: rules',
      [...outcome.reasons, ...outcome.alsoTrue].map(
        (one) =>
          `${one.level} ${words(voice, `rule.${one.complaint}.${one.rule}.label`)}${one.unsure ? ' (unsure)' : ''} ← ${one.answers.map((fact) => factText(voice, fact)).join(', ') || 'nothing else holds'}`,
      ),
    ),
    ...list(
      'To consider',
      outcome.considerations.map(
        (one) =>
          `${words(voice, `differential.${one.complaint}.${one.differential}`)} ${pc.dim(`for: ${one.for.map((fact) => factText(voice, fact)).join(', ') || '–'}; against: ${one.against.map((fact) => factText(voice, fact)).join(', ') || '–'}`)}`,
      ),
    ),
    ...list(
      'Another answer would change it',
      outcome.changes
        .slice(0, 12)
        .map(
          ({ question, value, level: other, decided }) =>
            `${question} = ${valueText(value)} → ${other ?? 'none'}${decided ? '' : ' or more urgent'}`,
        ),
    ),
    ...list(
      'Red flags',
      ['present', 'unsure', 'not-asked'].map(
        (state) =>
          `${state}: ${
            outcome.redFlags
              .filter((flag) => flag.state === state)
              .map(({ question, option }) => option ?? question)
              .join(', ') || '–'
          }`,
      ),
    ),
  ].join('\n')
}

function factText(voice: Voice, { question, value, option, state }: Fact): string {
  const label =
    words(voice, option ? `question.${question}.option.${option}.label` : `question.${question}.label`) ?? question
  if (state === 'unsure') return `${label}?`
  if (option) return state === 'denied' ? `no ${label}` : label
  return `${label}: ${valueText(value)}`
}

function valueText(value: Value): string {
  if (value === null) return 'unsure'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'object') return 'amount' in value ? `${value.amount} ${value.unit}` : `[${value.join(', ')}]`
  return String(value)
}
