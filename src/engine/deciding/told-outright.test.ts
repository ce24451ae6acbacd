import { beforeAll, describe, expect, test } from 'vitest'
import { realContent } from '../../../test/world/content.ts'
import { negativeAnswer } from '../check/run-case.ts'
import { chance, play } from '../check/simulated-patients.ts'
import type { Value } from '../content.ts'
import { interview } from '../interview.ts'
import type { Content } from '../load.ts'

let content: Content
beforeAll(async () => {
  content = (await realContent()).content
})

/** What may bring the question about, ticked or not. */
const BRINGS_IT = [
  'low_2_weeks',
  'suicidal_thoughts',
  'child_says_wants_to_die',
  'self_made_wound',
  'overdose_on_purpose',
]
const SAYS_IT = ['suicide_thoughts']
const MATTERS = ['regular', 'prescription', 'certificate', 'admin']
/** With the last one they are not sure of anything that may bring it about. */
const UNSURE = 3
const SEEDS = [1, 2, UNSURE]

/** Someone who has nothing but what may bring the question about, and then says that they are about to do it. */
const deflecting =
  (complaint: string, matter: string, seed: number) =>
  (question: Parameters<typeof negativeAnswer>[0]): Value => {
    const random = chance(`${complaint} ${matter} ${seed} ${question.id}`)
    const offered = question.offered ?? question.options?.map(({ id }) => id) ?? []
    if (SAYS_IT.includes(question.id)) return 'now'
    if (question.id === 'issue_type') return matter
    if (question.id === 'new_trouble') return true
    if (question.id === 'complaints') return [complaint]
    if (question.id === 'age') return seed === 2 ? 54 : 15
    if (question.kind === 'duration') return { amount: 4, unit: 'weeks' }
    if (question.id === 'sex') return random < 0.5 ? 'female' : 'male'
    if (BRINGS_IT.includes(question.id)) return seed === UNSURE ? null : random < 0.4
    if (question.kind === 'sign') return false
    if (question.kind === 'many' && random < 0.7) return offered.filter((id) => id !== 'none').slice(0, 2)
    return negativeAnswer(question) ?? offered[0] ?? null
  }

/** What nobody reads, of how many who were asked. */
function ignoredIn(complaints: readonly string[]): { ignored: string[]; asked: number } {
  const ignored: string[] = []
  let asked = 0
  for (const id of complaints) {
    for (const matter of MATTERS) {
      for (const seed of SEEDS) {
        const { answers } = play(content, deflecting(id, matter, seed))
        const said = answers.findIndex(({ question }) => SAYS_IT.includes(question))
        if (said < 0) continue
        asked++
        const { alarms } = interview(content, answers.slice(0, said + 1))
        if (!alarms.some(({ level }) => level === 'Level1')) ignored.push(`${id}, ${matter}, ${seed}`)
      }
    }
  }
  return { ignored, asked }
}

describe('who says outright that they are about to end their life', () => {
  test('is told to call at once, whichever rows they left unticked and whoever asked', () => {
    const { ignored, asked } = ignoredIn(['sleep-fatigue', 'after-birth', 'abdominal-pain', 'poisoning'])
    expect(ignored).toEqual([])
    expect(asked).toBeGreaterThan(5)
  })

  test('is so whatever they come with', { tags: 'thorough' }, () => {
    const all = content.release.complaints.filter(({ kind }) => kind === 'complaint' || kind === 'general')
    const { ignored, asked } = ignoredIn(all.map(({ id }) => id))
    expect(ignored).toEqual([])
    expect(asked).toBeGreaterThan(30)
  })
})
