import { beforeAll, expect, test } from 'vitest'
import { realContent } from '../../../test/world/content.ts'
import type { Answer, Value } from '../content.ts'
import type { Content } from '../load.ts'
import { findingsFrom } from './findings.ts'

let content: Content
beforeAll(async () => {
  content = (await realContent()).content
})

const PATIENT = { for_whom: 'self', age: 44, sex: 'male', matter: 'x', issue_type: 'regular' }

const said = (values: Record<string, Value>): Answer[] =>
  Object.entries(values).map(([question, value]) => ({ question, value }))

const findingsOf = (...given: Record<string, Value>[]) => findingsFrom(content, [PATIENT, ...given].flatMap(said))
const slot = (id: string) => content.slotOf.get(id) ?? -1

test('of the illnesses each complaint offers what it reads or wants, and "another"', () => {
  const offered = (...complaints: string[]) => findingsOf({ complaints }).offered(slot('illnesses'))
  expect(offered('male-genital')).toEqual(['diabetes-type-1', 'diabetes-type-2', 'other-illness', 'none'])
  expect(offered('seizure')).toContain('epilepsy')
  expect(offered('seizure')).not.toContain('bowel')
  expect(offered('male-genital', 'leg-swelling')).toEqual(offered('leg-swelling'))
})

test('what nobody of an age has is not offered, whoever reads it', () => {
  const offered = (age: number) => findingsOf({ age, complaints: ['limb-injury'] }).offered(slot('medicines'))
  expect(offered(44)).toContain('hormones')
  expect(offered(2)).not.toContain('hormones')
})

test('whoever has another illness is asked which', () => {
  const findings = findingsOf({ complaints: ['male-genital'], background: ['illness'], illnesses: ['other-illness'] })
  expect(findings.waitsFor(slot('illness_names'))).toEqual([])
  expect(findings.isKnown(slot('illness_names'))).toBe(false)
})

test('a complaint that is added later asks for what was not offered before', () => {
  const before = { complaints: ['male-genital'], background: ['illness'], illnesses: ['diabetes-type-2'] }
  expect(findingsOf(before).said(slot('illnesses'))).toEqual(['diabetes-type-2'])
  const after = findingsOf(before, { complaints: ['male-genital', 'leg-swelling'] })
  expect(after.said(slot('illnesses'))).toBeUndefined()
  expect(after.answered).not.toContain(slot('illnesses'))
  expect(findingsOf(before, { complaints: ['male-genital'] }).said(slot('illnesses'))).toEqual(['diabetes-type-2'])
})

test('a name of a medicine that the complaint does not offer is left to the clinic', () => {
  const typed = { background: ['medicine'], medicines: ['other-medicine'], medicine_names: 'lithium' }
  const valueFor = (complaint: string) => findingsOf({ complaints: [complaint], ...typed }).value(slot('medicines'))
  expect(valueFor('male-genital')).toEqual(['other-medicine'])
  expect(valueFor('ear')).toEqual(['other-medicine', 'lithium'])
})

test('whoever has ticked a sign is not offered to deny it, and nothing waits for that sign', () => {
  const thoughts = (...given: Record<string, Value>[]) => findingsOf(...given).offered(slot('suicide_thoughts'))
  const asked = { complaints: ['sleep-fatigue'] }
  expect(thoughts(asked)).toContain('no')
  expect(thoughts(asked, { suicidal_thoughts: null })).toContain('no')
  expect(thoughts(asked, { suicidal_thoughts: true })).toEqual(['wish', 'thoughts', 'method', 'intent', 'now'])
  expect(findingsOf({ complaints: ['mood-crisis'] }).waitsFor(slot('suicide_thoughts'))).toEqual([])
})
