// @module-tag thorough
import { test } from 'vitest'
import { deliverOnThreeNodes } from './many.ts'

test('F18: three nodes on one database deliver 600 due events, none twice and none missing', () =>
  deliverOnThreeNodes(600))
