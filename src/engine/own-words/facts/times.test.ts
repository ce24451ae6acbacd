import { describe, expect, test } from 'vitest'
import { days, factsOf, heardAs, hours, months, THURSDAY, weeks } from '../../../../test/world/facts.ts'
import type { Language, WrittenAt } from '../../content.ts'

const TIMES: readonly (readonly [Language, string, unknown])[] = [
  // Weekdays
  ['en', 'my ankle has been puffy since Monday', days(3)],
  ['en', 'hurting since thurs', days(7)],
  ['en', 'I slipped on the stairs on Saturday and my hip is sore', days(5)],
  ['en', 'cut it last sunday evening', days(4)],
  ['fi', 'korva ollu tukossa maanantaista asti', days(3)],
  ['fi', 'liukastuin pihalla lauantaina, ranne turvoksissa', days(5)],
  ['fi', 'ripulia keskiviikosta', days(1)],
  ['no', 'vondt i øret siden søndag', days(4)],
  ['no', 'falt på sykkel på lørdag og skuldra verker', days(5)],
  ['sv', 'ont i ryggen sen i tisdags', days(2)],
  ['sv', 'ramlade på isen i söndags', days(4)],
  // Parts of the day, yesterday, the night
  ['en', 'sick since yesterday evening', hours(15)],
  ['en', 'woke up this morning with a stiff neck', hours(5)],
  ['en', 'been off since lunch', { amount: 1, unit: 'hours' }],
  ['en', 'burnt my finger just now', { amount: 30, unit: 'minutes' }],
  ['fi', 'pää särkeny eilisillasta', hours(16)],
  ['fi', 'viime yönä alkoi oksentaa', hours(10)],
  ['fi', 'kaadoin keittoa jalalle hetki sitten', { amount: 30, unit: 'minutes' }],
  ['fi', 'toissapäivänä nousi kuume', days(2)],
  ['no', 'kastet opp siden i går kveld', hours(16)],
  ['no', 'fikk vondt i magen i natt', hours(10)],
  ['no', 'brente meg på grillen for litt siden', { amount: 30, unit: 'minutes' }],
  ['no', 'svimmel siden i forgårs', days(2)],
  ['sv', 'kräkts sen inatt', hours(10)],
  ['sv', 'getingen stack mig igår eftermiddag', hours(21)],
  ['sv', 'skar mig nyss på en burk', { amount: 30, unit: 'minutes' }],
  ['sv', 'yr sedan i förrgår', days(2)],
  // Weeks, seasons and months
  ['en', 'cough for a good week', weeks(1)],
  ['en', 'knee sore since the summer', months(3)],
  ['en', 'itchy scalp since january', months(9)],
  ['fi', 'yskä reilun viikon', weeks(1)],
  ['fi', 'polvi vaivannut kesästä lähtien', months(3)],
  ['fi', 'nuhaa toista viikkoa', weeks(2)],
  ['no', 'hostet i over en uke', weeks(1)],
  ['no', 'trøtt siden i vår', months(6)],
  ['no', 'tredje dagen med feber', days(3)],
  ['sv', 'hostat i drygt en vecka', weeks(1)],
  ['sv', 'trött sen i våras', months(6)],
  ['sv', 'ont i knät sedan ett halvår', months(6)],
  // Ranges, rough and spoken amounts
  ['en', 'sore eyes 2-3 days', days(3)],
  ['en', 'runny nose couple days', days(2)],
  ['fi', 'vatta kipee kolmisen päivää', days(3)],
  ['fi', 'kurkku kipee jo pari viikkoo', weeks(2)],
  ['no', 'vore sjuk i tre dagar', days(3)],
  ['no', 'verk i kneet 3-4 uker', weeks(4)],
  ['sv', 'förkyld i tre dar', days(3)],
  ['sv', 'hostar ett par veckor nu', weeks(2)],
]

const ON_TUESDAY: WrittenAt = { weekday: 1, month: 11, hour: 8 }
const ON_SATURDAY: WrittenAt = { weekday: 5, month: 11, hour: 8 }
const ON_SUNDAY: WrittenAt = { weekday: 6, month: 11, hour: 8 }

/** The last time of many is not when it began, nor is one trouble as old as another. */
const OTHER_TIMES: readonly (readonly [Language, string, unknown])[] = [
  ['en', 'woke again this morning with a numb hand, three weeks now at night', weeks(3)],
  ['en', 'started three weeks ago at night, woke again this morning with a numb hand', weeks(3)],
  ['en', 'woke again this morning with a numb hand', undefined],
  ['en', 'woke up this morning with pins and needles, it happens most nights', undefined],
  ['en', 'numb hand for weeks, woke with it this morning', undefined],
  ['en', 'cough for weeks and a fever since yesterday', null],
  ['en', 'had sciatica 8 years ago and it flared up on Friday', days(6)],
  ['en', 'sciatica 8 years ago that has come back again', undefined],
  ['en', 'hurt my knee 2 months ago and it never healed', months(2)],
  ['en', 'cough for 3 weeks, fever for 2 days', null],
  ['en', 'was sick last night, the black stools were there a week ago', null],
  ['en', 'had a cold for two weeks, the pain in my chest came on last night', null],
  ['fi', 'heräsin taas tänä aamuna käsi puutuneena, kolme viikkoa öisin', weeks(3)],
  ['fi', 'heräsin taas tänä aamuna käsi puutuneena', undefined],
  ['fi', 'yskää kolme viikkoa, kuumetta kaksi päivää', null],
  ['fi', 'eilen illalla oksensin, mustat ulosteet kuusi päivää', days(6)],
  ['fi', 'iskias 8 vuotta sitten ja nyt uusiutui perjantaina', days(6)],
  ['no', 'kastet opp i går kveld, svart avføring i seks dager', days(6)],
  ['no', 'kastet opp i går kveld, svart avføring en stund', undefined],
  ['no', 'i går kveld kastet jeg opp, for seks dager siden var avføringen svart', null],
  ['no', 'våknet igjen i morges med nummen hånd, tre uker nå om natta', weeks(3)],
  ['no', 'hoste i tre uker, feber i to dager', null],
  ['en', 'no wet nappy since last night, he is feverish, 14 months', hours(15)],
  ['en', "she's 9 weeks and has not pooed since Saturday", days(5)],
  ['en', 'right arm is weak, started half an hour ago', { amount: 30, unit: 'minutes' }],
  ['en', 'tight chest on and off since yesterday', days(1)],
  ['fi', 'rintakipua ollut kahden viikon ajan', weeks(2)],
  ['no', 'mor kjente meg ikke igjen i går', days(1)],
  ['sv', 'slog i huvudet i förrgår, det är värre för varje dag', days(2)],
  ['sv', 'kräktes igår kväll, svart avföring i sex dagar', days(6)],
  ['sv', 'vaknade igen i morse med domnad hand', undefined],
  ['sv', 'hostat i tre veckor, feber i två dagar', null],
  ['sv', 'ont i halsen sedan igår, hur länge ska man vänta?', days(1)],
]

/** Times of something else, or of no past. */
const NO_TIMES: readonly (readonly [Language, string])[] = [
  ['en', 'I have been on antibiotics since Monday and have a rash'],
  ['en', 'my hip operation was 9 days ago and the scar is red'],
  ['en', 'the appointment is on Friday, can I move it'],
  ['en', "can't see the dentist until thursday"],
  ['en', 'I smoke a pack a day, is it bad for 2 week baby?'],
  ['en', 'high fever and shivers, 5 years'],
  ['en', 'more tired than yesterday'],
  ['en', 'we flew home 2 weeks ago'],
  ['en', 'had the twins nearly 4 wks ago, just this annoying cough at night'],
  ['en', 'big toe is on fire again. Last time was 2 yrs back'],
  ['en', 'got my helix done 9 days ago and the ear is so red'],
  ['en', 'baby 6 weeks has a stuffy nose'],
  ['fi', 'alkanu taas pissaan sänkyyn vaikka ollu kuiva jo kaks vuotta'],
  ['fi', 'vauva 6 vkoa on vähän nuhainen'],
  ['no', 'trenger nye penner, flere år siden sist hun reagerte'],
  ['sv', 'vet inte om hon behöver dom längre, va flera år sen sist'],
  ['sv', 'Tjejen, 16 mån, dreglar massor'],
  ['en', 'a tickly cough for weeks and weeks'],
  ['fi', 'yskinyt viikkokausia'],
  ['no', 'har hostet i ukevis'],
  ['sv', 'har hostat i veckor'],
  ['fi', 'söin antibioottia viime viikolta'],
  ['fi', 'leikkauksesta on 9 päivää ja haava punoittaa'],
  ['fi', 'lääkäriaika olisi torstaina'],
  ['fi', 'kipu jatkuu aamusta iltaan'],
  ['fi', 'viikon sairausloma tarvittaisiin'],
  ['no', 'går på penicillin siden mandag'],
  ['no', 'opererte kneet for 9 dager siden'],
  ['no', 'stingene skal ut på onsdag'],
  ['no', 'må vi vekke ham i natt?'],
  ['no', 'øm på ett punkt'],
  ['sv', 'jag äter en kur mot urinvägsinfektion sedan förra veckan'],
  ['sv', 'opererades för 9 dagar sedan'],
  ['sv', 'måste vi väcka henne i natt?'],
  ['sv', 'röker ett paket om dagen'],
  ['sv', 'sockersjuk, diabetes sen 20 år'],
]

describe('how long it has lasted', () => {
  test.each(TIMES)('%s: %s', (language, text, duration) => {
    expect(heardAs(text, language, 'duration')).toEqual(duration)
  })

  test.each(NO_TIMES)('is not told in %s: %s', (language, text) => {
    expect(heardAs(text, language, 'duration')).toBeUndefined()
  })

  test.each(OTHER_TIMES)('is the one time that the trouble has in %s: %s', (language, text, duration) => {
    expect(heardAs(text, language, 'duration')).toEqual(duration)
  })

  test('is told several times where several are told, though none is proposed', () => {
    expect(factsOf('cough for 3 weeks, fever for 2 days', 'en')).toEqual([
      { question: 'duration', value: null, words: '3 weeks', several: true },
    ])
  })

  test.each([
    ['back pain since Friday', ON_TUESDAY, days(4)],
    ['back pain since the weekend', ON_TUESDAY, days(3)],
    ['back pain since the weekend', THURSDAY, days(5)],
    ['back pain since the weekend', ON_SUNDAY, days(1)],
    ['back pain since the weekend', ON_SATURDAY, undefined],
    ['fell last weekend', ON_SATURDAY, days(7)],
    ['fell last weekend', ON_TUESDAY, days(3)],
  ] as const)('is counted from a day of the week: %s', (text, writtenAt, duration) => {
    expect(factsOf(text, 'en', writtenAt).find(({ question }) => question === 'duration')?.value).toEqual(duration)
  })

  test.each([
    ['en', 'Cough, 3 weeks. Fever, 2 days.'],
    ['en', 'Tired, 6 months, headache since yesterday'],
    ['en', 'Weight loss: 3 months. Night sweats: 2 weeks.'],
    ['en', "she's 3 weeks with a cough, feverish since yesterday"],
    ['en', 'my son: cough, 3 weeks. Fever, 2 days.'],
    ['en', 'no wet nappy since last night, he is feverish, 14 months'],
    ['en', 'Itchy legs (2 months), swollen ankles since Monday'],
    ['fi', 'Yskää, 3 viikkoa, kuumetta eilisestä'],
    ['fi', 'Väsymys: 2 kuukautta. Huimaus: 3 viikkoa.'],
    ['no', 'Hoste, 3 uker. Feber siden i går'],
    ['no', 'Slapp, 4 måneder, vondt i brystet siden mandag'],
    ['sv', 'Hosta, 3 veckor, feber sedan igår'],
    ['sv', 'Trött: 5 månader. Yr: 2 dagar.'],
  ] as const)('is told several times where one of them may be an age and may be none, in %s: %s', (language, text) => {
    const duration = factsOf(text, language, THURSDAY).find(({ question }) => question === 'duration')
    expect(duration).toMatchObject({ several: true })
  })

  test.each([
    ['en', "she's 9 weeks and has not pooed since Saturday"],
    ['en', "he's 4 months, coughing for two days"],
    ['en', 'cough, 3 weeks, so for 3 weeks now'],
    ['sv', 'hon är 7 veckor, kräks sedan igår'],
  ] as const)('is told once beside what is surely an age, and where both are the same, in %s: %s', (language, text) => {
    const duration = factsOf(text, language, THURSDAY).find(({ question }) => question === 'duration')
    expect(duration?.value).toBeTruthy()
    expect(duration).not.toHaveProperty('several')
  })

  test('is not counted from a weekday or a month while nobody knows which day it is', () => {
    for (const text of ['sore since Monday', 'sore since spring']) expect(factsOf(text, 'en')).toEqual([])
  })

  test('comes before when it happened, and says when other times are told too', () => {
    expect(factsOf('fell yesterday, dizzy for two hours', 'en')).toEqual([
      { question: 'duration', value: hours(2), words: 'two hours', several: true },
    ])
    expect(factsOf('sore for two days, as I said 2 days', 'en')[0]).not.toHaveProperty('several')
  })
})
