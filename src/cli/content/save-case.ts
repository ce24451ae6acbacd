import { appendFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Answer, CompiledRelease, Value } from '../../engine/content.ts'
import { kindOf } from '../../engine/kinds.ts'
import { BUNDLED_CONTENT } from '../../store/content/content-files.ts'
import { Refusal } from '../print.ts'
import type { Played } from './play.ts'

const ASSUMED = ['issue_type', 'complaints', 'matter']

/** Adds a run and its outcome to the complaint's cases.yaml, for the author to judge and complete. */
export async function saveCase(
  folder: string | undefined,
  release: CompiledRelease,
  complaint: string,
  id: string,
  played: Played,
): Promise<string> {
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id))
    throw new Refusal('The name of a case has small letters, digits and hyphens: back-from-travel.')
  const path = join(folder ?? BUNDLED_CONTENT, 'complaints', complaint, 'cases.yaml')
  const before = await readFile(path, 'utf8')
  if (before.includes(`- id: ${id}\n`)) throw new Refusal(`${path} has a case ${id} already.`)
  await appendFile(path, `${before.endsWith('\n') ? '' : '\n'}${caseText(release, complaint, id, played)}`)
  return path
}

function caseText(release: CompiledRelease, complaint: string, id: string, { answers, outcome }: Played): string {
  const last = new Map(answers.map(({ question, value }) => [question, value]))
  const lines = [...last]
    .filter(([question]) => !ASSUMED.includes(question))
    .flatMap(([question, value]) => line(release, { question, value }))
  const rules = outcome.reasons
    .filter((reason) => reason.rule !== 'otherwise')
    .map(({ complaint: of, rule }) => (of === complaint ? rule : `${of}/${rule}`))
  return [
    `  - id: ${id}`,
    '    about: Saved from a run; say who this is',
    '    answers:',
    ...lines.map((one) => `      ${one}`),
    '    expect:',
    `      level: ${outcome.level ?? 'none'}`,
    ...(rules.length > 0 ? [`      rules: [${rules.join(', ')}]`] : []),
    '',
  ].join('\n')
}

function line(release: CompiledRelease, { question, value }: Answer): string[] {
  if (kindOf({ release }, question).texts === 'own words' && value === '') return []
  return [`${question}: ${written(value)}`]
}

function written(value: Value): string {
  if (value === null) return 'unsure'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string')
    return /^[a-z0-9]+(-[a-z0-9]+)*$/.test(value) && Number.isNaN(Number(value)) ? value : JSON.stringify(value)
  return 'amount' in value ? `${value.amount} ${value.unit}` : `[${value.join(', ')}]`
}
