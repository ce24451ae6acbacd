import { beforeAll, expect, test } from 'vitest'
import { realContent } from '../../../test/world/content.ts'
import type { Answer, Value } from '../content.ts'
import type { Content } from '../load.ts'
import { assess } from './assess.ts'
import { findingsFrom } from './findings.ts'

let content: Content
beforeAll(async () => {
  content = (await realContent()).content
})

const THROAT: Record<string, Value> = {
  for_whom: 'self',
  age: 34,
  sex: 'female',
  matter: 'sore throat',
  issue_type: 'regular',
  complaints: ['sore-throat'],
  fever: 'measured',
  temperature: 38.6,
  background: ['medicine'],
  medicines: ['other-medicine'],
}

const rankWith = (names: string): number => {
  const said = { ...THROAT, medicine_names: names }
  const answers = Object.entries(said).map(([question, value]): Answer => ({ question, value }))
  return assess(findingsFrom(content, answers)).rank
}

test.each(['Carbimazole 20 mg twice a day, propranolol', 'karbimatsolia 2 x', 'Neo-Mercazole', 'thacapzol 5mg'])(
  'a medicine that decides counts where its name is typed: %s',
  (names) => {
    expect(rankWith(names)).toBe(1)
  },
)

test('a medicine of weak defence counts, though nobody ticked weak defence', () => {
  expect(rankWith('Humira')).toBe(2)
})

test('other names add nothing', () => {
  expect(rankWith('levothyroxine, vitamin D')).toBeGreaterThan(2)
})

test('a reason names what was typed, not an option that nobody ticked', () => {
  const said = { ...THROAT, medicine_names: 'prednisolon 5 mg' }
  const findings = findingsFrom(
    content,
    Object.entries(said).map(([question, value]): Answer => ({ question, value })),
  )
  expect(findings.typedFor('immune', 'cortisone')).toEqual([{ question: 'medicine_names', value: 'prednisolon 5 mg' }])
  expect(findings.typedFor('immune', 'transplant')).toEqual([])
  const ticked = findingsFrom(
    content,
    Object.entries({ ...said, immune: ['cortisone'] }).map(([question, value]): Answer => ({ question, value })),
  )
  expect(ticked.typedFor('immune', 'cortisone')).toEqual([])
})
