import {
  type Answer,
  type CompiledRelease,
  type Complaint,
  LEVELS,
  type Level,
  type Question,
  type SourceLine,
  type Value,
} from '../content.ts'
import type { ContentFile, ContentProblem, Located, Problems } from './document.ts'
import { sortFiles } from './folders.ts'
import { WRITTEN } from './kinds.ts'
import { createReading, nearest, type Reading } from './reading.ts'
import { inOrder } from './release.ts'

/** A patient on paper: what they answer, and what must come out. */
export interface WorkedCase {
  readonly id: string
  readonly complaint: string
  readonly about: string
  readonly answers: readonly Answer[]
  /** What their own words told and they confirmed, before anything was asked. */
  readonly told: readonly Answer[]
  readonly expect: {
    readonly level: Level | null
    readonly rules: readonly string[]
    readonly also: readonly string[]
    readonly not: readonly string[]
  }
  readonly place: SourceLine
}

/** Reads the worked cases of every complaint in the release. */
export function compileCases(
  files: readonly ContentFile[],
  release: CompiledRelease,
): { cases: WorkedCase[]; problems: ContentProblem[] } {
  const problems: Problems = []
  const reading = createReading(problems)
  const folders = sortFiles(
    files.filter((file) => file.path.endsWith('/cases.yaml')),
    reading,
  )
  const cases: WorkedCase[] = []
  for (const complaint of release.complaints) {
    const root = folders.cases.get(complaint.id)
    if (!root) {
      reading.problem(complaint.place, `${complaint.id} has no cases.yaml: write worked cases for it.`)
      continue
    }
    const seen = new Set<string>()
    for (const item of reading.list(reading.map(root, 'cases.yaml', ['cases']).get('cases'), 'cases')) {
      const found = readCase(item, complaint, release, reading)
      if (!found) continue
      if (seen.has(found.id))
        reading.problem(found.place, `The case "${found.id}" exists already: give this one another id.`)
      seen.add(found.id)
      cases.push(found)
    }
  }
  return { cases, problems: inOrder(problems) }
}

function readCase(
  node: Located,
  complaint: Complaint,
  release: CompiledRelease,
  reading: Reading,
): WorkedCase | undefined {
  const entries = reading.map(node, 'A case', ['id', 'about', 'answers', 'told', 'expect'])
  const id = reading.id(entries.get('id'), 'case id', 'kebab')
  const place = entries.get('id')?.place ?? node.place
  if (id === undefined) {
    reading.problem(place, 'This case needs an "id".')
    return undefined
  }
  const answersIn = (key: string): Answer[] =>
    [...reading.map(entries.get(key), `Case ${id}: ${key}`)].flatMap(([question, value]) => {
      const known = release.questions[question]
      if (known) return [{ question, value: readValue(known, value, `Case ${id}: ${question}`, reading) }]
      const near = nearest(question, Object.keys(release.questions))
      reading.problem(
        value.place,
        `Case ${id}: there is no question "${question}".${near ? ` Did you mean "${near}"?` : ''}`,
      )
      return []
    })
  const expect = reading.map(entries.get('expect'), `Case ${id}: expect`, ['level', 'rules', 'also', 'not'])
  const level = reading.choice(expect.get('level'), `Case ${id}: level`, [...LEVELS, 'none'] as const)
  if (!expect.has('level')) reading.problem(place, `Case "${id}" needs "expect" with a "level".`)
  const ids = [...complaint.rules, ...complaint.reassuring].map((rule) => rule.id)
  const rules = (key: string) =>
    reading.list(expect.get(key), `Case ${id}: ${key}`).flatMap((item) => {
      const rule = reading.text(item, `Case ${id}: ${key}`)
      if (rule === undefined) return []
      const here = rule.includes('/') || rule === 'otherwise' || ids.includes(rule)
      if (!here) {
        const near = nearest(rule, ids)
        reading.problem(
          item.place,
          `Case ${id}: ${complaint.id} has no rule "${rule}".${near ? ` Did you mean "${near}"?` : ''}`,
        )
      }
      return [rule.includes('/') ? rule : `${complaint.id}/${rule}`]
    })
  return {
    id,
    complaint: complaint.id,
    about: reading.text(entries.get('about'), `Case ${id}: about`) ?? '',
    answers: answersIn('answers'),
    told: answersIn('told').map((one) => ({ ...one, from: 'own-words' })),
    expect: {
      level: level === 'none' || !level ? null : level,
      rules: rules('rules'),
      also: rules('also'),
      not: rules('not'),
    },
    place,
  }
}

/** Answers as people write them: `yes`, `4 days`, one option where a list is meant, `unsure`. */
export function readValue(question: Question, node: Located, what: string, reading: Reading): Value {
  if (node.kind === 'list') return node.items.flatMap((item) => reading.text(item, what) ?? [])
  if (node.kind === 'map') {
    reading.problem(node.place, `${what}: write the answer on one line, for example "4 days" or [a, b].`)
    return null
  }
  const { value } = node
  if (value === null || value === 'unsure') return null
  return WRITTEN[question.kind].read(value, (message) => {
    reading.problem(node.place, `${what}: ${message}`)
    return null
  })
}
