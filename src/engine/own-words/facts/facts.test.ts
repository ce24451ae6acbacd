import { describe, expect, test } from 'vitest'
import type { Language } from '../../content.ts'
import { cutUp, readWords } from '../read.ts'
import { clausesOf } from '../reader/clauses.ts'
import { LANGUAGE_RULES } from '../rules.ts'
import { factsIn } from './facts.ts'

function factsOf(text: string, language: Language) {
  const rules = LANGUAGE_RULES[language]
  return factsIn(text, clausesOf(text, readWords(cutUp(text), rules), rules, new Set()), language)
}

/** A text, and what it tells. */
type Row = readonly [Language, string, Readonly<Record<string, unknown>>]

const days = (amount: number) => ({ amount, unit: 'days' })
const weeks = (amount: number) => ({ amount, unit: 'weeks' })
const hours = (amount: number) => ({ amount, unit: 'hours' })
const months = (amount: number) => ({ amount, unit: 'months' })

const ROWS: readonly Row[] = [
  ['en', 'sore throat for three days', { duration: days(3) }],
  ['en', 'cough 2 weeks now', { duration: weeks(2) }],
  ['en', 'my back has hurt for a couple of weeks', { duration: weeks(2) }],
  ['en', 'started 2 hours ago', { duration: hours(2) }],
  ['en', 'headache since yesterday', { duration: days(1) }],
  ['en', 'dizzy for half an hour', { duration: { amount: 30, unit: 'minutes' } }],
  ['en', 'it comes every 3 days', {}],
  ['en', 'I take it 3 times a day', {}],
  ['en', 'my appointment is in 2 weeks', {}],
  ['en', 'ten years ago I had a heart attack', {}],
  ['en', 'fever of 39.4 since this morning', { duration: hours(6), temperature: 39.4, fever: 'measured' }],
  ['en', 'temp is 102 F', { temperature: 38.9, fever: 'measured' }],
  ['en', 'blood pressure 140/95', {}],
  ['en', 'I weigh 98 kg and my knee hurts', {}],
  ['en', 'my 3-year-old has a fever of 39', { for_whom: 'other', age: 3, temperature: 39, fever: 'measured' }],
  ['en', 'My daughter is 6 months old and coughs', { for_whom: 'other', sex: 'female', age: 0.5 }],
  ['en', 'my son has had a rash for 4 days', { for_whom: 'other', sex: 'male', duration: days(4) }],
  ['en', "I'm 45 and my knee hurts", { age: 45 }],
  ['en', 'I am a 72 year old man with swollen legs', { age: 72 }],
  ['en', 'my husband is very confused', { for_whom: 'other', sex: 'male' }],
  ['en', 'I have a cough, my husband had it too', {}],
  ['en', 'my baby is 6 weeks old and will not feed', { for_whom: 'other', age: 0.11 }],
  ['en', 'I am 32 weeks pregnant', {}],
  ['fi', 'kurkku on ollut kipeä kolme päivää', { duration: days(3) }],
  ['fi', 'yskä kestänyt 2 vkoa tai ainakin 2 viikkoa', { duration: weeks(2) }],
  ['fi', 'selkä kipeä jo viikon', { duration: weeks(1) }],
  ['fi', 'päänsärkyä eilisestä asti', { duration: days(1) }],
  ['fi', 'kuumetta 39,2 ja yskää', { temperature: 39.2, fever: 'measured' }],
  ['fi', 'kuume nousi 38.5 asteeseen', { temperature: 38.5, fever: 'measured' }],
  ['fi', '3-vuotias poika yskii', { for_whom: 'other', sex: 'male', age: 3 }],
  ['fi', 'olen 67-vuotias ja polvi kipeä', { age: 67 }],
  ['fi', 'vauva on 5 viikkoa vanha', { for_whom: 'other', age: 0.1 }],
  [
    'fi',
    'tyttärelläni on korvakipu, alkoi pari päivää sitten',
    { for_whom: 'other', sex: 'female', duration: days(2) },
  ],
  ['fi', 'kymmenen vuotta sitten oli sydäninfarkti', {}],
  ['fi', 'otan lääkkeen joka 4 tuntia', {}],
  ['fi', 'mieheni on todella sekava', { for_whom: 'other', sex: 'male' }],
  ['fi', 'vatsa ollut kipeä muutaman tunnin', { duration: hours(3) }],
  ['no', 'vondt i halsen i tre dager', { duration: days(3) }],
  ['no', 'hostet i 2 uker', { duration: weeks(2) }],
  ['no', 'hodepine siden i går', { duration: days(1) }],
  ['no', 'feber på 39,1 siden i morges', { duration: hours(6), temperature: 39.1, fever: 'measured' }],
  ['no', 'datteren min på 4 år har utslett', { for_whom: 'other', sex: 'female', age: 4 }],
  ['no', 'sønnen min er 8 måneder gammel og hoster', { for_whom: 'other', sex: 'male', age: 0.67 }],
  ['no', 'treåringen min kaster opp', { for_whom: 'other', age: 3 }],
  ['no', 'jeg er 54 og har vondt i kneet', { age: 54 }],
  ['no', 'for ti år siden hadde jeg slag', {}],
  ['no', 'time om 3 uker, kan den flyttes', {}],
  ['no', 'mannen min er forvirret', { for_whom: 'other', sex: 'male' }],
  ['no', 'vondt i ryggen i noen måneder', { duration: months(3) }],
  ['sv', 'ont i halsen i tre dagar', { duration: days(3) }],
  ['sv', 'hosta i 2 veckor', { duration: weeks(2) }],
  ['sv', 'huvudvärk sedan igår', { duration: days(1) }],
  ['sv', 'feber 39,5 sen i morse', { duration: hours(6), temperature: 39.5, fever: 'measured' }],
  ['sv', 'min 3-åring har feber 40', { for_whom: 'other', age: 3, temperature: 40, fever: 'measured' }],
  ['sv', 'min dotter har haft utslag i ett par dagar', { for_whom: 'other', sex: 'female', duration: days(2) }],
  ['sv', 'bebisen är 7 veckor gammal', { for_whom: 'other', age: 0.13 }],
  ['sv', 'jag är 38 och gravid', { age: 38 }],
  ['sv', 'för fem år sedan hade jag stroke', {}],
  ['sv', 'tiden är om 2 veckor, kan den bokas om', {}],
  ['sv', 'min man är förvirrad', { for_whom: 'other', sex: 'male' }],
  ['sv', 'ont i ryggen några månader', { duration: months(3) }],
  ['en', 'my son, 4 years, has an earache', { for_whom: 'other', sex: 'male', age: 4 }],
  ['en', 'my son 3 days with fever', { for_whom: 'other', sex: 'male', duration: days(3) }],
  ['en', 'woman 45 years, back pain for two weeks', { age: 45, duration: weeks(2) }],
  ['fi', 'pojalla (2 v) kuumetta', { for_whom: 'other', sex: 'male', age: 2 }],
  ['fi', 'tyttö on 8 kuukautta ja yskii', { for_whom: 'other', sex: 'female', age: 0.67 }],
  ['no', 'datteren min 4 år har vondt i magen', { for_whom: 'other', sex: 'female', age: 4 }],
  ['no', 'gutten er 2 år og har feber siden i går', { for_whom: 'other', sex: 'male', age: 2, duration: days(1) }],
  ['sv', 'Son 4 år, kräks sedan igår', { for_whom: 'other', sex: 'male', age: 4, duration: days(1) }],
  ['sv', 'dottern (6 månader) hostar', { for_whom: 'other', sex: 'female', age: 0.5 }],
  ['sv', 'man 52 år med ont i bröstet', { age: 52 }],
  ['fi', 'nukun kolme tuntia yössä ja pää särkee', {}],
  ['no', 'sover bare 4 timer om natten', {}],
  ['en', 'my baby boy is 5 weeks and a bit snuffly', { for_whom: 'other', age: 0.1 }],
  ['en', 'I am pregnant 6 month, in night my legs is crazy', {}],
  ['en', 'i have baby 6 days ago, pain in head', {}],
  ['fi', 'meidän 4pv ikäsen tytön vaipassa on verta', { for_whom: 'other', sex: 'female', age: 0.01 }],
  ['en', 'gave birth 6 days ago and now heartburn since yesterday', { duration: days(1) }],
  ['fi', 'Tytöllä 1v 10kk oli yöllä korva kipeä', { for_whom: 'other', sex: 'female', age: 1.83 }],
  ['fi', 'Poika juoksi pöydän kulmaan, ikä 2v 4kk', { for_whom: 'other', sex: 'male', age: 2.33 }],
  ['fi', 'synnytin 6 päivää sitten ja nyt on kamala närästys', {}],
  ['fi', 'rinta kova ja punottava, synnytys 3 vk sitten', {}],
  ['fi', 'Poika 5 v. yskii', { for_whom: 'other', sex: 'male', age: 5 }],
  ['fi', 'verta pari kertaa, vaikka vaihdevuosista on jo 15 vuotta', {}],
  ['no', 'Gutten vår på 5 uker gulper veldig', { for_whom: 'other', sex: 'male', age: 0.1 }],
  ['no', 'Fødte for 3 uker siden og ammer', {}],
  ['no', 'Trenger sykmelding en uke eller to', {}],
  ['no', 'ikke blitt bedre på 5 uker', { duration: weeks(5) }],
  [
    'sv',
    'min son 2,5 år har 39,9 i feber',
    { for_whom: 'other', sex: 'male', age: 2.5, temperature: 39.9, fever: 'measured' },
  ],
  ['sv', 'vår tjej är 9 dagar och det blöder från naveln', { for_whom: 'other', sex: 'female', age: 0.02 }],
  ['sv', 'födde för 8 dagar sen och sover inget', {}],
  ['sv', 'ont i knät i 2 år', { duration: { amount: 2, unit: 'years' } }],
]

describe('facts that a text tells', () => {
  test.each(ROWS)('%s: %s', (language, text, facts) => {
    expect(Object.fromEntries(factsOf(text, language).map(({ question, value }) => [question, value]))).toEqual(facts)
  })

  test('the words that told a fact are given back as written', () => {
    expect(factsOf('Har haft FEBER 39,5 i Tre dagar', 'sv').map(({ words }) => words)).toEqual([
      'Tre dagar',
      '39,5',
      '39,5',
    ])
  })

  test('any text gets an answer', () => {
    for (const text of ['', ' ', '38', '°', '-', 'i', '999 years', 'İİİ 39.2 fever'])
      expect(factsOf(text, 'en').every(({ words }) => text.includes(words))).toBe(true)
  })
})
