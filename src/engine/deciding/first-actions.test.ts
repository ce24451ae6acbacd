import { expect, test } from 'vitest'
import type { Level, Rule } from '../content.ts'
import { firstActionsOf } from './first-actions.ts'

const rule = (level: Level, ...first: string[]): Rule => ({
  id: first.join('-'),
  level,
  when: ['const', true],
  ifUnsure: 'ignore',
  first,
  sources: [],
  place: ['test', 1],
})

test('what to do first: the most urgent danger leads, the foremost of each comes before the second of any, nothing twice', () => {
  const rules = [rule('Level2', 'sit', 'rest'), rule('Level1', 'press', 'lie'), rule('Level1', 'cpr', 'press')]
  expect(firstActionsOf(rules)).toEqual(['first.press', 'first.cpr', 'first.lie'])
  expect(firstActionsOf(rules.slice(0, 2))).toEqual(['first.press', 'first.lie', 'first.sit', 'first.rest'])
})

test('what contradicts each other is not said together: the foremost of the group stays, whoever asked first', () => {
  const rules = [rule('Level1', 'sips', 'stay'), rule('Level1', 'nothing'), rule('Level1', 'sips', 'door')]
  expect(firstActionsOf(rules, [['nothing', 'sips']])).toEqual(['first.nothing', 'first.stay', 'first.door'])
  expect(firstActionsOf(rules.slice(0, 1), [['nothing', 'sips']])).toEqual(['first.sips', 'first.stay'])
})

test('nothing is done first against what can wait', () => {
  expect(firstActionsOf([rule('Level4', 'sit')])).toEqual([])
})
