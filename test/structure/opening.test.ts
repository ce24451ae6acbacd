import { expect, test } from 'vitest'
import { isTest, sourcesBelow, withoutComments } from './sources.ts'

const sources = sourcesBelow('src').filter(({ path }) => !isTest(path))
const mentioning = (name: RegExp): string[] =>
  sources
    .filter(({ text }) => name.test(withoutComments(text)))
    .map(({ path }) => path)
    .sort()

test('A16: sessions are opened by the audited reads, for their own user, and by the service that ends what was left; nowhere else', () => {
  expect(mentioning(/\b(openSession|openDoor)\b/)).toEqual([
    'src/session/enter/entry.ts',
    'src/session/interview/user.ts',
    'src/session/open.ts',
    'src/session/read.ts',
    'src/session/upkeep/left.ts',
    'src/session/worklist.ts',
  ])
  expect(mentioning(/\bopenUser\b/).filter((path) => path.startsWith('src/http/'))).toEqual(['src/http/triage/user.ts'])
})

test('seals of sessions are opened with them, for a file that was listed, and by verifying, which tells nothing of what they hold', () => {
  expect(mentioning(/\bSessionSeal\.open\b/)).toEqual([
    'src/http/files.ts',
    'src/session/open.ts',
    'src/session/verify.ts',
  ])
})
