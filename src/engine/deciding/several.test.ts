import { beforeAll, describe, expect, test } from 'vitest'
import { realContent } from '../../../test/world/content.ts'
import { denyAll } from '../../../test/world/denying.ts'
import { play, randomPatient } from '../check/simulated-patients.ts'
import type { Answer } from '../content.ts'
import { interview } from '../interview.ts'
import type { Content } from '../load.ts'
import { conclude } from './conclude.ts'

let content: Content
beforeAll(async () => {
  content = (await realContent()).content
})

const PAIRS = [
  ['sting-allergy', 'rash'],
  ['urine', 'pregnancy'],
  ['nose-sinus', 'eye'],
  ['cough-cold', 'sore-throat'],
  ['breathlessness', 'chest-pain'],
  ['bowel', 'abdominal-pain'],
]
const SEEDS = Array.from({ length: 25 }, (_, seed) => seed)
const patients = () => PAIRS.flatMap((pair) => SEEDS.map((seed) => randomPatient(content, pair, seed)))

describe('of several complaints', () => {
  test('none asks on after “anything else?”', () => {
    const sectionOf = (id: string) => content.questions[content.slotOf.get(id) ?? -1]?.question.section
    let noted = 0
    for (const patient of patients()) {
      const sections = play(content, patient).answers.map(({ question }) => sectionOf(question))
      const first = sections.indexOf('note')
      if (first < 0) continue
      noted++
      expect(new Set(sections.slice(first))).toEqual(new Set(['note']))
    }
    expect(noted).toBeGreaterThan(50)
  })

  test('a list of signs has the heading of a complaint only where that one asks for all of them', () => {
    let mixed = 0
    for (const patient of patients()) {
      const answers: Answer[] = []
      const { screens, outcome } = play(content, patient)
      for (const screen of screens) {
        const step = interview(content, answers)
        answers.push(...screen)
        const title = step.kind === 'ask' && step.stage === 'chat' ? (step.title ?? '') : ''
        if (title === 'screen.signs') mixed++
        const asking = content.complaints.get(/^complaint\.(.+)\.heading$/.exec(title)?.[1] ?? '')
        if (!asking) continue
        const others = outcome?.complaints.flatMap((id) => content.complaints.get(id) ?? []) ?? []
        const isForeign = (slot: number) => !asking.gates.has(slot) && others.some(({ gates }) => gates.has(slot))
        expect(screen.filter(({ question }) => isForeign(content.slotOf.get(question) ?? -1))).toEqual([])
      }
    }
    expect(mixed).toBeGreaterThan(10)
  })

  test('beside the question how long all of it has lasted only a complaint that needs its own answer asks that too', () => {
    let times = 0
    for (const pair of [['baby', 'bowel'], ...PAIRS])
      for (const seed of SEEDS)
        for (const screen of play(content, randomPatient(content, pair, seed)).screens) {
          const asked = screen.flatMap(({ question }) => content.release.questions[question] ?? [])
          if (!asked.some(({ id }) => id === 'duration')) continue
          times++
          expect(asked.filter(({ sameAs, own }) => sameAs === 'duration' && own !== true)).toEqual([])
        }
    expect(times).toBeGreaterThan(10)
  })

  test('what means the same is said once, and not again as advice where it is to be done first', () => {
    const { saidOnce = [] } = content.release
    let merged = 0
    for (const patient of patients()) {
      const { advice, safetyNet, firstActions, complaints } = conclude(content, play(content, patient).answers)
      for (const paths of [advice, safetyNet]) {
        const ids = paths.map((path) => path.split('.')[2] ?? '')
        const once = ids.filter((id) => saidOnce.includes(id))
        expect(once).toEqual([...new Set(once)])
        expect(ids.filter((id) => firstActions.includes(`first.${id}`))).toEqual([])
      }
      if (complaints.length > 1 && safetyNet.some((path) => path.endsWith('.until-help'))) merged++
    }
    expect(merged).toBeGreaterThan(10)
  })
})

test('what the rows of this screen and those denied before make up is no row of its own', () => {
  const child = { for_whom: 'other', age: 3, sex: 'male', issue_type: 'regular', matter: 'x' }
  const { screens } = denyAll(content, [], { ...child, complaints: ['child-fever', 'rash'], fever: 'feels-hot' })
  const asked = screens.flat()
  expect(asked).toContain('limp')
  expect(asked).toContain('hard_to_wake')
  expect(asked).not.toContain('child_collapsed')
})
