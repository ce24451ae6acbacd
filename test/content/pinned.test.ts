import { test } from 'vitest'
import { activateWhileOpen } from './pinned.ts'

test(
  'F24: a release activated while 40 sessions are open touches none of them, byte for byte; new ones begin with it',
  () => activateWhileOpen(40),
  600_000,
)
