import { describe, expect, test } from 'vitest'
import { realContent } from '../../../test/world/content.ts'
import type { Language, Value } from '../content.ts'
import { hear } from './hear.ts'

const { content } = await realContent()
const { release } = content
const everything = () => true
const factsOf = (text: string, language: Language): Record<string, Value> =>
  Object.fromEntries(hear(release, text, language, everything).facts.map(({ question, value }) => [question, value]))

describe('facts in own words', () => {
  test.each<[Language, string, Record<string, Value>]>([
    ['en', 'My throat has been sore for three days', { duration: { amount: 3, unit: 'days' } }],
    ['en', 'Belly ache since yesterday', { duration: { amount: 1, unit: 'days' } }],
    [
      'en',
      'Cough for about 2 weeks, fever of 38.5',
      { duration: { amount: 2, unit: 'weeks' }, fever: 'measured', temperature: 38.5 },
    ],
    ['en', 'temperature 101.3 °F', { fever: 'measured', temperature: 38.5 }],
    ['en', 'Sore throat, no fever', { fever: 'no' }],
    ['en', 'My 3 year old son has a rash', { age: 3 }],
    ['en', 'My son is coughing', { for_whom: 'other' }],
    ['en', 'Operation 3 weeks ago, now the wound hurts', {}],
    ['en', 'Headache for two days and a rash for three weeks', {}],
    [
      'fi',
      'Kurkku on ollut kipeä kolme päivää, kuumetta 38,5',
      { duration: { amount: 3, unit: 'days' }, fever: 'measured', temperature: 38.5 },
    ],
    ['fi', 'Vatsa kipeä eilisestä lähtien, kuumetta ei ole', { duration: { amount: 1, unit: 'days' }, fever: 'no' }],
    ['fi', 'Leikkaus oli kolme viikkoa sitten', {}],
    ['fi', 'Poikani on 5-vuotias ja yskii', { age: 5, for_whom: 'other' }],
    ['no', 'Vondt i halsen siden i går, ingen feber', { duration: { amount: 1, unit: 'days' }, fever: 'no' }],
    [
      'no',
      'Har hatt vondt i magen i to uker, 38,2 grader',
      { duration: { amount: 2, unit: 'weeks' }, fever: 'measured', temperature: 38.2 },
    ],
    ['no', 'Ble operert for tre uker siden', {}],
    [
      'sv',
      'Ont i halsen sedan igår, feber 39',
      { duration: { amount: 1, unit: 'days' }, fever: 'measured', temperature: 39 },
    ],
    ['sv', 'Har haft hosta i fyra dagar', { duration: { amount: 4, unit: 'days' } }],
    ['sv', 'Min dotter är 4 år gammal', { age: 4, for_whom: 'other' }],
  ])('%s: %s', (language, text, facts) => {
    expect(factsOf(text, language)).toEqual(facts)
  })

  test('they are heard in the language of the text, whatever language the page has', () => {
    expect(factsOf('Jag har haft ont i halsen i tre dagar och det är inte bra', 'en')).toMatchObject({
      duration: { amount: 3, unit: 'days' },
    })
  })
})

describe('dangers in own words', () => {
  test.each<[Language, string, string]>([
    ['en', 'I want to kill myself', 'kill myself'],
    ['fi', 'Haluan kuolla, en jaksa enää elää', 'Haluan kuolla'],
    ['no', 'Jeg orker ikke å leve lenger', 'orker leve'],
    ['sv', 'Jag vill inte leva längre', 'vill leva'],
  ])('%s: %s is suicide, with the words that told it', (language, text, words) => {
    const { dangers } = hear(release, text, language, everything)
    expect(dangers).toEqual([{ kind: 'suicide', sureness: 'lead', words: expect.any(String) }])
    for (const word of words.split(' ')) expect(dangers[0]?.words).toContain(word)
  })

  test('danger whose kind is not told is danger all the same', () => {
    expect(hear(release, "I can't breathe", 'en', everything).dangers).toMatchObject([
      { kind: 'danger', sureness: 'lead' },
    ])
    expect(hear(release, 'I have a sore throat', 'en', everything).dangers).toEqual([])
  })

  test('every kind that is heard is one of the release', () => {
    expect(release.dangers.map(({ id }) => id)).toEqual(expect.arrayContaining(['suicide', 'danger']))
  })
})

test('complaints come best first with their words, five at most, and only those that hold for the patient', () => {
  const { complaints } = hear(release, 'sore throat and belly pain', 'en', (id) => id !== 'abdominal-pain')
  expect(complaints[0]).toMatchObject({ id: 'sore-throat', words: expect.stringContaining('throat') })
  expect(complaints.map(({ id }) => id)).not.toContain('abdominal-pain')
  expect(complaints.length).toBeLessThanOrEqual(5)
})

test('another matter is heard as such', () => {
  expect(hear(release, 'Please renew my prescription', 'en', everything).matter).toBe('prescription')
  expect(hear(release, 'sore throat', 'en', everything)).not.toHaveProperty('matter')
})
