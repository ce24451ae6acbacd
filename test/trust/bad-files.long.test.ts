import { test } from 'vitest'
import { BAD_FILES } from '../world/bad-files.ts'
import { expectJudged } from '../world/judged-files.ts'

test('A55: each file made to be slow is refused or told apart', () => expectJudged(BAD_FILES))
