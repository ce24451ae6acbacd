import { globSync, readFileSync } from 'node:fs'
import { readValue } from '../src/engine/compile/cases.ts'
import { readDocument } from '../src/engine/compile/document.ts'
import { createReading } from '../src/engine/compile/reading.ts'
import {
  type CompiledRelease,
  LANGUAGES,
  type Language,
  LEVELS,
  type Level,
  type Value,
} from '../src/engine/content.ts'

/**
 * A complete patient: what is true of them, what they would write, and what a careful clinician would say. Written
 * without seeing the rules.
 */
export type Story = {
  id: string
  about: string
  complaint: string
  /** Complaints that this patient may name by mistake; of emergencies alone. The facts hold for what these ask about, too. */
  astray: readonly string[]
  opening: Partial<Record<Language, string>>
  /** What is true, by question and sign; signs not named are absent. */
  facts: ReadonlyMap<string, Value>
  expect: Level
  /** The most and the least urgent level that is acceptable. */
  accept: readonly [Level, Level]
}

const KEYS = ['id', 'about', 'complaint', 'astray', 'opening', 'answers', 'signs', 'expect', 'accept', 'reason']

/** Reads all stories of a folder here. A story that names something the content does not have is a fault, reported with its line. */
export function readStories(release: CompiledRelease, name = 'stories'): Story[] {
  const folder = new URL(name, import.meta.url).pathname
  const problems: { file: string; line: number; message: string }[] = []
  const reading = createReading(problems)
  const stories: Story[] = []
  for (const path of globSync(`${folder}/*.yaml`).sort()) {
    const root = readDocument({ path: path.slice(folder.length + 1), text: readFileSync(path, 'utf8') }, problems)
    for (const node of reading.list(root, 'stories')) {
      const entries = reading.map(node, 'A story', KEYS)
      const id = reading.id(entries.get('id'), 'id', 'kebab') ?? ''
      const facts = new Map<string, Value>()
      for (const [question, value] of reading.map(entries.get('answers'), `${id}: answers`)) {
        const known = release.questions[question]
        if (known) facts.set(question, readValue(known, value, `${id}: ${question}`, reading))
        else reading.problem(value.place, `${id}: there is no question "${question}".`)
      }
      for (const item of reading.list(entries.get('signs'), `${id}: signs`)) {
        const sign = reading.id(item, `${id}: sign`, 'snake') ?? ''
        if (release.questions[sign]?.kind === 'sign') facts.set(sign, true)
        else reading.problem(item.place, `${id}: there is no sign "${sign}".`)
      }
      const opening = reading.map(entries.get('opening'), `${id}: opening`, LANGUAGES)
      const accept = reading
        .list(entries.get('accept'), `${id}: accept`)
        .map((one) => reading.choice(one, 'accept', LEVELS))
      const expect = reading.choice(entries.get('expect'), `${id}: expect`, LEVELS)
      if (!expect) reading.problem(node.place, `${id}: "expect" is missing.`)
      stories.push({
        id,
        about: reading.text(entries.get('about'), 'about') ?? '',
        complaint: reading.text(entries.get('complaint'), 'complaint') ?? '',
        astray: reading.list(entries.get('astray'), `${id}: astray`).flatMap((item) => {
          const other = reading.id(item, `${id}: astray`, 'kebab') ?? ''
          if (release.complaints.some((one) => one.id === other)) return other
          reading.problem(item.place, `${id}: there is no complaint "${other}".`)
          return []
        }),
        opening: Object.fromEntries(
          [...opening].map(([language, text]) => [language, reading.text(text, language) ?? '']),
        ),
        facts,
        expect: expect ?? 'Level1',
        accept: [accept[0] ?? expect ?? 'Level1', accept.at(-1) ?? expect ?? 'Level1'],
      })
    }
  }
  if (problems.length > 0)
    throw new Error(problems.map(({ file, line, message }) => `${file}:${line}: ${message}`).join('\n'))
  return stories
}
