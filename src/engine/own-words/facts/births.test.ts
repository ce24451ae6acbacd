import { describe, expect, test } from 'vitest'
import { factsOf, heardAs } from '../../../../test/world/facts.ts'
import type { Language } from '../../content.ts'

/** Who has given birth within six weeks, in their words or a partner's; and who has not. */
const BIRTHS: readonly (readonly [Language, string, unknown])[] = [
  ['en', 'had my baby six days ago, bad head', 'recent'],
  ['en', '6 days post partum and my leg is swollen', 'recent'],
  ['en', '6 days postpartum headache', 'recent'],
  ['en', 'im 6 days pp and feel hot', 'recent'],
  ['en', 'gave birth on Thursday and feel hot', 'recent'],
  ['en', 'gave birth thursday, now fever', 'recent'],
  ['en', 'gave birth last week', 'recent'],
  ['en', 'my wife gave birth on Thursday and has a fever', 'recent'],
  ['en', 'my partner had our baby six days ago, she is shivering', 'recent'],
  ['en', 'had a c-section 10 days ago', 'recent'],
  ['en', 'just had a baby and my head is splitting', 'recent'],
  ['en', 'two weeks after giving birth my leg swelled', 'recent'],
  ['en', 'gave birth to a boy, 6 days ago', 'recent'],
  ['en', 'I gave birth 20 hours ago', 'recent'],
  ['en', 'had our little boy last night', 'recent'],
  ['en', 'had the baby yesterday', 'recent'],
  ['en', 'my section was on Monday', 'recent'],
  ['fi', 'Synnytyksest 6 päivää ja päätä särkee', 'recent'],
  ['fi', 'synnytyksestä kuus päivää ja kova päänsärky', 'recent'],
  ['fi', 'synnytin viime torstaina ja nyt kuumetta', 'recent'],
  ['fi', 'synnytyksestä on nyt 6 päivää', 'recent'],
  ['fi', 'vaimoni synnytti torstaina ja hänellä on kuumetta', 'recent'],
  ['fi', 'synnytyksestä viikko', 'recent'],
  ['fi', 'sektiosta 5 päivää, haava punottaa', 'recent'],
  ['fi', 'synnytin eilen', 'recent'],
  ['fi', 'synnytys oli maanantaina', 'recent'],
  ['fi', 'saatiin vauva viikko sitten ja pohje turvoksissa', 'recent'],
  ['fi', 'olen juuri synnyttänyt ja päätä särkee', 'recent'],
  ['fi', 'puolisoni synnytti kuus päivää sitten', 'recent'],
  ['no', 'fødte torsdag og har feber', 'recent'],
  ['no', 'fødte på torsdag og har vondt i hodet', 'recent'],
  ['no', '6 dager siden fødsel, vondt i hodet', 'recent'],
  ['no', 'samboeren min fødte torsdag, feber nå', 'recent'],
  ['no', 'kona fødte i forrige uke', 'recent'],
  ['no', 'fikk baby for seks dager siden', 'recent'],
  ['no', 'har nettopp født og leggen er hoven', 'recent'],
  ['no', 'keisersnitt for 8 dager siden', 'recent'],
  ['no', 'det er nå 6 dager siden jeg fødte', 'recent'],
  ['no', 'fødselen var på mandag', 'recent'],
  ['no', 'fødte i går kveld', 'recent'],
  ['sv', 'min sambo födde i torsdags och har ont i bröstet', 'recent'],
  ['sv', 'födde i torsdas å har feber', 'recent'],
  ['sv', 'fick barn för sex dagar sen', 'recent'],
  ['sv', '6 dagar efter förlossningen, huvudvärk', 'recent'],
  ['sv', 'förlossningen var i måndags', 'recent'],
  ['sv', 'min fru födde förra veckan och skakar', 'recent'],
  ['sv', 'nyss fött och vaden är svullen', 'recent'],
  ['sv', 'kejsarsnitt för 8 dagar sedan, såret vätskar', 'recent'],
  ['sv', 'kom hem från BB i lördags, feber', 'recent'],
  ['sv', 'födde igår', 'recent'],
  ['en', 'gave birth 3 years ago, cough since Monday', undefined],
  ['en', 'gave birth in May, headache 3 days', undefined],
  ['en', 'had my baby 5 months ago and I am tired', undefined],
  ['en', 'planned c-section on Thursday', undefined],
  ['en', 'c-section in 6 days', undefined],
  ['en', 'I have not given birth yet, due on Thursday', undefined],
  ['en', 'the parcel was delivered and I cut my hand', undefined],
  ['fi', 'synnytin kolme vuotta sitten, yskä maanantaista', undefined],
  ['fi', 'sektio torstaina, mitä saa syödä', undefined],
  ['fi', 'sektio 6 päivän päästä', undefined],
  ['fi', 'synnytyksestä puoli vuotta', undefined],
  ['no', 'fødte for tre år siden, hoster siden mandag', undefined],
  ['no', 'keisersnitt på torsdag, hva kan jeg spise', undefined],
  ['no', 'keisersnitt om 6 dager', undefined],
  ['no', 'har ikke født ennå, termin torsdag', undefined],
  ['sv', 'födde för tre år sedan, hosta sen i måndags', undefined],
  ['sv', 'kejsarsnitt på torsdag, vad får jag äta', undefined],
  ['sv', 'kejsarsnitt om 6 dagar', undefined],
  ['sv', 'har inte fött än', undefined],
]

describe('a birth of late', () => {
  test.each(BIRTHS)('%s: %s', (language, text, recent) => {
    expect(heardAs(text, language, 'pregnancy')).toBe(recent)
    expect(heardAs(text, language, 'duration') === undefined || recent === undefined).toBe(true)
  })

  test('needs no date where a weekday tells it', () => {
    expect(factsOf('gave birth on Thursday and feel hot', 'en')).toEqual([
      { question: 'pregnancy', value: 'recent', words: 'gave birth on Thursday' },
    ])
  })
})
