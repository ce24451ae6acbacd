import { expect, test } from 'vitest'
import { realContent } from '../../../test/world/content.ts'
import { runCase } from '../../engine/check/run-case.ts'
import type { Value } from '../../engine/content.ts'
import { interview } from '../../engine/interview.ts'
import { speech } from './speech.ts'
import { alarmView } from './view.ts'

const { content, cases } = await realContent()
const spoken = speech(content, 'en', 'self', { emergencyNumber: '112', clinicPhone: null })

/** The card of the patient of a worked case, of whom this may be true besides, and the rules behind it. */
function cardOf(complaint: string, id: string, besides: Record<string, Value> = {}) {
  const worked = cases.find((one) => one.complaint === complaint && one.id === id)
  const run = worked && runCase(content, worked)
  if (run?.kind !== 'done') throw new Error(`${complaint}/${id} does not end.`)
  const more = Object.entries(besides).map(([question, value]) => ({ question, value }))
  const step = interview(content, [...run.answers, ...more])
  const [alarm] = step.alarms
  if (!alarm) throw new Error(`${complaint}/${id} does not alarm.`)
  return { ...alarmView(spoken, step, alarm), rules: step.alarms.map((one) => `${one.complaint}.${one.rule}`) }
}

const reasonsOf = (...rules: string[]) => rules.map((rule) => spoken.say(`rule.${rule}.reason`))
const wordsOf = (...rules: string[]) => rules.map((rule) => spoken.say(`rule.${rule}.say`)).join(' ')

test('one danger that two rules tell of is told once, by the more urgent', () => {
  const { rules, reasons, say } = cardOf('heartburn-swallowing', 'heart-sweat-and-arm')
  expect(rules).toEqual(['heartburn-swallowing.heart-now', 'heartburn-swallowing.heart-likely'])
  expect(reasons).toEqual(reasonsOf('heartburn-swallowing.heart-now'))
  expect(say).toBe(wordsOf('heartburn-swallowing.heart-now'))
})

test('dangers that rest on different answers are all told, and the first two are said', () => {
  const besides = { stroke_signs_last_day: true, about_to_faint: true }
  const { reasons, say } = cardOf('heartburn-swallowing', 'heart-sweat-and-arm', besides)
  const [stroke, heart] = ['emergency-check.stroke', 'heartburn-swallowing.heart-now']
  expect(reasons).toEqual(reasonsOf(stroke, heart, 'emergency-check.circulation'))
  expect(say).toBe(wordsOf(stroke, heart))
})

test('who the patient is makes another danger of the same signs, but no other words for the phone', () => {
  const { rules, reasons, say } = cardOf('joint-limb-pain', 'shoulder-belly-coil', { pale_cold_sweat: true })
  expect(rules).toEqual(['joint-limb-pain.bleed-shock', 'emergency-check.circulation', 'joint-limb-pain.ectopic'])
  expect(reasons).toEqual(reasonsOf('joint-limb-pain.bleed-shock', 'joint-limb-pain.ectopic'))
  expect(say).toBe(wordsOf('joint-limb-pain.bleed-shock'))
})

test('a milder degree of a danger in the same complaint has no words of its own', () => {
  const { rules, say } = cardOf('fever-adult', 'home-from-lagos-yellow')
  expect(rules).toEqual(expect.arrayContaining(['fever-adult.malaria-severe', 'fever-adult.malaria']))
  expect(say).toBe(wordsOf('fever-adult.malaria-severe'))
})

test('of two equally urgent ones the words are of the one that tells more', () => {
  const { rules, say } = cardOf('fever-adult', 'home-from-ghana-blotchy')
  expect(rules).toEqual(['fever-adult.sepsis', 'fever-adult.malaria-severe'])
  expect(say).toBe(wordsOf('fever-adult.malaria-severe'))
})

test('nobody is told to read out where another rule as urgent, or of a part of the foremost danger, has words', () => {
  const belly = cardOf('abdominal-pain', 'boy-severe-denies')
  expect(belly.rules).toEqual(['abdominal-pain.severe', 'abdominal-pain.boy-severe'])
  expect(belly.say).toBe(wordsOf('abdominal-pain.boy-severe'))
  const fit = cardOf('child-fever', 'fit-at-eight')
  expect(fit.rules.slice(0, 2)).toEqual(['child-fever.seizure-complex', 'emergency-check.child-fit'])
  expect(fit.say).toBe(wordsOf('emergency-check.child-fit'))
})

test('the words of a milder danger of another kind do not stand for the foremost', () => {
  const { rules, say } = cardOf('joint-limb-pain', 'torsion')
  expect(rules).toEqual(['joint-limb-pain.torsion', 'joint-limb-pain.slipped-hip'])
  expect(say).toBe(`${spoken.say('alarm.Level2.say')} ${wordsOf('joint-limb-pain.slipped-hip')}`)
})
