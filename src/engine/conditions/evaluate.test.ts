import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Expression, Fact, Value } from '../content.ts'
import { collectFacts } from '../deciding/facts.ts'
import { type Conditions, numberConditions, type Test } from './conditions.ts'
import { ABSENT, type Answered, NO, PENDING, type Standing, Truths, truthOf, UNSURE, YES } from './evaluate.ts'
import { PendingQuestions } from './pending-questions.ts'

const IDS = ['a', 'b', 'c', 'd']

/** A condition that stands alone. */
function conditionOf(expression: Expression): { test: Test; conditions: Conditions } {
  const { prepare, finish } = numberConditions({
    question: (id) => IDS.indexOf(id),
    finding: () => ['const', true],
    offered: () => undefined,
  })
  const test = prepare(expression)
  return { test, conditions: finish() }
}

type Known = Record<string, readonly [Standing, Value]>

function findings(conditions: Conditions, known: Known) {
  const at = (slot: number) => known[IDS[slot] ?? ''] ?? [PENDING, null]
  const answered: Answered = { standing: (slot) => at(slot)[0], value: (slot) => at(slot)[1] }
  return {
    ...answered,
    conditions,
    truths: new Truths(conditions, answered),
    slotCount: IDS.length,
    waitsFor: () => [],
  }
}

function truth(expression: Expression, known: Known) {
  const { test, conditions } = conditionOf(expression)
  return truthOf(findings(conditions, known).truths.of(test))
}

const STATES: Record<string, readonly [Standing, Value]> = {
  yes: [YES, true],
  no: [YES, false],
  pending: [PENDING, null],
  unsure: [UNSURE, null],
}

test('and: no beats pending beats unsure beats yes', () => {
  const order = ['yes', 'unsure', 'pending', 'no']
  for (const [i, a] of order.entries()) {
    for (const [j, b] of order.entries()) {
      const known = { a: STATES[a] ?? STATES.no, b: STATES[b] ?? STATES.no } as Known
      expect(truth(['and', ['is', 'a'], ['is', 'b']], known)).toBe(order[Math.max(i, j)])
    }
  }
})

test('or: yes beats pending beats unsure beats no', () => {
  const order = ['no', 'unsure', 'pending', 'yes']
  for (const [i, a] of order.entries()) {
    for (const [j, b] of order.entries()) {
      const known = { a: STATES[a] ?? STATES.no, b: STATES[b] ?? STATES.no } as Known
      expect(truth(['or', ['is', 'a'], ['is', 'b']], known)).toBe(order[Math.max(i, j)])
    }
  }
})

test('a question that does not apply makes comparisons false and their negation true', () => {
  const known: Known = { a: [ABSENT, null] }
  for (const expression of [
    ['is', 'a'],
    ['eq', 'a', 'x'],
    ['has', 'a', 'x'],
    ['any', 'a'],
    ['known', 'a'],
    ['compare', ['number', 'a'], '<', 5],
    ['compare', ['number', 'a'], '>=', 5],
  ] as Expression[]) {
    expect(truth(expression, known)).toBe('no')
    expect(truth(['not', expression], known)).toBe('yes')
  }
  expect(truth(['compare', ['count', 'a'], '==', 0], known)).toBe('yes')
})

test('"none of these" is no choice', () => {
  expect(truth(['any', 'a'], { a: [YES, ['none']] })).toBe('no')
  expect(truth(['any', 'a'], { a: [YES, ['x']] })).toBe('yes')
  expect(truth(['compare', ['count', 'a'], '>=', 1], { a: [YES, ['none']] })).toBe('no')
})

test('durations are compared whatever their unit', () => {
  const weeks: Expression = ['compare', ['minutes', 'a'], '>', 7 * 1440]
  expect(truth(weeks, { a: [YES, { amount: 8, unit: 'days' }] })).toBe('yes')
  expect(truth(weeks, { a: [YES, { amount: 1, unit: 'weeks' }] })).toBe('no')
})

test('an age in months does not trip over fractions', () => {
  for (let month = 0; month < 24; month++) {
    expect(truth(['compare', ['months', 'a'], '>=', month], { a: [YES, month / 12] })).toBe('yes')
    expect(truth(['compare', ['months', 'a'], '<', month], { a: [YES, month / 12] })).toBe('no')
  }
})

/** Every way the open answers could turn out; null stays unknown forever. */
function worlds(known: Known, open: Standing): Known[] {
  let all: Known[] = [{}]
  for (const [id, state] of Object.entries(known)) {
    const ways: (readonly [Standing, Value])[] =
      state[0] === open
        ? [
            [YES, true],
            [YES, false],
          ]
        : [state]
    all = all.flatMap((world) => ways.map((way) => ({ ...world, [id]: way })))
  }
  return all
}

test('atLeast says unknown exactly when the unknown ones could decide either way', () => {
  const states = fc.constantFrom('yes', 'no', 'pending', 'unsure')
  fc.assert(
    fc.property(fc.array(states, { minLength: 4, maxLength: 4 }), fc.integer({ min: 1, max: 4 }), (given, least) => {
      const known: Known = Object.fromEntries(
        IDS.map((id, at) => [id, STATES[given[at] ?? 'no'] ?? ([YES, false] as const)]),
      )
      const expression: Expression = ['atLeast', least, ...IDS.map((id): Expression => ['is', id])]
      const settled = worlds(known, PENDING).flatMap((world) => worlds(world, UNSURE))
      const outcomes = new Set(settled.map((world) => truth(expression, world)))
      const said = truth(expression, known)
      if (outcomes.size === 1) expect(said).toBe([...outcomes][0])
      else expect(['pending', 'unsure']).toContain(said)
      if (said === 'unsure') {
        const afterAsking = new Set(worlds(known, PENDING).map((world) => truth(expression, world)))
        expect([...afterAsking]).toEqual(['unsure'])
      }
    }),
    { numRuns: 500 },
  )
})

const expressions: fc.Arbitrary<Expression> = fc.letrec<{ tree: Expression }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(...IDS).map((id): Expression => ['is', id]),
    tie('tree').map((inner): Expression => ['not', inner]),
    fc.array(tie('tree'), { minLength: 2, maxLength: 3 }).map((parts): Expression => ['and', ...parts]),
    fc.array(tie('tree'), { minLength: 2, maxLength: 3 }).map((parts): Expression => ['or', ...parts]),
  ),
})).tree

test('a condition that is said to be known stays so, however the unknown turns out', () => {
  const states = fc.array(fc.constantFrom('yes', 'no', 'pending', 'unsure'), { minLength: 4, maxLength: 4 })
  fc.assert(
    fc.property(expressions, states, (expression, given) => {
      const known: Known = Object.fromEntries(
        IDS.map((id, at) => [id, STATES[given[at] ?? 'no'] ?? ([YES, false] as const)]),
      )
      const said = truth(expression, known)
      if (said === 'pending') return
      for (const world of worlds(known, PENDING)) expect(truth(expression, world)).toBe(said)
    }),
    { numRuns: 1000 },
  )
})

test('a pending condition always names a question to ask, and only pending ones', () => {
  const states = fc.array(fc.constantFrom('yes', 'no', 'pending', 'unsure'), { minLength: 4, maxLength: 4 })
  fc.assert(
    fc.property(expressions, states, (expression, given) => {
      const known: Known = Object.fromEntries(
        IDS.map((id, at) => [id, STATES[given[at] ?? 'no'] ?? ([YES, false] as const)]),
      )
      const { test, conditions } = conditionOf(expression)
      const seen = findings(conditions, known)
      if (seen.truths.of(test) !== PENDING) return
      const needs = new PendingQuestions(seen)
      needs.add(test)
      expect(needs.slots.length).toBeGreaterThan(0)
      for (const slot of needs.slots) expect(seen.standing(slot)).toBe(PENDING)
    }),
    { numRuns: 1000 },
  )
})

test('the facts behind a condition are the answers that make it what it is', () => {
  const { test, conditions } = conditionOf(['or', ['has', 'a', 'drooling'], ['has', 'a', 'stridor']])
  const facts: Fact[] = []
  collectFacts(test, findings(conditions, { a: [YES, ['drooling', 'hoarse']] }), facts)
  expect(facts).toEqual([{ question: 'a', value: ['drooling', 'hoarse'], option: 'drooling', state: 'present' }])
  expect(truthOf(NO)).toBe('no')
})
