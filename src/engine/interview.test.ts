import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { realContent } from '../../test/world/content.ts'
import { goOn, INTAKE, WELL } from '../../test/world/sore-throat.ts'
import { checkAnswer, checkAnswers } from './answers.ts'
import { findLowered } from './check/monotone.ts'
import { negativeAnswer } from './check/run-case.ts'
import { foreignValues } from './check/same-and-only.ts'
import { chance, play, randomPatient } from './check/simulated-patients.ts'
import type { Answer, Value } from './content.ts'
import { conclude } from './deciding/conclude.ts'
import { interview } from './interview.ts'
import { type Content, loadContent } from './load.ts'
import { answerScreen } from './screens.ts'

let content: Content
beforeAll(async () => {
  content = (await realContent()).content
})

const answers = (said: Record<string, Value>): Answer[] =>
  Object.entries(said).map(([question, value]) => ({ question, value }))

/** The number of answers up to the end of the screen with this question. */
function screenEnd(said: readonly Answer[], question: string): number {
  let at = 0
  while (at < said.length) {
    const step = interview(content, said.slice(0, at))
    const asked = step.kind === 'ask' ? step.questions.map(({ id }) => id) : []
    const begin = at
    while (at < said.length && asked.includes(said[at]?.question ?? '')) at++
    if (at === begin) break
    if (said.slice(begin, at).some((answer) => answer.question === question)) return at
  }
  return at
}

describe('order', () => {
  test('asks who, what, then the emergency check, then the complaint, then ends for review', () => {
    const { said, step } = goOn(content, answers({}), { ...INTAKE, ...WELL })
    const stages = step.ledger.map(({ stage }) => stage)
    expect(said.slice(0, 6).map(({ question }) => question)).toEqual([
      'for_whom',
      'age',
      'sex',
      'matter',
      'issue_type',
      'complaints',
    ])
    expect(stages.indexOf('emergency')).toBe(6)
    expect(stages.indexOf('chat')).toBeGreaterThan(stages.indexOf('emergency'))
    // The last look comes when everything else is settled; only words for the clinic follow it.
    expect(stages.lastIndexOf('emergency')).toBeGreaterThan(stages.indexOf('chat'))
    expect(said.slice(stages.lastIndexOf('emergency') + 1).map(({ question }) => question)).toEqual([
      'photos',
      'anything_else',
    ])
    expect(step).toMatchObject({
      kind: 'done',
      stage: 'review',
      outcome: { level: 'Level8', complete: true, issueType: 'Regular' },
    })
  })

  test('another matter has its own questionnaire, no emergency check and no urgency', () => {
    const { step } = goOn(content, answers({ ...INTAKE, issue_type: 'prescription' }), {})
    expect(step.ledger.some(({ question }) => question === 'emergency_signs')).toBe(false)
    expect(step.obsolete).toContain('complaints')
  })

  test('a value given beforehand is offered for confirmation and is no answer yet', () => {
    const step = interview(content, answers({ for_whom: 'self' }), { age: 41, sex: 'unknown' })
    expect(step).toMatchObject({ kind: 'ask', questions: [{ id: 'age', given: 41 }, { id: 'sex' }] })
    expect(step.kind === 'ask' && step.questions[1]).not.toHaveProperty('given')
  })

  test('progress tells how many are answered and never says none are left while asking', () => {
    let said = answers(INTAKE)
    for (let steps = 0; steps < 40; steps++) {
      const step = interview(content, said)
      if (step.kind === 'done') break
      expect(step.progress.answered).toBe(said.length)
      expect(step.progress.left).toBeGreaterThan(0)
      const told = answerScreen(step.questions, (one) => ({ ...WELL })[one.id] ?? negativeAnswer(one))
      said = [...said, ...told.map(({ question, value }) => ({ question, value: value ?? null }))]
    }
  })
})

describe('alarms', () => {
  test('a true rule of Level1 is reported with the answer that makes it true, and the interview can go on', () => {
    const { said } = goOn(content, answers(INTAKE), { saliva_not_swallowed: true })
    const at = said.findIndex(({ question }) => question === 'saliva_not_swallowed')
    expect(interview(content, said.slice(0, at)).alarms).toEqual([])
    const step = interview(content, said.slice(0, at + 1))
    const saliva = [{ question: 'saliva_not_swallowed', value: true, state: 'present' }]
    expect(step.alarms).toEqual([{ level: 'Level1', complaint: 'sore-throat', rule: 'airway', answers: saliva }])
    expect(step.firstActions[0]).toBe('first.sit-up')
    expect(step.kind).toBe('ask')
  })

  test('after a Level1 alarm only what the summary needs is asked', () => {
    const { said } = goOn(content, answers(INTAKE), { saliva_not_swallowed: true, ...WELL })
    const always = content.complaints
      .get('sore-throat')
      ?.complaint.questions.filter(({ ask }) => ask === 'always')
      .map(({ id }) => id)
    const after = said.slice(screenEnd(said, 'saliva_not_swallowed')).map(({ question }) => question)
    expect(after.length).toBeGreaterThan(0)
    for (const question of after) expect(always).toContain(question)
  })

  test('stopping ends with the urgency of the alarm, and names the red flags that were not asked', () => {
    const { said } = goOn(content, answers(INTAKE), { saliva_not_swallowed: true })
    const stopped = said.slice(0, screenEnd(said, 'saliva_not_swallowed'))
    const outcome = conclude(content, stopped)
    expect(outcome).toMatchObject({ level: 'Level1', flag: 'red', complete: false })
    expect(outcome.redFlags).toContainEqual({ question: 'saliva_not_swallowed', state: 'present' })
    expect(outcome.redFlags).toContainEqual({ question: 'stridor_at_rest', state: 'denied' })
    expect(outcome.redFlags).toContainEqual({ question: 'weight_loss', state: 'not-asked' })
  })

  test('stopping without an alarm sets no urgency', () => {
    expect(conclude(content, answers(INTAKE))).toMatchObject({ level: null, flag: null, complete: false, reasons: [] })
  })

  test('a Level4 rule is a warning, not an alarm', () => {
    const { step } = goOn(content, answers(INTAKE), { ...WELL, pain_severity: 9 })
    expect(step.alarms).toEqual([])
    const severe = [{ question: 'pain_severity', value: 9, state: 'present' }]
    expect(step.warnings).toEqual([{ level: 'Level4', complaint: 'sore-throat', rule: 'severe-pain', answers: severe }])
    expect(step.firstActions).toEqual([])
    expect(step).toMatchObject({ outcome: { level: 'Level4', flag: 'warning' } })
  })
})

describe('not sure', () => {
  test('of a rule of Level1–3 is Level4 under its own name, and its plain "yes" stays what it was', () => {
    const said = { ...INTAKE, ...WELL, complaints: ['sore-throat'] }
    const outcomeWith = (value: Value) =>
      conclude(content, goOn(content, answers(INTAKE), { ...said, mouth_hardly_opens: value }).said)
    expect(outcomeWith(true)).toMatchObject({ level: 'Level2', reasons: [{ rule: 'deep-infection', unsure: false }] })
    const unsure = outcomeWith(null)
    expect(unsure.level).toBe('Level4')
    expect(unsure.reasons).toContainEqual(expect.objectContaining({ rule: 'deep-infection', unsure: true }))
  })
})

describe('conditions to consider', () => {
  test('a sign that would speak for one and was denied speaks against it', () => {
    const { said } = goOn(content, answers(INTAKE), { ...WELL, neck_swollen_or_head_tilted: true })
    const found = conclude(content, said).considerations.find(
      ({ differential }) => differential === 'deep-neck-infection',
    )
    expect(found?.for.map(({ question }) => question)).toEqual(['neck_swollen_or_head_tilted'])
    expect(found?.against).toContainEqual({ question: 'stiff_neck', value: false, state: 'denied' })
    expect(found?.against.filter(({ question }) => question === 'neck_swollen_or_head_tilted')).toEqual([])
  })
})

describe('edits', () => {
  test('an edited answer replaces the earlier one; what no longer applies is obsolete, the rest is kept', () => {
    const { said } = goOn(content, answers(INTAKE), { ...WELL, fever: 'measured', temperature: 38.4 })
    const edited = interview(content, [...said, { question: 'fever', value: 'no' }])
    expect(edited.obsolete).toEqual(['temperature'])
    expect(edited.ledger.find(({ question }) => question === 'fever')?.value).toBe('no')
    expect(edited.ledger.length).toBe(said.length - 1)
  })

  test('an edit that makes the chosen complaint impossible asks for the complaint again', () => {
    const { said } = goOn(content, answers(INTAKE), WELL)
    const edited = interview(content, [...said, { question: 'age', value: 0.3 }])
    expect(edited).toMatchObject({ kind: 'ask', questions: [{ id: 'complaints' }] })
    expect(edited.obsolete).toContain('complaints')
    expect(edited.kind === 'ask' && edited.questions[0]?.offered).not.toContain('sore-throat')
  })

  test('going back and forth ends in the same bytes', () => {
    const { said } = goOn(content, answers(INTAKE), WELL)
    const detour = [...said, { question: 'pain_severity', value: 9 }, { question: 'pain_severity', value: 3 }]
    expect(JSON.stringify(interview(content, detour))).toBe(JSON.stringify(interview(content, said)))
  })

  test('an answer to a question this content does not have is reported and not used', () => {
    const step = interview(content, [...answers(INTAKE), { question: 'gone_question', value: true }])
    expect(step.obsolete).toEqual(['gone_question'])
  })
})

describe('several complaints', () => {
  test('shared questions are asked once, the most urgent level wins, and what one complaint learns counts for the other', () => {
    const both = { ...INTAKE, matter: '', complaints: ['sore-throat', 'general'] }
    const seen: string[] = []
    let said = answers(both)
    for (let seed = 1; seed < 30; seed++) {
      const played = play(content, randomPatient(content, both.complaints, seed))
      expect(new Set(played.answers.map(({ question }) => question)).size).toBe(played.answers.length)
      const alone = both.complaints.map((complaint) => play(content, overWorld(complaint, played.answers, seed)).rank)
      expect(played.rank).toBeLessThanOrEqual(Math.min(...alone))
      seen.push(...played.answers.map(({ question }) => question))
    }
    expect(seen).toContain('saliva_not_swallowed')
    said = [...said]
    expect(checkAnswer(content, said.slice(0, 5), { question: 'complaints', value: ['a', 'b', 'c', 'd'] }).ok).toBe(
      false,
    )
  })

  function overWorld(complaint: string, known: readonly Answer[], seed: number) {
    const other = randomPatient(content, [complaint], seed)
    return (question: Parameters<typeof other>[0]) => {
      if (question.id === 'complaints') return [complaint]
      return known.find((answer) => answer.question === question.id)?.value ?? other(question)
    }
  }
})

describe('sex', () => {
  test('Other is asked about the body only when something needs to know', () => {
    const well = goOn(content, answers({ ...INTAKE, sex: 'other' }), WELL)
    expect(well.said.map(({ question }) => question)).not.toContain('anatomy')
    const feverish = goOn(content, answers({ ...INTAKE, sex: 'other' }), {
      ...WELL,
      fever: 'measured',
      temperature: 39.4,
      anatomy: ['womb'],
    })
    const asked = feverish.said.map(({ question }) => question)
    expect(asked).toContain('pregnancy')
    expect(asked.indexOf('anatomy')).toBeLessThan(asked.indexOf('pregnancy'))
  })

  test('a man is never asked about pregnancy', () => {
    for (let seed = 1; seed < 20; seed++) {
      const world = randomPatient(content, ['sore-throat'], seed)
      const played = play(content, (question) => (question.id === 'sex' ? 'male' : world(question)))
      expect(played.answers.map(({ question }) => question)).not.toContain('pregnancy')
    }
  })
})

describe('the safety rules, on patients made up by chance', () => {
  const seeds = fc.integer({ min: 1, max: 1_000_000 })
  const complaintsBy = (seed: number) => {
    const all = [...content.complaints.values()]
      .filter(({ complaint }) => complaint.kind !== 'emergency')
      .map(({ complaint }) => complaint.id)
    const first = all[Math.floor(chance(`${seed} first`) * all.length)] ?? 'general'
    const second = chance(`${seed} second`) < 0.2 ? all[Math.floor(chance(`${seed} other`) * all.length)] : undefined
    const isMedical = (id: string | undefined) =>
      ['complaint', 'general'].includes(content.complaints.get(id ?? '')?.complaint.kind ?? '')
    return isMedical(first) && isMedical(second) && second && second !== first ? [first, second] : [first]
  }

  test('rule 1: every interview ends with an outcome', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const played = play(content, randomPatient(content, complaintsBy(seed), seed))
        expect(played.outcome?.complete).toBe(true)
      }),
      { numRuns: 150 },
    )
  })

  test('rule 2: neither a red flag nor "don’t know" ever lowers the level', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const complaints = complaintsBy(seed)
        expect(findLowered(content, randomPatient(content, complaints, seed), complaints[0] ?? '')).toEqual([])
      }),
      { numRuns: 15 },
    )
  })

  test('rule 5: an answer that was not offered is refused with a sentence and changes nothing', () => {
    fc.assert(
      fc.property(seeds, fc.nat(), (seed, place) => {
        const { screens } = play(content, randomPatient(content, complaintsBy(seed), seed))
        const at = place % screens.length
        const said = screens.slice(0, at).flat()
        const question = content.release.questions[screens[at]?.[0]?.question ?? '']
        if (!question) return
        const before = JSON.stringify(interview(content, said))
        for (const value of foreignValues(question)) {
          const checked = checkAnswer(content, said, { question: question.id, value })
          expect(checked, `${question.id} ${JSON.stringify(value)}`).toMatchObject({
            ok: false,
            code: 'invalid-answer',
            message: expect.stringContaining(question.id),
          })
        }
        expect(JSON.stringify(interview(content, said))).toBe(before)
      }),
      { numRuns: 100 },
    )
  })

  test('rule 5: a question that is not asked now is refused', () => {
    expect(checkAnswer(content, answers(INTAKE), { question: 'throat_cough', value: true })).toMatchObject({
      ok: false,
      code: 'unexpected-question',
    })
    expect(checkAnswer(content, answers(INTAKE), { question: 'no_such', value: true })).toMatchObject({
      ok: false,
      code: 'unknown-question',
    })
    expect(checkAnswer(content, answers(INTAKE), { question: 'age', value: 31 })).toEqual({ ok: true, value: 31 })
  })

  test('rule 5: what is offered is taken, in one canonical form', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const { screens } = play(content, randomPatient(content, complaintsBy(seed), seed))
        for (const [at, screen] of screens.entries())
          expect(checkAnswers(content, screens.slice(0, at).flat(), screen).ok, JSON.stringify(screen)).toBe(true)
      }),
      { numRuns: 30 },
    )
    const { said } = goOn(content, answers(INTAKE), { ...WELL, throat_cough: false, fever: 'feels-hot' })
    const at = said.findIndex(({ question }) => question === 'throat_look')
    expect(
      checkAnswer(content, said.slice(0, at), { question: 'throat_look', value: ['blisters', 'coating'] }),
    ).toEqual({ ok: true, value: ['coating', 'blisters'] })
  })

  test('rule 6: the same answers give the same bytes, from the files and from a stored release', () => {
    const stored = loadContent(JSON.parse(JSON.stringify(content.release)))
    fc.assert(
      fc.property(seeds, fc.nat(), (seed, place) => {
        const { answers: said } = play(content, randomPatient(content, complaintsBy(seed), seed))
        const some = said.slice(0, place % (said.length + 1))
        expect(JSON.stringify(interview(stored, some))).toBe(JSON.stringify(interview(content, some)))
        expect(JSON.stringify(conclude(stored, some))).toBe(JSON.stringify(conclude(content, some)))
      }),
      { numRuns: 30 },
    )
  })
})
