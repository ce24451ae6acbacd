import { expect, test } from 'vitest'
import { nearest } from '../compile/reading.ts'
import { differences } from './differences.ts'

test('a letter left out, added, changed or swapped with its neighbour is one difference', () => {
  for (const slip of ['fver', 'feever', 'fevar', 'fevre']) expect(differences('fever', slip, 3), slip).toBe(1)
  expect([differences('fever', 'fever', 3), differences('fever', 'fvre', 3)]).toEqual([0, 2])
})

test('what differs too much is not counted to the end', () => {
  expect(differences('fever', 'cough', 2)).toBe(3)
  expect(differences('fever', 'fever_since', 2)).toBe(3)
})

test('an author is offered the nearest name, and none when nothing is near', () => {
  const known = ['fever_since', 'fever', 'cough']
  expect(['fevre', 'fever_sinse', 'coughs', 'rash'].map((word) => nearest(word, known))).toEqual([
    'fever',
    'fever_since',
    'cough',
    undefined,
  ])
})
