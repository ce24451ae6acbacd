import { beforeAll, expect, test } from 'vitest'
import { realContent } from '../../test/world/content.ts'
import { goOn, INTAKE, WELL } from '../../test/world/sore-throat.ts'
import type { Answer, Value } from './content.ts'
import { conclude } from './deciding/conclude.ts'
import { type Content, loadContent } from './load.ts'

let content: Content
beforeAll(async () => {
  content = (await realContent()).content
})

/** Sore throat, where having sought care before raises one rule. */
function raised(ruleId: string, ifUnsure: 'ignore' | 'apply' = 'ignore'): Content {
  const { release } = content
  const complaints = release.complaints.map((one) =>
    one.id === 'sore-throat'
      ? {
          ...one,
          modifiers: [
            { id: 'again', when: ['is', 'repeat_contact'] as const, rules: [ruleId], sources: [], place: one.place },
          ],
          questions: [...one.questions, { id: 'repeat_contact', ask: 'always' as const, place: one.place }],
          rules: one.rules.map((rule) => (rule.id === ruleId ? { ...rule, ifUnsure } : rule)),
        }
      : one,
  )
  return loadContent({ ...release, complaints })
}

/** A whole interview: these answers, "no" to everything else. */
const played = (asking: Content, more: Record<string, Value>): Answer[] =>
  goOn(asking, [], { ...INTAKE, ...WELL, ...more }).said

test('modifiers raise a rule by one level, name it once, and lower nothing', () => {
  const raising = raised('stuck')
  const told = played(raising, { something_stuck_in_throat: true, repeat_contact: true })
  expect(conclude(content, told)).toMatchObject({ level: 'Level4', reasons: [{ rule: 'stuck' }] })
  const outcome = conclude(raising, told)
  expect(outcome.level).toBe('Level3')
  expect([...outcome.reasons, ...outcome.alsoTrue].map(({ rule, level }) => [rule, level])).toEqual([
    ['stuck', 'Level3'],
  ])
  const without = played(raising, { something_stuck_in_throat: true, repeat_contact: false })
  expect(conclude(raising, without).level).toBe('Level4')
})

test('modifiers raise a rule that counts "not sure" as "yes" for "not sure" too', () => {
  const raising = raised('stuck', 'apply')
  const told = played(raising, { something_stuck_in_throat: null, repeat_contact: true })
  expect(conclude(raising, told).level).toBe('Level3')
})
