import { expect, test } from 'vitest'
import { NO, YES } from '../conditions/evaluate.ts'
import type { Level, Rule } from '../content.ts'
import type { LoadedFirstAction } from '../load.ts'
import { firstActionsOf as firstActionsFor } from './first-actions.ts'

const rule = (level: Level, ...first: string[]): Rule => ({
  id: first.join('-'),
  level,
  when: ['const', true],
  ifUnsure: 'ignore',
  first,
  sources: [],
  place: ['test', 1],
})

const actions: LoadedFirstAction[] = [
  { id: 'lie', unless: ['sit'], when: undefined },
  { id: 'fast', unless: ['sugar'], instead: 'sugar', when: 0 },
  { id: 'sips', unless: ['fast'], when: undefined },
]
const firstActionsOf = (rules: readonly Rule[], isTrue = false) =>
  firstActionsFor(rules, {
    content: { firstActions: new Map(actions.map((one) => [one.id, one])) },
    truths: { of: () => (isTrue ? YES : NO) },
  })

test('what to do first: the most urgent danger leads, the foremost of each comes before the second of any, nothing twice', () => {
  const rules = [rule('Level2', 'sit', 'rest'), rule('Level1', 'press', 'lay'), rule('Level1', 'cpr', 'press')]
  expect(firstActionsOf(rules)).toEqual(['first.press', 'first.cpr', 'first.lay'])
  expect(firstActionsOf(rules.slice(0, 2))).toEqual(['first.press', 'first.lay', 'first.sit', 'first.rest'])
})

test('of two that contradict each other only one is said, where the other would have stood', () => {
  const rules = [rule('Level1', 'lie', 'press'), rule('Level1', 'call', 'sit')]
  expect(firstActionsOf(rules)).toEqual(['first.sit', 'first.call', 'first.press'])
  expect(firstActionsOf(rules.slice(0, 1))).toEqual(['first.lie', 'first.press'])
})

test('who needs another word hears that one instead', () => {
  expect(firstActionsOf([rule('Level2', 'fast')], true)).toEqual(['first.sugar'])
  expect(firstActionsOf([rule('Level2', 'fast')])).toEqual(['first.fast'])
})

test('one that gives way to one that gives way is not said beside what wins', () => {
  const rules = [rule('Level1', 'sips', 'stay'), rule('Level1', 'fast'), rule('Level1', 'sugar')]
  expect(firstActionsOf(rules)).toEqual(['first.sugar', 'first.stay'])
  expect(firstActionsOf(rules.slice(0, 2))).toEqual(['first.fast', 'first.stay'])
})

test('nothing is done first against what can wait', () => {
  expect(firstActionsOf([rule('Level4', 'sit')])).toEqual([])
})
