import { beforeAll, describe, expect, test } from 'vitest'
import { realContent } from '../../../test/world/content.ts'
import { denyAll } from '../../../test/world/denying.ts'
import type { Answer, Language, Step, Value } from '../content.ts'
import { interview } from '../interview.ts'
import type { Content } from '../load.ts'
import { withHearing } from '../own-words/hearing.ts'

let content: Content
beforeAll(async () => {
  content = (await realContent()).content
})

const MAN: readonly Answer[] = [
  { question: 'for_whom', value: 'self' },
  { question: 'age', value: 61 },
  { question: 'sex', value: 'male' },
]

/** What has been said by someone who asks for something, writes this, and says that nothing is new. */
const requested = (matter: string, issueType: string, language: Language = 'en'): Answer[] => [
  ...MAN,
  withHearing(content, MAN, { question: 'matter', value: matter }, language),
  { question: 'issue_type', value: issueType },
  { question: 'new_trouble', value: false },
]

const idsOf = (step: Step): string[] => (step.kind === 'ask' ? step.questions.map(({ id }) => id) : [])

/** All that is asked of someone who denies whatever they do not tell here. */
const askedOf = (said: readonly Answer[], told: Record<string, Value>): string[] =>
  denyAll(content, said, told).screens.flat()

describe('a trouble that stands in the words of a request', () => {
  const PINK: [Language, string][] = [
    ['en', 'Need my statins renewed. By the way my pee was pink once last week with a clot in it'],
    ['fi', 'Kolesterolilääke loppuu, uusisitteko. Pissa oli muuten viime viikolla kerran punaista'],
    ['no', 'Trenger fornyet kolesterolmedisin. Det var forresten blod i urinen en gang i forrige uke'],
    ['sv', 'Behöver nytt recept på kolesterolmedicinen. Kisset var förresten rött en gång förra veckan'],
  ]
  test.each(PINK)('is asked about, if they let us, though nothing was said to be new: %s', (language, matter) => {
    const written = requested(matter, 'prescription', language)
    expect(idsOf(interview(content, written))).toEqual(['told_blood_urine'])
    const said: Answer[] = [...written, { question: 'told_blood_urine', value: false }]
    expect(idsOf(interview(content, said))).toEqual(['told_trouble'])
    const allowed = interview(content, [...said, { question: 'told_trouble', value: true }])
    expect(allowed).toMatchObject({ title: 'screen.understood', because: { kind: 'understood' } })
    expect(idsOf(allowed)).toContain('complaints')
    expect(askedOf(said, { told_trouble: false })).not.toContain('complaints')
  })

  test('words that come near what no medicine is renewed for are enough', () => {
    const matter = 'Peed cranberry juice on Saturday, must be the beets. Anyway I am out of my cholesterol pills'
    expect(idsOf(interview(content, requested(matter, 'prescription')))).toEqual(['told_trouble'])
  })

  test.each<[Language, string, string]>([
    [
      'en',
      'prescription',
      "Tis only a prescription I'm after. Ran out of the little tablets Friday with the bank holiday and the doctor shut. Have a bit of a tummy upset as well so no rush, whenever suits ye.",
    ],
    [
      'en',
      'admin',
      "Hiya not urgent just after some reassurance, little man's been a bit lazy since last night, normally he's kung fu fighting. Got heartbeat on my home doppler so he's fine innit? Had cold juice and laid on my side x",
    ],
    ['sv', 'admin', 'Vill byta telefonnummer hos er. Har haft ont i bröstet när jag går uppför. Tack på förhand.'],
  ])('a sentence that tells of it by itself is enough: %s %s', (language, issue, matter) => {
    const { screens } = denyAll(content, requested(matter, issue, language), {})
    expect(screens.flat()).toContain('told_trouble')
  })

  test.each([
    [
      'sv',
      'admin',
      'behöver typ remiss för vitaminprover, är helt död jämt asså, nickade till vid rödljus med bussen förra veckan',
    ],
    [
      'fi',
      'certificate',
      'moi tarviin vaa lääkärintodistuksen kouluun ku mul on toi pusutauti ja nyt viel vasen olkapää vihloo ihan sikana ku makaan, varmaan sen sohvan kantamisest, en jaksa ees istuu luennolla et voisko joku kirjottaa sen tässä',
    ],
  ] as const)(
    'less is enough where nothing medical was asked for, or danger was told: %s %s',
    (language, issue, matter) => {
      const { screens } = denyAll(content, requested(matter, issue, language), {})
      expect(screens.flat()).toContain('told_trouble')
    },
  )

  test('whoever is interviewed about it is not asked for dangers by the request too', () => {
    const said = requested(PINK[0]?.[1] ?? '', 'prescription')
    const asked = askedOf(said, { told_trouble: true, complaints: ['urine'] })
    expect(asked).toContain('prescription_medicine')
    expect(asked.filter((id) => id.startsWith('matter_'))).toEqual([])
  })

  test.each<[string, string]>([
    ['prescription', 'Please renew my blood pressure pills, same as always'],
    ['certificate', 'I need a certificate for the gym'],
    ['admin', 'Can my appointment be moved to next week?'],
  ])('is not looked for in a plain request: %s %s', (issueType, matter) => {
    expect(idsOf(interview(content, requested(matter, issueType)))).not.toContain('told_trouble')
  })

  test('a danger that the words surely tell of comes before it', () => {
    const said = requested('Renew my inhaler please, I cannot breathe and my lips are blue', 'prescription')
    expect(interview(content, said)).toMatchObject({ stage: 'emergency', because: { kind: 'heard' } })
  })
})

describe('a trouble that was told and is not to be asked about', () => {
  const SHIVERS =
    'Where do I book? I shiver so badly that the bed rattles, must be flu, and I am burning hot with fever'
  const DENIED = { told_trouble: false, admin_topic: 'appointment' }
  const levelOf = (said: readonly Answer[]) => {
    const step = interview(content, said)
    return step.kind === 'done' ? step.outcome.level : undefined
  }

  test('is asked for the dangers of its kind, whose rules hold', () => {
    const said = requested(SHIVERS, 'admin')
    expect(askedOf(said, DENIED)).toContain('weak_defence_fever')
    expect(askedOf(said, { ...DENIED, told_trouble: true, complaints: ['ear'] })).not.toContain('told_examined')
    expect(levelOf(denyAll(content, said, { ...DENIED, weak_defence_fever: true }).said)).toBe('Level2')
    expect(levelOf(denyAll(content, said, DENIED).said)).toBeNull()
  })

  test('meets one row for what was written before the questionnaire, for the broad rows are denied in haste', () => {
    const words =
      'I need the medical for my driving licence renewal. On Sunday my right hand went dead and I could not find my words for ten minutes'
    const said = requested(words, 'certificate')
    expect(idsOf(interview(content, said))).toContain('one_side_or_speech_last_week')
    expect(askedOf(said, DENIED)).toContain('matter_stroke_or_fit')
    expect(levelOf(denyAll(content, said, { ...DENIED, one_side_or_speech_last_week: true }).said)).toBe('Level4')
  })

  test('danger that a doctor has seen and that is worse since then is not let go', () => {
    const said = requested('Which address do bills go to? I passed out three times today and went all grey', 'admin')
    const worse = { ...DENIED, told_examined: true, matter_since_examined: true }
    expect(levelOf(denyAll(content, said, worse).said)).toBe('Level5')
    expect(levelOf(denyAll(content, said, { ...worse, matter_began_today: true }).said)).toBe('Level3')
  })

  test('a plain request is asked for none of them', () => {
    const asked = askedOf(requested('Can my appointment be moved to next week?', 'admin'), DENIED)
    expect(asked).not.toContain('weak_defence_fever')
    expect(asked).not.toContain('matter_blackout_or_dozing')
  })

  test.each<[Language, string]>([
    ['en', 'Which address do bills go to? I passed out three times today and went all grey on the sofa'],
    [
      'fi',
      'onks tää nyt ihan hölmö kysymys mut melkeen kaikis kännykkäkuvis meijän tytön toinen silmä hohtaa valkosena niinku kissalla ja toinen on ihan normi punanen, mies sanoo et se on vaan salama, ja pitäskö vaihtaa puhelin',
    ],
    [
      'sv',
      'gäller nya ögondroppar, det svartnar för ögonen tre gånger bara idag, sist satt jag i soffan och slocknade en stund',
    ],
    // What no medicine is renewed for: a nipple that does not heal
    ['en', 'Which cream do I book for? One nipple has been scaly and weepy for months and will not heal'],
  ])('of danger that was surely told it is asked whether anybody has looked at it: %s', (language, matter) => {
    const said = requested(matter, 'admin', language)
    expect(askedOf(said, DENIED)).toContain('told_examined')
    expect(levelOf(denyAll(content, said, { ...DENIED, told_examined: false }).said)).toBe('Level5')
    expect(levelOf(denyAll(content, said, { ...DENIED, told_examined: true }).said)).toBeNull()
  })
})

test('whoever is told to call is not asked about their request any more', () => {
  const said = requested('Please renew my sleeping tablets, I want to kill myself', 'prescription')
  expect(askedOf(said, {})).toContain('prescription_medicine')
  const asked = askedOf(said, { suicidal_thoughts: true, suicide_thoughts: 'now' })
  expect(asked).toContain('suicide_thoughts')
  expect(asked).not.toContain('prescription_medicine')
})

test('after a plan to end life no other row of a certificate is asked', () => {
  const told = { certificate_purpose: 'work', certificate_mind: true, suicide_thoughts: 'intent' }
  const asked = askedOf(requested('I need a line for work', 'certificate'), told)
  expect(asked.indexOf('suicide_means')).toBeGreaterThan(0)
  expect(asked.slice(asked.indexOf('suicide_means') + 1)).toEqual([])
})

describe('a result that stands in the words of a request', () => {
  const RED: [Language, string][] = [
    ['en', 'The app says potassium 6.6 in red. Should I leave out bananas?'],
    ['fi', 'Omakannassa lukee kalium 6,6 punaisella, pitääkö jättää banaanit pois?'],
    ['no', 'Det står kalium 6,6 i rødt i appen. Må jeg kutte ut bananer?'],
    ['sv', 'Det står kalium 6,6 i rött på 1177. Ska jag sluta med bananer?'],
  ]
  const levelOf = (said: readonly Answer[]) => {
    const step = interview(content, said)
    return step.kind === 'done' ? step.outcome.level : undefined
  }

  test.each(RED)('is asked for before the errand: %s', (language, matter) => {
    const said = requested(matter, 'admin', language).concat({ question: 'told_trouble', value: false })
    expect(idsOf(interview(content, said))).toEqual(['potassium'])
    expect(levelOf(denyAll(content, said, { potassium: 6.6, admin_topic: 'appointment' }).said)).toBe('Level2')
    expect(askedOf(said, { potassium: null, admin_topic: 'appointment' })).toContain('admin_topic')
  })

  test('decides whatever complaint is chosen, once it is confirmed', () => {
    const matter = withHearing(
      content,
      MAN,
      { question: 'matter', value: 'legs swollen, potassium 6.6 in the app' },
      'en',
    )
    const said = [...MAN, matter, { question: 'issue_type', value: 'regular' }]
    expect(idsOf(interview(content, said))).toContain('potassium')
    const confirmed = [
      ...said,
      { question: 'complaints', value: ['leg-swelling'] },
      { question: 'potassium', value: 6.6, from: 'own-words' as const },
    ]
    expect(levelOf(denyAll(content, confirmed).said)).toBe('Level2')
  })
})

test('a danger that was ticked stays when the words that led to it are changed', () => {
  const words = 'face drooping and slurred speech, need my pills'
  const ticked: Answer[] = [
    ...requested(words, 'prescription'),
    { question: 'stroke_signs_last_day', value: true },
    { question: 'limb_cold_pale_painful', value: false },
  ]
  expect(interview(content, ticked).alarms).toMatchObject([{ level: 'Level1', rule: 'stroke' }])
  const changed = [...ticked, withHearing(content, MAN, { question: 'matter', value: 'refill of my pills' }, 'en')]
  const step = interview(content, changed)
  expect(step.alarms).toMatchObject([{ level: 'Level1', rule: 'stroke' }])
  expect(step.obsolete).not.toContain('stroke_signs_last_day')
})
