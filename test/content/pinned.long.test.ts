import { test } from 'vitest'
import { activateWhileOpen } from './pinned.ts'

test(
  'F24: a release activated while 1,000 sessions are open touches none of them, byte for byte; new ones begin with it',
  () => activateWhileOpen(1_000),
  1_800_000,
)
