import { beforeAll, describe, expect, test } from 'vitest'
import { realContent } from '../../../test/world/content.ts'
import { denyAll as denyAllOf } from '../../../test/world/denying.ts'
import { checkAnswers } from '../answers.ts'
import { negativeAnswer } from '../check/run-case.ts'
import { chance, randomPatient } from '../check/simulated-patients.ts'
import type { Answer, Expression, Heard, Language, Step, Value } from '../content.ts'
import { type Given, interview } from '../interview.ts'
import type { Content } from '../load.ts'
import { withHearing } from '../own-words/hearing.ts'
import { answerScreen } from '../screens.ts'
import { conclude } from './conclude.ts'

let content: Content
beforeAll(async () => {
  content = (await realContent()).content
})

const ADULT = { for_whom: 'self', age: 30, sex: 'female' }
const NOTHING: Heard = { complaints: [], dangers: [], facts: [] }

/** What has been said by someone who has just written this, or of whom this was heard. */
function written(matter: string, heard?: Heard, issueType = 'regular', language: Language = 'en'): Answer[] {
  const before = Object.entries(ADULT).map(([question, value]): Answer => ({ question, value }))
  const words: Answer = { question: 'matter', value: matter }
  return [
    ...before,
    heard ? { ...words, heard } : withHearing(content, before, words, language),
    { question: 'issue_type', value: issueType },
    ...(issueType === 'regular' ? [] : [{ question: 'new_trouble', value: false }]),
  ]
}

const idsOf = (step: Step) => (step.kind === 'ask' ? step.questions.map(({ id }) => id) : [])

/** Takes answers as the service does; what is left out of the screen is left out. */
function take(said: readonly Answer[], given: Record<string, Value>, told: Given = {}): Answer[] {
  const answers = Object.entries(given).map(([question, value]) => ({ question, value }))
  const checked = checkAnswers(content, said, answers, interview(content, said, told))
  if (!checked.ok) throw new Error(checked.message)
  return [...said, ...checked.answers]
}

/** Answers "no" to everything until the end, of a sore throat unless told otherwise. */
const denyAll = (said: readonly Answer[], told: Record<string, Value> = {}) =>
  denyAllOf(content, said, { complaints: ['sore-throat'], ...told })

describe('danger that words surely tell of', () => {
  test.each<[Language, string]>([
    ['en', 'I want to kill myself'],
    ['fi', 'Haluan kuolla, en jaksa enää elää'],
    ['no', 'Jeg orker ikke å leve lenger'],
    ['sv', 'Jag vill inte leva längre'],
  ])('words of suicide lead at once to the questions about it, with a kind word: %s %s', (language, matter) => {
    expect(interview(content, written(matter, undefined, 'regular', language))).toMatchObject({
      kind: 'ask',
      stage: 'emergency',
      title: 'screen.heard',
      note: 'note.suicide',
      because: { kind: 'heard' },
      questions: [{ id: 'suicide_or_violence_now' }, { id: 'suicidal_thoughts' }, { id: 'overdose_or_poisoning' }],
    })
  })

  test('it leads in a practical matter as well, which asks nothing else of the emergency check', () => {
    const said = written('I want to kill myself', undefined, 'prescription')
    expect(idsOf(interview(content, said)).slice(0, 2)).toEqual(['suicide_or_violence_now', 'suicidal_thoughts'])
    const calm = written('renew my prescription', undefined, 'prescription')
    const { screens } = denyAll(said)
    const extra = new Set(screens.flat()).difference(new Set(denyAll(calm).screens.flat()))
    const OF_THE_WORDS = ['suicide_or_violence_now', 'suicidal_thoughts', 'overdose_or_poisoning', 'told_trouble']
    const OF_THE_DENIED = [
      'told_examined',
      'matter_began_today',
      'matter_blackout_or_dozing',
      'matter_bite_or_sore_wound',
    ]
    const OF_ANY_TROUBLE = ['pregnancy_blow_or_fall', 'pregnant_pox_contact', 'confused_or_hard_to_wake']
    expect(extra).toEqual(new Set([...OF_THE_WORDS, ...OF_THE_DENIED, ...OF_ANY_TROUBLE]))
    expect(interview(content, [...said, { question: 'suicide_or_violence_now', value: true }]).alarms).not.toEqual([])
  })

  test('danger of no clear kind brings the core of the emergency check before the menu', () => {
    const step = interview(content, written("I can't breathe"))
    expect(step).toMatchObject({ stage: 'emergency', because: { kind: 'heard' } })
    expect(idsOf(step)).toContain('breathless_no_sentence')
    expect(idsOf(step).length).toBeLessThanOrEqual(8)
    const { screens } = denyAll(written("I can't breathe"))
    expect(screens[1]?.[0]).toBe('complaints')
  })

  test('the level hangs on what is confirmed: words alone raise no alarm and lower nothing', () => {
    const said = written('I want to kill myself')
    expect(interview(content, said).alarms).toEqual([])
    const sure = [...said, { question: 'suicide_or_violence_now', value: true }]
    expect(interview(content, sure).alarms).not.toEqual([])
  })
})

describe('danger that words may tell of', () => {
  const asking: Heard = { ...NOTHING, dangers: [{ kind: 'suicide', sureness: 'ask', words: 'so tired of it all' }] }

  test('its signs stand first on the screen of immediate danger, beside all of the core', () => {
    const asked = { complaints: ['sleep-fatigue'] }
    const { screens } = denyAll(written('so tired of it all', asking), asked)
    const calm = denyAll(written('so tired of it all', NOTHING), asked).screens
    expect(screens[0]?.[0]).toBe('complaints')
    expect(screens[1]?.slice(0, 3)).toEqual(['suicide_or_violence_now', 'suicidal_thoughts', 'overdose_or_poisoning'])
    expect(screens[1]?.slice(3)).toEqual(calm[1])
  })

  test('where no complaint calls for them, its signs wait for the last look; without a word of it they are not asked', () => {
    const signs = ['suicidal_thoughts', 'suicide_or_violence_now']
    const { screens } = denyAll(written('so tired of it all', asking))
    expect(screens[1]).not.toEqual(expect.arrayContaining(signs))
    expect(screens.slice(2).find((screen) => screen.includes('suicidal_thoughts'))).toEqual(
      expect.arrayContaining(signs),
    )
    expect(denyAll(written('a sore throat', NOTHING)).screens.flat()).not.toContain('suicidal_thoughts')
  })

  test('whoever ticks thoughts of suicide is asked on at once, whatever the complaint', () => {
    const said = { suicidal_thoughts: true, complaints: ['sleep-fatigue'] }
    const { screens } = denyAll(written('so tired of it all', asking), said)
    const at = screens.findIndex((screen) => screen.includes('suicidal_thoughts'))
    expect(screens[at + 1]).toEqual(['suicide_thoughts'])
  })
})

describe('unconfirmed', () => {
  test('danger that was heard and that no sign confirms is kept with its words; confirmed, it is not there', () => {
    const { said } = denyAll(written('I want to kill myself'))
    expect(conclude(content, said).unconfirmed).toEqual([
      { kind: 'suicide', words: expect.stringContaining('kill myself') },
    ])
    const yes = denyAll(written('I want to kill myself'), { suicidal_thoughts: true }).said
    expect(conclude(content, yes).unconfirmed).toEqual([])
    expect(conclude(content, denyAll(written('my throat hurts')).said).unconfirmed).toEqual([])
  })

  test('what was heard in words that were changed is gone with them', () => {
    const { said } = denyAll(written('I want to kill myself'))
    const changed = [...said, withHearing(content, said, { question: 'matter', value: 'my throat hurts' }, 'en')]
    expect(conclude(content, changed).unconfirmed).toEqual([])
  })
})

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
    const askedOf = (matter: string, complaints: string[]) => {
      const told = take(written(matter), { complaints, duration: { amount: 3, unit: 'days' } })
      return denyAll(told)
        .screens.flat()
        .filter((id) => times.includes(id))
    }
    expect(askedOf(HEARD, ['sore-throat', 'cough-cold'])).toEqual([])
    expect(askedOf(HEARD, ['sore-throat', 'cough-cold', 'abdominal-pain'])).toEqual(['belly_duration'])
    const two = 'My throat has been sore for three days and I have coughed for five weeks'
    expect(askedOf(two, ['sore-throat', 'cough-cold']).sort()).toEqual(['cough_duration', 'throat_duration'])
    expect(askedOf(two, ['sore-throat'])).toEqual([])
    expect(askedOf('belly ache for three days, vomiting for two hours', ['abdominal-pain'])).toEqual(['belly_duration'])
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

test('whatever is heard, no sign is asked twice, and nothing that is heard makes the level less urgent', () => {
  const kinds = content.release.dangers.map(({ id }) => id)
  const complaints = content.release.complaints.filter(({ kind }) => kind === 'complaint').map(({ id }) => id)
  for (let seed = 1; seed <= 60; seed++) {
    const complaint = complaints[seed % complaints.length] ?? ''
    const patient = randomPatient(content, [complaint], seed)
    const dangers = kinds
      .filter((kind) => chance(`${seed} ${kind}`) < 0.7)
      .map((kind) => ({
        kind,
        sureness: chance(`${seed} sure ${kind}`) < 0.5 ? ('lead' as const) : ('ask' as const),
        words: kind,
      }))
    const levels = [undefined, { ...NOTHING, dangers }].map((heard) => {
      const said: Answer[] = []
      const asked: string[] = []
      for (let step = interview(content, said); step.kind === 'ask'; step = interview(content, said)) {
        const told = answerScreen(step.questions, patient)
        asked.push(...told.map(({ question }) => question))
        said.push(...told.map((answer) => (answer.question === 'matter' && heard ? { ...answer, heard } : answer)))
        if (asked.length > 400) throw new Error('The interview does not end.')
      }
      expect(new Set(asked).size).toBe(asked.length)
      const { level } = conclude(content, said)
      return level ?? 'none'
    })
    expect([seed, (levels[1] ?? '') <= (levels[0] ?? '')]).toEqual([seed, true])
  }
}, 60_000)

test('what is asked at once stands in the review under the heading it was asked under, whatever was heard', () => {
  for (const { id: kind } of content.release.dangers) {
    const heard: Heard = { ...NOTHING, dangers: [{ kind, sureness: 'ask', words: 'x' }] }
    const said = take(written('x', heard), { complaints: ['abdominal-pain'] })
    const step = interview(content, said)
    if (step.kind !== 'ask' || step.stage !== 'emergency') continue
    const ids = idsOf(step)
    const { ledger } = interview(content, take(said, Object.fromEntries(ids.map((id) => [id, false]))))
    const titles = ledger.flatMap(({ question, title }) => (ids.includes(question) ? title : []))
    expect([kind, ...new Set(titles)]).toEqual([kind, 'complaint.emergency-check.heading'])
  }
})
