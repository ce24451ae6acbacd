import { describe, expect, test } from 'vitest'
import { realContent } from '../../../test/world/content.ts'
import { idsOf, NOTHING, writerOf } from '../../../test/world/writing.ts'
import { negativeAnswer } from '../check/run-case.ts'
import type { Answer, Expression, Language, Value } from '../content.ts'
import { interview } from '../interview.ts'
import { withHearing } from '../own-words/hearing.ts'
import { answerScreen } from '../screens.ts'

const { content } = await realContent()
const { written, take, denyAll } = writerOf(content)

describe('understood', () => {
  const HEARD = 'My throat has been sore for three days, fever of 38.5'

  test('what was heard is proposed with the menu, a follow-up behind what calls for it', () => {
    const step = interview(content, written(HEARD))
    expect(step).toMatchObject({ title: 'screen.understood', because: { kind: 'understood' } })
    expect(idsOf(step)).toEqual(['complaints', 'duration', 'fever', 'temperature'])
    expect(step.kind === 'ask' && step.questions[1]).toMatchObject({
      given: { amount: 3, unit: 'days' },
      proposal: { from: 'own-words', words: 'three days' },
    })
  })

  test('whoever wrote nothing gets the menu alone', () => {
    const step = interview(content, written(''))
    expect(step).toMatchObject({ because: { kind: 'intake' }, questions: [{ id: 'complaints' }] })
    expect(step).not.toHaveProperty('title')
  })

  test('confirmed facts are answers and asked nowhere again; what is left out is no answer and asked', () => {
    const confirmed = take(written(HEARD), {
      complaints: ['sore-throat'],
      duration: { amount: 3, unit: 'days' },
      fever: 'measured',
      temperature: 38.5,
    })
    expect(confirmed.slice(-3).map(({ from }) => from)).toEqual(['own-words', 'own-words', 'own-words'])
    const WELL = {
      pain_severity: 2,
      course: 'same',
      fluid_intake: 'normal',
      throat_duration: { amount: 3, unit: 'days' as const },
    }
    const { screens, said } = denyAll(confirmed, WELL)
    for (const id of ['duration', 'throat_duration', 'fever', 'temperature']) expect(screens.flat()).not.toContain(id)
    const end = interview(content, said)
    expect(end.obsolete).toEqual([])
    expect(end.ledger).toContainEqual(
      expect.objectContaining({ question: 'duration', value: { amount: 3, unit: 'days' } }),
    )
    const left = denyAll(take(written(HEARD), { complaints: ['sore-throat'] }), WELL)
    expect(left.screens.flat()).toEqual(expect.arrayContaining(['throat_duration', 'fever']))
  })

  test('a correction is the user’s own; a follow-up that nothing calls for any more is refused', () => {
    const corrected = take(written(HEARD), { complaints: ['sore-throat'], fever: 'no' })
    expect(corrected.at(-1)).toEqual({ question: 'fever', value: 'no', from: 'user' })
    expect(() => take(written(HEARD), { complaints: ['sore-throat'], fever: 'no', temperature: 38.5 })).toThrow()
    expect(() => take(written(HEARD), { duration: { amount: 3, unit: 'days' } })).toThrow(/complaints/)
  })

  test('one time answers every complaint, but not the one whose dangers hang on its own', () => {
    const times = ['throat_duration', 'cough_duration', 'belly_duration']
    const askedOf = (matter: string, complaints: string[], proposed: Record<string, Value> = {}) => {
      const { screens } = denyAll(take(written(matter), { complaints, ...proposed }))
      return screens.flat().filter((id) => times.includes(id))
    }
    const days = { duration: { amount: 3, unit: 'days' } } as const
    expect(askedOf(HEARD, ['sore-throat', 'cough-cold'], days)).toEqual([])
    expect(askedOf(HEARD, ['sore-throat', 'cough-cold', 'abdominal-pain'], days)).toEqual(['belly_duration'])
    // Of two times nobody knows which is of what: none is proposed, and each complaint asks its own.
    const two = 'My throat has been sore for three days and I have coughed for five weeks'
    expect(askedOf(two, ['sore-throat', 'cough-cold']).sort()).toEqual(['cough_duration', 'throat_duration'])
    expect(askedOf(two, ['sore-throat'])).toEqual(['throat_duration'])
    expect(askedOf('belly ache for three days, vomiting for two hours', ['abdominal-pain'])).toEqual(['belly_duration'])
    // Of one that lasts beside another time the complaint alone asks: whoever confirmed it was asked again.
    const beside = written('My belly has ached for two weeks, yesterday I could not eat')
    expect(beside.flatMap(({ heard }) => heard?.facts ?? [])).toMatchObject([{ value: { amount: 2 }, several: true }])
    expect(idsOf(interview(content, beside))).toEqual(['complaints'])
  })

  test('one time answers the only complaint beside a request too', () => {
    const asked = written('tummy bug since yesterday', undefined, 'certificate').map((answer) =>
      answer.question === 'new_trouble' ? { ...answer, value: true } : answer,
    )
    const said = take(asked, { complaints: ['vomiting-diarrhoea'], duration: { amount: 2, unit: 'days' } })
    expect(denyAll(said).screens.flat()).not.toContain('vomit_duration')
  })

  test('what rests on a time names the question that was asked', () => {
    const weeks = { amount: 3, unit: 'weeks' } as const
    const toldIn = (matter: string, complaint: string, more: Record<string, Value>) => {
      const said = take(written(matter), { complaints: [complaint], duration: weeks })
      const end = interview(content, denyAll(said, more).said)
      const reasons = end.kind === 'done' ? [...end.outcome.reasons, ...end.outcome.alsoTrue] : []
      return reasons.flatMap(({ answers }) => answers.map(({ question }) => question))
    }
    for (const told of [
      toldIn('my skin has been itching for three weeks', 'rash', { rash_kind: 'itch' }),
      toldIn('passing urine is odd for three weeks', 'urine', {}),
    ]) {
      expect(told).toContain('duration')
      expect(told.filter((id) => id.endsWith('_duration'))).toEqual([])
    }
  })

  test('what was confirmed before it is known whether it applies is not called obsolete', () => {
    const stung = written('a wasp stung my arm yesterday, it itches and is swollen')
    const said = take(stung, { complaints: ['sting-allergy'], sting_when: '6-to-48-hours' })
    expect(interview(content, said).obsolete).toEqual([])
    expect(interview(content, [...said, { question: 'sting_what', value: 'sting' }]).obsolete).toEqual([])
    expect(interview(content, [...said, { question: 'sting_what', value: 'pollen' }]).obsolete).toEqual(['sting_when'])
  })

  test('a time in a unit that the complaint does not offer is an answer all the same', () => {
    const said = take(written('coughing since this morning'), {
      complaints: ['cough-cold'],
      duration: { amount: 6, unit: 'hours' },
    })
    expect(denyAll(said).screens.flat()).not.toContain('cough_duration')
  })

  test('when it happened is proposed as the complaint that was heard asks it, and not asked again', () => {
    const burnt = written('I burnt my arm on the oven yesterday evening')
    expect(idsOf(interview(content, burnt))).toEqual(['complaints', 'happened', 'burn_cause'])
    const said = take(burnt, { complaints: ['burn'], happened: { amount: 16, unit: 'hours' } })
    expect(denyAll(said).screens.flat()).not.toContain('happened')
    const stung = interview(content, written('a wasp stung my arm yesterday, it itches and is swollen'))
    expect(stung.kind === 'ask' && stung.questions[1]).toMatchObject({ id: 'sting_when', given: '6-to-48-hours' })
  })

  test('what the words tell of a single choice is proposed, once, and where they tell two, neither', () => {
    const proposedIn = (matter: string, language: Language = 'en') => {
      const step = interview(content, written(matter, undefined, 'regular', language))
      const asked = step.kind === 'ask' ? step.questions.filter(({ proposal }) => proposal) : []
      return Object.fromEntries(asked.map(({ id, given }) => [id, given]))
    }
    expect(proposedIn('I burnt my finger a little on the oven yesterday')).toMatchObject({ burn_cause: 'hot' })
    expect(proposedIn('brände fingret lite på spisen igår', 'sv')).toMatchObject({ burn_cause: 'hot' })
    expect(proposedIn('found a tick on my leg, red around it')).toMatchObject({ sting_what: 'tick' })
    expect(proposedIn('punkki puri jalkaan, punoittaa', 'fi')).toMatchObject({ sting_what: 'tick' })
    expect(proposedIn('sore throat and no fever')).toMatchObject({ fever: 'no' })
    expect(proposedIn('vondt i halsen, ingen feber', 'no')).toMatchObject({ fever: 'no' })
    expect(proposedIn('a mole and a wart on my arm look different')).not.toHaveProperty('mark_what')
    expect(proposedIn('rash on my arm. Years ago I had scabies')).not.toHaveProperty('rash_kind')
    const said = take(written('sore throat and no fever'), { complaints: ['sore-throat'], fever: 'no' })
    expect(denyAll(said).screens.flat()).not.toContain('fever')
  })

  test('how long a trouble has lasted is not when an accident happened', () => {
    const told = interview(content, written('I have had headaches for two years, I banged my head on a cupboard'))
    expect(idsOf(told)).not.toContain('happened')
    const said = take(written('burnt my arm on the oven, the mark has itched for 3 weeks'), {
      complaints: ['burn'],
      duration: { amount: 3, unit: 'weeks' },
    })
    expect(denyAll(said).screens.flat()).toContain('happened')
  })

  test('a time that is the age of the patient is not proposed', () => {
    const baby: Answer[] = [
      { question: 'for_whom', value: 'other' },
      { question: 'age', value: 0.096 },
      { question: 'sex', value: 'male' },
    ]
    const writtenOf = (matter: string) => [
      ...baby,
      withHearing(content, baby, { question: 'matter', value: matter }, 'en'),
      { question: 'issue_type', value: 'regular' },
    ]
    expect(idsOf(interview(content, writtenOf('spits up after feeds, five weeks')))).not.toContain('duration')
    expect(idsOf(interview(content, writtenOf('spits up after feeds for three days')))).toContain('duration')
  })

  test('pregnancy with its week and a measured blood pressure are proposed, each behind what calls for it', () => {
    const step = interview(content, written('24 weeks pregnant, burning when I pee, blood pressure 150/95'))
    expect(idsOf(step)).toEqual([
      'complaints',
      'pressure_reading',
      'pressure_upper',
      'pressure_lower',
      'pregnancy',
      'pregnancy_weeks',
    ])
  })

  test('every time that a rule of Level1 to Level3 reads is asked beside other complaints', () => {
    const { findings } = content.release
    const written = (when: Expression): string =>
      JSON.stringify(when).replace(/\["finding","(\w+)"\]/g, (_, id) => written(findings[id] ?? ['const', false]))
    const dangerous = content.release.complaints.flatMap(({ rules }) =>
      rules.filter(({ level }) => ['Level1', 'Level2', 'Level3'].includes(level)).map(({ when }) => written(when)),
    )
    const shared = Object.values(content.release.questions).filter(({ sameAs, own }) => sameAs === 'duration' && !own)
    expect(shared.length).toBeGreaterThan(10)
    expect(shared.filter(({ id }) => dangerous.some((when) => when.includes(`"${id}"`))).map(({ id }) => id)).toEqual(
      [],
    )
  })

  test('a denial of a danger sign that was heard is not proposed', () => {
    const denied = { ...NOTHING, facts: [{ question: 'stiff_neck', value: false, words: 'no stiff neck' }] }
    expect(idsOf(interview(content, written('no stiff neck', denied)))).toEqual(['complaints'])
  })

  test('what is no answer of this content or of this patient is not proposed', () => {
    const facts = [
      { question: 'gone_question', value: true, words: 'x' },
      { question: 'temperature', value: 38, words: '38' },
      { question: 'fever', value: 'unheard-of', words: 'x' },
      { question: 'duration', value: { amount: -1, unit: 'days' as const }, words: 'x' },
    ]
    expect(idsOf(interview(content, written('x', { ...NOTHING, facts })))).toEqual(['complaints'])
  })
})

describe('signs told by the integrator', () => {
  const TOLD = { muffled_voice: true, stridor_at_rest: false, fever: 'no' }

  test('they are proposed once, true or false, and count when confirmed', () => {
    const step = interview(content, written(''), TOLD)
    expect(idsOf(step)).toEqual(['complaints', 'muffled_voice', 'stridor_at_rest'])
    expect(step.kind === 'ask' && step.questions[2]).toMatchObject({
      given: false,
      proposal: { from: 'integrator', value: false },
    })
    const said = take(written(''), { complaints: ['sore-throat'], muffled_voice: true, stridor_at_rest: false }, TOLD)
    expect(said.at(-1)).toEqual({ question: 'stridor_at_rest', value: false, from: 'integrator' })
    expect(interview(content, said).ledger).toContainEqual(
      expect.objectContaining({ question: 'muffled_voice', value: true }),
    )
    expect(denyAll(said).screens.flat()).not.toContain('muffled_voice')
  })

  test('a sign that no complaint of the patient asks is known all the same, and changing it later is possible', () => {
    const said = take(
      written(''),
      { complaints: ['sore-throat'], suicidal_thoughts: true },
      { suicidal_thoughts: true },
    )
    const step = interview(content, said)
    expect(step.obsolete).toEqual([])
    expect([...step.alarms, ...step.warnings]).not.toEqual([])
    const changed = interview(content, [...said, { question: 'suicidal_thoughts', value: false }])
    expect(changed.obsolete).toEqual([])
    expect(changed.alarms).toEqual([])
  })

  test('unconfirmed they are neither an answer nor given when the sign is asked', () => {
    const said = take(written(''), { complaints: ['sore-throat'] }, TOLD)
    for (let step = interview(content, said, TOLD); step.kind === 'ask'; step = interview(content, said, TOLD)) {
      for (const question of step.questions.filter(({ kind }) => kind === 'sign'))
        expect(question).not.toHaveProperty('given')
      said.push(...answerScreen(step.questions, (question): Value => negativeAnswer(question) ?? null))
    }
  })
})
