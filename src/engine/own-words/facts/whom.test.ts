import { describe, expect, test } from 'vitest'
import { days, factsOf, heardAs, hours, THURSDAY, weeks } from '../../../../test/world/facts.ts'
import type { Language, WrittenAt } from '../../content.ts'

/** The writer tells of themselves, whoever else they name. */
const OWN: readonly (readonly [Language, string])[] = [
  // Somebody says, gives or has something
  ['en', 'I snore, my wife says it shakes the wall'],
  ['en', 'Spots on my chin. My sister swears by tea tree, does it work?'],
  ['en', 'My son bought me a pulse watch and it says 58, is that low?'],
  ['en', 'my wife says I mumble when she talks to me, ear is full of wax'],
  ['fi', 'Polvi naksuu. Tytär sanoo että pitäisi mennä magneettikuvaan'],
  ['fi', 'Mieheni sanoo että kuorsaan joka yö'],
  ['no', 'Kona sier jeg hoster som en gammel hund'],
  ['no', 'Fikk såpe i øyet i går og det svir ennå. Kona har øyedråper, kan jeg ta dem?'],
  ['sv', 'Tösen säger att det är en vårta på tummen'],
  ['sv', 'Min fru tycker att jag ska visa upp fläcken på ryggen'],
  // Whom the writer holds, feeds, meets
  ['en', 'wrist hurts from lifting my toddler'],
  ['en', 'caught this cold off someone, sore and snotty after a weekend with my grandson'],
  ['en', 'woke up sore, is ibuprofen safe for baby?'],
  ['en', 'a girl I kissed has glandular fever'],
  ['fi', 'nosteltiin pojan kanssa halkoja ja selkä on jumissa'],
  ['no', 'ble støl etter å ha båret med sønnen min på sofaen'],
  ['sv', 'brottades med sonen och har ont i nacken'],
  ['sv', 'hur länge smittar man om man har vinterkräksjuka'],
  // A baby beside the trouble of its mother
  ['en', "Baby is 3 weeks old and I can't stop crying"],
  ['en', 'My hair comes out in clumps. The baby is five months'],
  ['en', 'I keep forgetting things, the baby wakes all night'],
  ['en', 'Breastfeeding my five week old and my nipples are bleeding'],
  ['fi', 'Vauva on 7 viikkoa ja mulla on koko ajan paha olo'],
  ['no', 'Babyen er 3 uker og jeg gråter hver kveld'],
  ['sv', 'Bebisen är fyra veckor och jag sover ingenting'],
  ['en', '31 weeks pregnant and heartburn every night, baby is kicking'],
  ['fi', 'rv 30, vauva potkii ja närästää'],
  ['no', 'Fødte for fire dager siden, ei fin jente på 3600, og blør mye'],
  ['sv', 'födde en flicka för fem dagar sen, feber nu'],
  // How long something has not been is no age
  ['no', 'fikk et anfall i går, det første på tre år'],
  ['sv', 'tredje halsflussen på två år'],
]

/** It is about somebody else. */
const OTHERS: readonly (readonly [Language, string, 'male' | 'female' | undefined])[] = [
  ['en', 'my wife says she cannot feel her feet', 'female'],
  ['en', "My son's ear has been running since Sunday. I gave him Calpol", 'male'],
  ['en', 'Our daughter is hot and I can see her ribs when she breathes', 'female'],
  ['en', 'my 2 year old has a barking cough, should I bring him in?', undefined],
  ['en', 'The baby has not fed since noon, what should I do?', undefined],
  ['en', "Sorry to bother you. My husband can't lift his arm", 'male'],
  ['en', 'my wife had our baby last week and she is not making sense', 'female'],
  ['fi', 'Lapsi kaatui pyörällä ja kyynärpää on turvoksissa', undefined],
  ['fi', 'Tytöllä on ollut yskä, hän ei nuku', 'female'],
  ['no', 'Kona mi har høy feber og er helt borte', 'female'],
  ['no', 'dattera mi har prikker på magen, hva gjør jeg?', 'female'],
  ['sv', 'Min dotter hostar, ska jag ge henne något?', 'female'],
  ['sv', 'min man har ramlat och kan inte gå', 'male'],
]

/** How old the patient is, where several ages are told or it stands alone. */
const AGES: readonly (readonly [Language, string, number | undefined])[] = [
  ['en', "He's 5 weeks.", 0.1],
  ['en', "Our daughter's six weeks and brings up milk", 0.11],
  ['en', 'My son is 2 years and coughs, his sister is four months old', 2],
  ['en', "My daughter got married and I've come out in spots. I'm 56!", 56],
  ['en', 'is the coil free over 25 years old? i am 22', 22],
  ['fi', 'polvi kipeä, ikää on jo 71', 71],
  ['fi', 'ikä 43, päänsärkyä', 43],
  ['fi', 'onko se ilmainen alle 25 v, olen 19', 19],
  ['no', 'fikk migrene som tjueåring og nå er jeg 41', 41],
  ['no', 'klumpen har ikke gått bort på to måneder', undefined],
  ['no', 'dattra mi på 14 mnd hoster', 1.17],
  ['sv', 'har inte haft mens på fyra månader', undefined],
  ['sv', 'vår son på 3 år har feber', 3],
  ['en', 'Baby is 6 weeks old and I feel low', undefined],
]

const IN_NOVEMBER: WrittenAt = { weekday: 3, month: 11, hour: 12 }

/** What looks like how long, and is not; or is, beside something that came later. */
const DURATIONS: readonly (readonly [Language, string, unknown])[] = [
  ['en', 'gas since morning', hours(4)],
  ['en', "Our daughter's six weeks and brings up milk", undefined],
  ['en', 'took my pill 14 hours late', undefined],
  ['en', 'is this the 4 month regression', undefined],
  ['en', 'strained my back on Monday, some spots came yesterday as well', undefined],
  ['fi', 'Vauva 6 viikkoa pulauttelee', undefined],
  ['fi', 'kuukautiset 6 päivää myöhässä', undefined],
  ['fi', 'Asun Suomessa kaksi vuotta, iho kutisee', undefined],
  ['no', 'forstrakk meg da jeg la inn kull på mandag. I går kom det noen kviser der også', days(3)],
  ['no', 'Baby 6 uker gulper', undefined],
  ['no', 'første anfall på tre år', undefined],
  ['no', 'ikke blitt bedre på fem uker', weeks(5)],
  ['sv', 'sjunde halsflussen på ett år', undefined],
  ['sv', 'Bebis 7 veckor kräks lite efter maten', undefined],
]

const told = (text: string, language: Language, asked: string) =>
  factsOf(text, language, THURSDAY).find(({ question }) => question === asked)?.value

describe('whom a text is about', () => {
  test.each(OWN)('%s, the writer: %s', (language, text) => {
    expect(told(text, language, 'for_whom')).toBeUndefined()
    expect(told(text, language, 'sex')).toBeUndefined()
    expect(told(text, language, 'age')).toBeUndefined()
  })

  test.each(OTHERS)('%s, somebody else: %s', (language, text, sex) => {
    expect(told(text, language, 'for_whom')).toBe('other')
    expect(told(text, language, 'sex')).toBe(sex)
  })

  test.each(AGES)('%s, of an age: %s', (language, text, age) => {
    expect(told(text, language, 'age')).toBe(age)
  })

  test.each(DURATIONS)('%s, so long: %s', (language, text, duration) => {
    expect(heardAs(text, language, 'duration')).toEqual(duration)
  })

  test('a season that has hardly begun does not say how long', () => {
    const since = (text: string, language: Language) =>
      factsOf(text, language, IN_NOVEMBER).find(({ question }) => question === 'duration')?.value
    expect(since('sover dåligt sen i höstas', 'sv')).toBeUndefined()
    expect(since('sleeping badly since the autumn', 'en')).toBeUndefined()
    expect(since('huonosti nukuttu kesästä', 'fi')).toEqual({ amount: 4, unit: 'months' })
  })

  test('a cousin who is pregnant is not the patient', () => {
    expect(told('my cousin is pregnant, can she catch my chickenpox', 'en', 'pregnancy')).toBeUndefined()
    expect(told('kusina mi er gravid, kan jeg smitte henne', 'no', 'pregnancy')).toBeUndefined()
  })
})
