import { beforeAll, describe, expect, test } from 'vitest'
import { realContent } from '../../../test/world/content.ts'
import { denyAll } from '../../../test/world/denying.ts'
import type { Answer, Value } from '../content.ts'
import { interview } from '../interview.ts'
import type { Content } from '../load.ts'
import { withHearing } from '../own-words/hearing.ts'
import { assess } from './assess.ts'
import { findingsFrom } from './findings.ts'
import { typedIn } from './named.ts'
import { begunIn } from './names.ts'

let content: Content
beforeAll(async () => {
  content = (await realContent()).content
})

const THROAT: Record<string, Value> = {
  for_whom: 'self',
  age: 34,
  sex: 'female',
  matter: 'sore throat',
  issue_type: 'regular',
  complaints: ['sore-throat'],
  fever: 'measured',
  temperature: 38.6,
  background: ['medicine'],
  medicines: ['other-medicine'],
}

const answersWith = (names: string): Answer[] =>
  Object.entries({ ...THROAT, medicine_names: names }).map(([question, value]): Answer => ({ question, value }))

const rankWith = (names: string): number => {
  const said = { ...THROAT, medicine_names: names }
  const answers = Object.entries(said).map(([question, value]): Answer => ({ question, value }))
  return assess(findingsFrom(content, answers)).rank
}

test.each(['Carbimazole 20 mg twice a day, propranolol', 'karbimatsolia 2 x', 'Neo-Mercazole', 'thacapzol 5mg'])(
  'a medicine that decides counts where its name is typed: %s',
  (names) => {
    expect(rankWith(names)).toBe(1)
  },
)

test('a medicine of weak defence counts, though nobody ticked weak defence', () => {
  expect(rankWith('Humira')).toBe(2)
})

test.each([
  'prednisolone eye drops',
  'Dexamethason 1 mg/ml ögondroppar',
  'deksametasoni silmätipat',
  'øyedråper med prednisolon',
  'prednisolonsalva',
  'hydrocortisone cream, dexamethasone 0.1% eye-drops',
])('what is dropped or rubbed in is no tablet: %s', (names) => {
  expect(findingsFrom(content, answersWith(names)).typedFor('immune', 'cortisone')).toEqual([])
})

test.each([
  'prednisolone 5 mg and eye drops',
  'prednisolon 10mg, ögondroppar',
  'blood pressure drops on the prednisolone tablets',
  'prednisolone, dropped to 5 mg last week',
  'prednisoloni 5 mg ja silmätipat',
])('what is swallowed counts beside drops: %s', (names) => {
  expect(findingsFrom(content, answersWith(names)).typedFor('immune', 'cortisone')).not.toEqual([])
})

test('other names add nothing', () => {
  expect(rankWith('levothyroxine, vitamin D')).toBeGreaterThan(2)
})

test('a reason names what was typed, not an option that nobody ticked', () => {
  const said = { ...THROAT, medicine_names: 'prednisolon 5 mg' }
  const findings = findingsFrom(
    content,
    Object.entries(said).map(([question, value]): Answer => ({ question, value })),
  )
  expect(findings.typedFor('immune', 'cortisone')).toEqual([{ question: 'medicine_names', value: 'prednisolon 5 mg' }])
  expect(findings.typedFor('immune', 'transplant')).toEqual([])
  const ticked = findingsFrom(
    content,
    Object.entries({ ...said, immune: ['cortisone'] }).map(([question, value]): Answer => ({ question, value })),
  )
  expect(ticked.typedFor('immune', 'cortisone')).toEqual([])
})

const RENEWAL: Record<string, Value> = {
  for_whom: 'self',
  age: 38,
  sex: 'female',
  issue_type: 'prescription',
  new_trouble: false,
  prescription_request: 'renew',
}

const vitalWith = (said: Record<string, Value>): Value => {
  const answers = Object.entries({ ...RENEWAL, ...said }).map(([question, value]): Answer => ({ question, value }))
  const findings = findingsFrom(content, answers)
  return findings.value(content.slotOf.get('prescription_vital') ?? -1)
}

test('what is to be renewed counts by its name, though its row was overlooked', () => {
  expect(vitalWith({ prescription_vital: ['none'], prescription_medicine: 'Microgynon 30' })).toEqual(['pill'])
  expect(vitalWith({ prescription_vital: ['heart'], prescription_medicine: 'Keppra 500 mg' })).toEqual([
    'heart',
    'epilepsy',
  ])
})

test('a name in a text before the question is added to what is ticked, and does not take the place of asking', () => {
  expect(vitalWith({ prescription_medicine: 'Keppra' })).toBeNull()
  expect(vitalWith({ matter: 'two new EpiPens please' })).toBeNull()
  expect(vitalWith({ matter: 'two new EpiPens please', prescription_vital: ['none'] })).toEqual(['adrenaline'])
})

test('a sign that was denied and is named all the same denies nothing that it leads to', () => {
  const TOOTH: Record<string, Value> = {
    for_whom: 'self',
    age: 31,
    sex: 'male',
    issue_type: 'regular',
    complaints: ['mouth-tooth'],
    mouth_main: ['toothache'],
    paracetamol_recent: false,
  }
  const excess = (matter: string) =>
    findingsFrom(
      content,
      Object.entries({ ...TOOTH, matter }).map(([question, value]): Answer => ({ question, value })),
    ).isKnown(content.slotOf.get('paracetamol_excess') ?? -1)
  expect(excess('toothache, eating Alvedon all day')).toBe(false)
  expect(excess('toothache')).toBe(true)
})

test('what is not offered to a patient is not named either', () => {
  expect(vitalWith({ sex: 'male', prescription_vital: ['none'], prescription_medicine: 'Microgynon' })).toEqual([
    'none',
  ])
})

describe('a named medicine calls for its own dangers, in every matter', () => {
  const WIFE: readonly Answer[] = [
    { question: 'for_whom', value: 'other' },
    { question: 'age', value: 66 },
    { question: 'sex', value: 'female' },
  ]
  const asking = (matter: string, issue: string): Answer[] => [
    ...WIFE,
    { question: 'matter', value: matter },
    { question: 'issue_type', value: issue },
    ...(issue === 'regular' ? [] : [{ question: 'new_trouble', value: false }]),
  ]
  const next = (said: readonly Answer[]): string[] => {
    const step = interview(content, said)
    return step.kind === 'ask' ? step.questions.map(({ id }) => id) : []
  }

  test.each(['prescription', 'certificate', 'admin', 'regular'])('before anything else: %s', (issue) => {
    const said = asking('Lithionit tar slut', issue)
    expect(next(said).slice(0, 2)).toEqual(['lithium_nerves', 'lithium_shakes'])
    expect(next(asking('Alvedon tar slut', issue))).not.toContain('lithium_nerves')
    const { said: all } = denyAll(content, said, { lithium_nerves: true, complaints: ['vomiting-diarrhoea'] })
    const step = interview(content, all)
    expect(step.kind === 'done' && step.outcome.level).toBe('Level2')
  })

  test('also where it is typed later', () => {
    const asked = denyAll(content, asking('new tablets please', 'prescription'), {
      prescription_medicine: 'Quilonorm 450',
    }).screens.flat()
    expect(asked).toContain('lithium_nerves')
  })
})

describe('a ticked illness calls for its own danger, whatever the complaint', () => {
  const told = {
    for_whom: 'self',
    age: 52,
    sex: 'female',
    issue_type: 'regular',
    background: ['illness'],
    illnesses: ['cancer'],
    back_duration: { amount: 4, unit: 'days' },
    fev_duration: { amount: 1, unit: 'days' },
  } satisfies Record<string, Value>
  const played = (more: Record<string, Value>) => {
    const { screens, said } = denyAll(content, [], { ...told, ...more })
    const step = interview(content, said)
    return { asked: screens.flat(), level: step.kind === 'done' ? step.outcome.level : undefined }
  }

  test('who has cancer is asked whether they are treated and ill', () => {
    const { asked, level } = played({ complaints: ['back-pain'], no_defence_named_ill: true })
    expect(asked).toContain('no_defence_named_ill')
    expect(level).toBe('Level2')
  })

  test('nobody else is', () => {
    expect(played({ complaints: ['back-pain'], illnesses: ['kidney'] }).asked).not.toContain('no_defence_named_ill')
  })

  test('nor is who has a complaint that asks about it in full', () => {
    const { asked } = played({ complaints: ['fever-adult'] })
    expect(asked).not.toContain('no_defence_named_ill')
    expect(asked).toContain('cancer_treatment_6_weeks')
  })
})

test('whoever names a spleen is asked for the plain fact, and fever with it is enough', () => {
  const said: Answer[] = [
    { question: 'for_whom', value: 'self' },
    { question: 'age', value: 48 },
    { question: 'sex', value: 'male' },
    { question: 'matter', value: 'Lost my spleen in a crash, got the flu now. Tamiflu?' },
    { question: 'issue_type', value: 'prescription' },
    { question: 'new_trouble', value: false },
  ]
  const levelWith = (told: Record<string, Value>) => {
    const step = interview(content, denyAll(content, said, told).said)
    return step.kind === 'done' ? step.outcome.level : undefined
  }
  expect(levelWith({ spleen_gone: true, fever: 'measured', temperature: 39.4 })).toBe('Level2')
  expect(levelWith({ spleen_gone: true })).toBeNull()
})

describe('words that pass for flu or stiff muscles call for one row', () => {
  const asks = (age: number, matter: string, issue: string): string[] => {
    const said: Record<string, Value> = { for_whom: 'self', age, sex: 'male', matter, issue_type: issue }
    if (issue !== 'regular') said.new_trouble = false
    const step = interview(
      content,
      Object.entries(said).map(([question, value]): Answer => ({ question, value })),
    )
    return step.kind === 'ask' ? step.questions.map(({ id }) => id) : []
  }

  test.each([
    'har influensa, skjelver og svetter',
    'flunssa, tärisen ja hikoilen',
    'influensa, darrar och svettas',
    'flu, shaking and sweating',
  ])('shaking for the last drink, of adults: %s', (matter) => {
    expect(asks(58, matter, 'certificate')).toEqual(['shakes_after_stopping'])
    // A word that calls for a row is no danger told: no thoughts of suicide are asked about beside it.
    expect(asks(58, matter, 'regular')).not.toContain('suicidal_thoughts')
    expect(asks(16, matter, 'certificate')).not.toContain('shakes_after_stopping')
  })

  test.each([
    'lähete fysioterapiaan hartioista',
    'henvisning for stive skuldre',
    'remiss för stela axlar',
    'referral for a stiff neck',
  ])('stiff shoulders in a request for a sore scalp, from 50 years: %s', (matter) => {
    expect(asks(74, matter, 'admin')).toEqual(['sore_scalp_or_jaw_when_chewing'])
    expect(asks(34, matter, 'admin')).not.toContain('sore_scalp_or_jaw_when_chewing')
    expect(asks(74, matter, 'regular')).not.toContain('sore_scalp_or_jaw_when_chewing')
  })
})

test('words that count together are looked for in one text', () => {
  const asked = (matter: string): string[] => {
    const step = interview(content, [
      { question: 'for_whom', value: 'self' },
      { question: 'age', value: 69 },
      { question: 'sex', value: 'male' },
      { question: 'matter', value: matter },
      { question: 'issue_type', value: 'admin' },
      { question: 'new_trouble', value: false },
    ])
    return step.kind === 'ask' ? step.questions.map(({ id }) => id) : []
  }
  expect(asked('May I drive after the box in my chest has kicked?')).toContain('told_icd_shocks')
  expect(asked('May I drive with a box of tools?')).not.toContain('told_icd_shocks')
  expect(asked('A referral for my chest X-ray please')).not.toContain('told_icd_shocks')
})

test('a name that is typed a hundred times is looked for as one', () => {
  const text = 'moclobemid '.repeat(100)
  expect(begunIn(text, content.named)).toEqual(begunIn('moclobemid', content.named))
  const values: (Value | undefined)[] = []
  values[content.slotOf.get('matter') ?? -1] = text
  const [lists] = typedIn(content, values).values()
  expect(lists?.size).toBeGreaterThan(0)
})

test('what only a name leads to is asked as a question about it, not as a danger that was told', () => {
  const titleFor = (matter: string) => {
    const written = withHearing(content, [], { question: 'matter', value: matter }, 'en')
    const who = { for_whom: 'self', age: 69, sex: 'male' }
    const said = Object.entries(who).map(([question, value]) => ({ question, value }))
    const step = interview(content, [...said, written, { question: 'issue_type', value: 'regular' }])
    return step.kind === 'ask' && step.because.kind === 'heard' ? step.title : step.kind
  }
  expect(titleFor('The box in my chest has kicked, and my knee itches')).toBe('screen.named')
  expect(titleFor('I want to kill myself')).toBe('screen.heard')
})
