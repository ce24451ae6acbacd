import { beforeAll, describe, expect, test } from 'vitest'
import { realContent } from '../../../test/world/content.ts'
import { denyAll } from '../../../test/world/denying.ts'
import type { Answer, Value } from '../content.ts'
import { interview } from '../interview.ts'
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

const RENEWAL: Record<string, Value> = {
  for_whom: 'self',
  age: 38,
  sex: 'female',
  issue_type: 'prescription',
  new_trouble: false,
  prescription_request: 'renew',
}

const vitalWith = (said: Record<string, Value>): Value => {
  const answers = Object.entries({ ...RENEWAL, ...said }).map(([question, value]): Answer => ({ question, value }))
  const findings = findingsFrom(content, answers)
  return findings.value(content.slotOf.get('prescription_vital') ?? -1)
}

test('what is to be renewed counts by its name, though its row was overlooked', () => {
  expect(vitalWith({ prescription_vital: ['none'], prescription_medicine: 'Microgynon 30' })).toEqual(['pill'])
  expect(vitalWith({ prescription_vital: ['heart'], prescription_medicine: 'Keppra 500 mg' })).toEqual([
    'heart',
    'epilepsy',
  ])
})

test('a name in a text before the question is added to what is ticked, and does not take the place of asking', () => {
  expect(vitalWith({ prescription_medicine: 'Keppra' })).toBeNull()
  expect(vitalWith({ matter: 'two new EpiPens please' })).toBeNull()
  expect(vitalWith({ matter: 'two new EpiPens please', prescription_vital: ['none'] })).toEqual(['adrenaline'])
})

test('what is not offered to a patient is not named either', () => {
  expect(vitalWith({ sex: 'male', prescription_vital: ['none'], prescription_medicine: 'Microgynon' })).toEqual([
    'none',
  ])
})

describe('a named medicine calls for its own dangers, in every matter', () => {
  const WIFE: readonly Answer[] = [
    { question: 'for_whom', value: 'other' },
    { question: 'age', value: 66 },
    { question: 'sex', value: 'female' },
  ]
  const asking = (matter: string, issue: string): Answer[] => [
    ...WIFE,
    { question: 'matter', value: matter },
    { question: 'issue_type', value: issue },
    ...(issue === 'regular' ? [] : [{ question: 'new_trouble', value: false }]),
  ]
  const next = (said: readonly Answer[]): string[] => {
    const step = interview(content, said)
    return step.kind === 'ask' ? step.questions.map(({ id }) => id) : []
  }

  test.each(['prescription', 'certificate', 'admin', 'regular'])('before anything else: %s', (issue) => {
    const said = asking('Lithionit tar slut', issue)
    expect(next(said).slice(0, 2)).toEqual(['lithium_nerves', 'lithium_shakes'])
    expect(next(asking('Alvedon tar slut', issue))).not.toContain('lithium_nerves')
    const { said: all } = denyAll(content, said, { lithium_nerves: true, complaints: ['vomiting-diarrhoea'] })
    const step = interview(content, all)
    expect(step.kind === 'done' && step.outcome.level).toBe('Level2')
  })

  test('also where it is typed later', () => {
    const asked = denyAll(content, asking('new tablets please', 'prescription'), {
      prescription_medicine: 'Quilonorm 450',
    }).screens.flat()
    expect(asked).toContain('lithium_nerves')
  })
})
