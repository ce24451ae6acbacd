import { describe, expect, test } from 'vitest'
import { days, factsOf, hours, months, weeks } from '../../../../test/world/facts.ts'
import type { Language } from '../../content.ts'

/** A text, and what it tells. */
type Row = readonly [Language, string, Readonly<Record<string, unknown>>]

const ROWS: readonly Row[] = [
  ['en', 'sore throat for three days', { duration: days(3) }],
  ['en', 'cough 2 weeks now', { duration: weeks(2) }],
  ['en', 'the last 2 weeks my knee hurts', { duration: weeks(2) }],
  ['no', 'de siste 3 dagene har jeg hatt tørr hoste', { duration: days(3) }],
  ['sv', 'senaste 2 veckorna har jag haft torr hosta', { duration: weeks(2) }],
  ['en', 'my back has hurt for a couple of weeks', { duration: weeks(2) }],
  ['en', 'started 2 hours ago', { duration: hours(2) }],
  ['en', 'headache since yesterday', { duration: days(1) }],
  ['en', 'tired all the time, I sleep 10 hours and wake up tired', {}],
  ['en', 'had him 6 days ago and this headache will not shift', { pregnancy: 'recent' }],
  ['en', 'could not sleep for 3 weeks', { duration: weeks(3) }],
  ['en', 'dizzy for half an hour', { duration: { amount: 30, unit: 'minutes' } }],
  ['en', 'it comes every 3 days', {}],
  ['en', 'I take it 3 times a day', {}],
  ['en', 'my appointment is in 2 weeks', {}],
  ['en', 'ten years ago I had a heart attack', {}],
  ['en', 'fever of 39.4 since this morning', { duration: hours(6), temperature: 39.4, fever: 'measured' }],
  ['en', 'temp is 102 F', { temperature: 38.9, fever: 'measured' }],
  ['en', 'blood pressure 140/95', pressure(140, 95)],
  ['en', 'I weigh 98 kg and my knee hurts', {}],
  ['en', 'my 3-year-old has a fever of 39', { for_whom: 'other', age: 3, temperature: 39, fever: 'measured' }],
  ['en', 'My daughter is 6 months old and coughs', { for_whom: 'other', sex: 'female', age: 0.5 }],
  ['en', 'my son has had a rash for 4 days', { for_whom: 'other', sex: 'male', duration: days(4) }],
  ['en', "I'm 45 and my knee hurts", { age: 45 }],
  ['en', 'I am a 72 year old man with swollen legs', { age: 72 }],
  ['en', 'my husband is very confused', { for_whom: 'other', sex: 'male' }],
  ['en', 'I have a cough, my husband had it too', {}],
  ['en', 'my baby is 6 weeks old and will not feed', { for_whom: 'other', age: 0.11 }],
  ['en', 'I am 32 weeks pregnant', pregnant(32)],
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
  ['sv', 'har sovit 9 timmar och är ändå slut', {}],
  ['sv', 'inte sovit på 3 dagar', { duration: days(3) }],
  ['sv', 'ont i halsen i tre dagar', { duration: days(3) }],
  ['sv', 'hosta i 2 veckor', { duration: weeks(2) }],
  ['sv', 'huvudvärk sedan igår', { duration: days(1) }],
  ['sv', 'feber 39,5 sen i morse', { duration: hours(6), temperature: 39.5, fever: 'measured' }],
  ['sv', 'min 3-åring har feber 40', { for_whom: 'other', age: 3, temperature: 40, fever: 'measured' }],
  ['sv', 'min dotter har haft utslag i ett par dagar', { for_whom: 'other', sex: 'female', duration: days(2) }],
  ['sv', 'bebisen är 7 veckor gammal', { for_whom: 'other', age: 0.13 }],
  ['sv', 'jag är 38 och gravid', { age: 38, pregnancy: 'yes' }],
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
  ['en', 'I am pregnant 6 month, in night my legs is crazy', pregnant(26)],
  ['en', 'i have baby 6 days ago, pain in head', { pregnancy: 'recent' }],
  ['en', 'smashed my baby toe into the bed frame', {}],
  ['en', 'been with my husband 11 years and now this letter', {}],
  ['en', 'my husband 71 years old has a cough', { age: 71 }],
  ['en', 'i drive taxi, sitting all day, sore between the legs', {}],
  ['en', 'needing a sick line for two weeks', {}],
  ['no', 'gift med mannen 20 år og nå klør det', {}],
  ['no', 'sitter hele dagen og er stiv i nakken', {}],
  ['sv', 'står hela dagen och har ont i hälen', {}],
  ['fi', 'istun koko päivän ja niska on jumissa', {}],
  ['en', 'Geoff has his vertigo back. He had it 3 yr ago and it went', {}],
  ['en', 'had this cough a couple of months', { duration: months(2) }],
  ['en', 'shot in my knee, felt great two days and now it hurts worse', {}],
  ['en', 'was fine until two days ago, now dizzy', { duration: days(2) }],
  ['en', 'shivering comes and goes, felt okay yesterday', {}],
  ['en', 'I make the test yesterday, only one line', {}],
  ['en', 'two weeks in the walking boot and the leg is tight', {}],
  ['fi', 'selkä taas jumissa, oli samaa kolme vuotta sitten', {}],
  ['no', 'svimmel igjen, hadde det for tre år siden', {}],
  ['sv', 'yrsel igen, hade det för tre år sedan', {}],
  ['sv', 'gips i två veckor och nu stramar det', {}],
  ['en', 'cough all night, chest tight at work', {}],
  ['en', 'itching all day and half the night for three weeks', { duration: weeks(3) }],
  ['fi', 'yskin koko yön', {}],
  ['no', 'hoster hele natta', {}],
  ['sv', 'hostar hela natten, klia hela dagen', {}],
  ['fi', 'meidän 4pv ikäsen tytön vaipassa on verta', { for_whom: 'other', sex: 'female', age: 0.01 }],
  ['en', 'gave birth 6 days ago and now heartburn since yesterday', { duration: days(1), pregnancy: 'recent' }],
  ['fi', 'Tytöllä 1v 10kk oli yöllä korva kipeä', { for_whom: 'other', sex: 'female', age: 1.83 }],
  ['fi', 'Poika juoksi pöydän kulmaan, ikä 2v 4kk', { for_whom: 'other', sex: 'male', age: 2.33 }],
  ['fi', 'synnytin 6 päivää sitten ja nyt on kamala närästys', { pregnancy: 'recent' }],
  ['fi', 'rinta kova ja punottava, synnytys 3 vk sitten', { pregnancy: 'recent' }],
  ['fi', 'Poika 5 v. yskii', { for_whom: 'other', sex: 'male', age: 5 }],
  ['fi', 'verta pari kertaa, vaikka vaihdevuosista on jo 15 vuotta', {}],
  ['no', 'Gutten vår på 5 uker gulper veldig', { for_whom: 'other', sex: 'male', age: 0.1 }],
  ['no', 'Fødte for 3 uker siden og ammer', { pregnancy: 'recent' }],
  ['no', 'Trenger sykmelding en uke eller to', {}],
  ['no', 'ikke blitt bedre på 5 uker', { duration: weeks(5) }],
  [
    'sv',
    'min son 2,5 år har 39,9 i feber',
    { for_whom: 'other', sex: 'male', age: 2.5, temperature: 39.9, fever: 'measured' },
  ],
  ['sv', 'vår tjej är 9 dagar och det blöder från naveln', { for_whom: 'other', sex: 'female', age: 0.02 }],
  ['sv', 'födde för 8 dagar sen och sover inget', { pregnancy: 'recent' }],
  ['sv', 'ont i knät i 2 år', { duration: { amount: 2, unit: 'years' } }],
]

const MEASURED: readonly Row[] = [
  ['en', 'my bp reads 174/101', pressure(174, 101)],
  ['en', '182 over 98 at the chemist', pressure(182, 98)],
  ['en', 'it said 150/92 and then 171/104', pressure(171, 104)],
  ['en', 'heart rate 128 lying down', { pulse_reading: 'measured', pulse: 128 }],
  ['en', 'blood sugar 306 mg', { sugar_reading: 'measured', sugar: 17 }],
  ['en', 'the app says potassium 6.6 in red', { potassium: 6.6 }],
  ['en', 'potassium was 4.2, normal', {}],
  ['en', 'potassium tablets 3 times a day', {}],
  ['en', 'potassium tablets, 2 every morning', {}],
  ['en', 'split it 50/50 and see on 12/10', {}],
  ['en', 'sugar free gum 3 times', {}],
  ['fi', 'verenpaine 168/99', pressure(168, 99)],
  ['fi', 'syke 132 levossa', { pulse_reading: 'measured', pulse: 132 }],
  ['fi', 'sokeri oli 18,4', { sugar_reading: 'measured', sugar: 18.4 }],
  ['fi', 'kalium oli kokeessa 6,7', { potassium: 6.7 }],
  ['fi', 'P-K 2,6 ja väsyttää', { potassium: 2.6 }],
  ['fi', 'yleensä paineet on 130/80', {}],
  ['no', 'blodtrykket var 174 over 101', pressure(174, 101)],
  ['no', 'puls på 118', { pulse_reading: 'measured', pulse: 118 }],
  ['no', 'blodsukkeret er 2,8', { sugar_reading: 'measured', sugar: 2.8 }],
  ['no', 'kalium er 6,5 på prøven', { potassium: 6.5 }],
  ['no', 'sukkerbelastning i uke 26', {}],
  ['sv', 'blodtrycket 180/110 nu', pressure(180, 110)],
  ['sv', 'vilopulsen är 125', { pulse_reading: 'measured', pulse: 125 }],
  ['sv', 'blodsocker 19,5', { sugar_reading: 'measured', sugar: 19.5 }],
  ['sv', 'kaliumet låg på 6,3', { potassium: 6.3 }],
  ['sv', 'kaliumtabletter 2 x 2', {}],
  ['sv', 'trycket brukar vara 140/85', {}],
]

const PREGNANCY: readonly Row[] = [
  ['en', 'I am 24 weeks pregnant', pregnant(24)],
  ['en', 'pregnant, week 31, and itchy', pregnant(31)],
  ['en', 'six months pregnant with heartburn', pregnant(26)],
  ['en', 'could I be pregnant', { pregnancy: 'possible' }],
  ['en', 'gave birth 8 days ago', { pregnancy: 'recent' }],
  ['en', 'what can I take while breastfeeding', { pregnancy: 'recent' }],
  ['en', 'what can i take im expecting', { pregnancy: 'yes' }],
  ['en', "I'm expecting, 34 weeks, and my neck hurts", pregnant(34)],
  ['en', 'up the duff and sore throat', { pregnancy: 'yes' }],
  ['en', "I'm expecting results next week", {}],
  ['en', "I'm expecting it to get worse", {}],
  ['en', 'I have a cough and my sister is expecting a baby', {}],
  ['fi', 'odotan vauvaa ja niska on jumissa', { pregnancy: 'yes' }],
  ['fi', 'odotan tuloksia, niska on jumissa', {}],
  ['no', 'venter barn og er stiv i nakken', { pregnancy: 'yes' }],
  ['no', 'venter på svar', {}],
  ['sv', 'jag är på smällen och stel i nacken', { pregnancy: 'yes' }],
  ['sv', 'väntar barn och har ont i nacken', { pregnancy: 'yes' }],
  ['sv', 'väntar på svar', {}],
  ['en', "I'm 33 weeks and have awful heartburn", pregnant(33)],
  ['en', '28 weeks gone, itchy palms', pregnant(28)],
  ['en', "I'm 6 weeks post op and sore", {}],
  ['en', '38 weeks, waters broke', {}],
  ['sv', 'är i v 28 och kliar överallt', pregnant(28)],
  ['no', 'er i uke 35, vondt i hodet', pregnant(35)],
  ['fi', 'olen 24 viikolla raskaana, kipua', pregnant(24)],
  ['en', 'I am not pregnant', {}],
  ['en', "can't be pregnant, I have a coil", {}],
  ['fi', 'en voi olla raskaana, kierukka on', {}],
  ['en', 'trying to get pregnant', {}],
  ['en', 'I have a cough and my sister is pregnant', {}],
  ['fi', 'raskausviikko 27 ja ummetusta', pregnant(27)],
  ['fi', 'rv 33+2, jalat turvoksissa', pregnant(33)],
  ['fi', 'olen raskaana', { pregnancy: 'yes' }],
  ['fi', 'synnytin kaksi viikkoa sitten', { pregnancy: 'recent' }],
  ['fi', 'imetän, mitä särkylääkettä saa ottaa', { pregnancy: 'recent' }],
  ['fi', 'en ole raskaana', {}],
  ['no', 'gravid i uke 30', pregnant(30)],
  ['no', 'jeg er 22 uker på vei', pregnant(22)],
  ['no', 'fødte for ti dager siden', { pregnancy: 'recent' }],
  ['no', 'ammer og har hodepine', { pregnancy: 'recent' }],
  ['no', 'ikke gravid', {}],
  ['no', 'prøver å bli gravid', {}],
  ['sv', 'gravid i vecka 24', pregnant(24)],
  ['sv', 'gv 34 och klåda', pregnant(34)],
  ['sv', 'födde för 8 dagar sedan', { pregnancy: 'recent' }],
  ['sv', 'vilka värktabletter får man ta när man ammar', { pregnancy: 'recent' }],
  ['sv', 'jag är inte gravid', {}],
  ['sv', 'ammar fortfarande, pojken är 7 månader', { for_whom: 'other', sex: 'male', age: 0.58 }],
]

function pressure(upper: number, lower: number) {
  return { pressure_reading: 'measured', pressure_upper: upper, pressure_lower: lower }
}

function pregnant(weeks: number) {
  return { pregnancy: 'yes', pregnancy_weeks: weeks }
}

describe('what was measured', () => {
  test.each(MEASURED)('%s: %s', (language, text, facts) => {
    expect(Object.fromEntries(factsOf(text, language).map(({ question, value }) => [question, value]))).toEqual(facts)
  })
})

describe('pregnancy', () => {
  test.each(PREGNANCY)('%s: %s', (language, text, facts) => {
    expect(Object.fromEntries(factsOf(text, language).map(({ question, value }) => [question, value]))).toEqual(facts)
  })
})

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
