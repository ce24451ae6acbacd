import { test } from 'vitest'
import { surviveKills } from './kills.ts'

test('F03 nothing acknowledged is lost over twenty kills under load', () => surviveKills(20))
