import { expect, test } from 'vitest'
import { Problem } from '../problems.ts'
import { budgetOf, RateLimit } from './rate-limits.ts'

test('A08 an IPv6 address counts on its /64, however it is written', () => {
  const same = [
    '2001:db8:0:7::1',
    '2001:db8:0:7:ffff:ffff:ffff:ffff',
    '2001:0DB8:0000:0007:1:2:3:4',
    '2001:db8::7:0:0:0:1',
    '2001:db8:0:7::192.0.2.1',
  ]
  expect(new Set(same.map(budgetOf))).toEqual(new Set(['2001:db8:0:7::/64']))
  expect(budgetOf('2001:db8:0:8::1')).toBe('2001:db8:0:8::/64')
  expect(budgetOf('::1')).toBe('0:0:0:0::/64')
  expect(budgetOf('::')).toBe('0:0:0:0::/64')
  expect(budgetOf('fe80::1%eth0')).toBe('fe80:0:0:0::/64')
})

test('A08 an IPv4 address counts for itself, also when it comes as IPv6', () => {
  expect(budgetOf('192.0.2.1')).toBe('192.0.2.1')
  for (const mapped of ['::ffff:192.0.2.1', '::FFFF:c000:201', '0:0:0:0:0:ffff:192.0.2.1'])
    expect(budgetOf(mapped)).toBe('192.0.2.1')
  expect(budgetOf('::ffff:192.0.2.2')).toBe('192.0.2.2')
})

test('what is no address counts for itself', () => {
  for (const odd of ['', 'unknown', 'a:b', '::1::2', '1:2:3:4:5:6:7:8:9']) expect(budgetOf(odd)).toBe(odd)
})

test('A08 going through the addresses of one network does not help a guesser, and leaves the next network alone', () => {
  const limit = new RateLimit(3, 60_000)
  const from = (ip: string) => () => limit.takeFrom({ ip })
  for (const host of ['1', 'abcd', '1:2:3:4']) expect(from(`2001:db8::${host}`)).not.toThrow()
  expect(from('2001:db8::5')).toThrow(Problem)
  expect(from('2001:db8:0:1::5')).not.toThrow()
})
