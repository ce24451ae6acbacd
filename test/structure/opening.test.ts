import { expect, test } from 'vitest'
import { isTest, sourcesBelow, withoutComments } from './sources.ts'

const sources = sourcesBelow('src').filter(({ path }) => !isTest(path))
const mentioning = (name: RegExp): string[] =>
  sources
    .filter(({ text }) => name.test(withoutComments(text)))
    .map(({ path }) => path)
    .sort()

test('A16: sessions are opened by the two audited reads, for their own user, and by the service that ends what was left; nowhere else', () => {
  expect(mentioning(/\b(openSession|openDoor)\b/)).toEqual([
    'src/session/interview/user.ts',
    'src/session/open.ts',
    'src/session/read.ts',
    'src/session/upkeep/left.ts',
  ])
  expect(mentioning(/\bopenUser\b/).filter((path) => path.startsWith('src/http/'))).toEqual(['src/http/triage/user.ts'])
})
