import { test } from 'vitest'
import { deliverOnThreeNodes } from './many.ts'

test('F18: three nodes on one database deliver 10,000 due events, none twice and none missing', () =>
  deliverOnThreeNodes(10_000))
