import type { DurationUnit, Language } from '../content.ts'

/** The words by which one language tells how long, how hot, how old and of whom. All are folded. */
export interface FactWords {
  readonly numbers: Readonly<Record<string, number>>
  readonly units: Readonly<Record<string, DurationUnit>>
  /** "for three days": how long something has been is told after one of these, or before one of those. */
  readonly before: readonly string[]
  readonly after: readonly string[]
  /** "three days ago", "three years old": not how long it has been. */
  readonly notAfter: readonly string[]
  /** Units that tell how long without any of these, in a language whose cases say it. */
  readonly alone: readonly string[]
  readonly sinceYesterday: readonly (readonly string[])[]
  /** How words of fever begin. */
  readonly fever: readonly string[]
  readonly degrees: readonly string[]
  /** How words begin that make a number an age. */
  readonly aged: readonly string[]
  /** A person spoken of at the beginning: "my son". */
  readonly others: readonly string[]
}

const words = (text: string) => text.split(' ')
const counted = (text: string) => Object.fromEntries(words(text).map((word, at) => [word, at + 1]))
const units = (of: Record<DurationUnit, string>) =>
  Object.fromEntries(
    (Object.keys(of) as DurationUnit[]).flatMap((unit) => words(of[unit]).map((word) => [word, unit] as const)),
  )

export const FACT_WORDS: Readonly<Record<Language, FactWords>> = {
  en: {
    numbers: { ...counted('one two three four five six seven eight nine ten eleven twelve'), a: 1, an: 1 },
    units: units({
      minutes: 'minute minutes mins',
      hours: 'hour hours hrs',
      days: 'day days',
      weeks: 'week weeks',
      months: 'month months',
      years: 'year years',
    }),
    before: words('for past last'),
    after: words('now'),
    notAfter: words('ago old later each'),
    alone: [],
    sinceYesterday: [words('since yesterday')],
    fever: words('fever temperature temp'),
    degrees: words('degrees degree celsius'),
    aged: words('old'),
    others: words('son daughter child kid baby toddler boy girl mother mum mom father dad wife husband'),
  },
  fi: {
    numbers: counted('yksi kaksi kolme nelja viisi kuusi seitseman kahdeksan yhdeksan kymmenen'),
    units: units({
      minutes: 'minuuttia minuutin',
      hours: 'tuntia tunnin',
      days: 'paivaa paivan vuorokautta',
      weeks: 'viikkoa viikon',
      months: 'kuukautta kuukauden kk',
      years: 'vuotta vuoden',
    }),
    before: words('jo kestanyt'),
    after: words('ajan nyt'),
    notAfter: words('sitten vanha paasta kuluttua valein ikainen'),
    alone: words('minuuttia tuntia paivaa vuorokautta viikkoa kuukautta'),
    sinceYesterday: [words('eilisesta'), words('alkoi eilen'), words('eilen alkoi'), words('eilen alkanut')],
    fever: words('kuume lampo'),
    degrees: words('astetta aste celsiusta'),
    aged: words('vuotia kuukauti ikai'),
    others: words('poikani tyttareni lapseni vauvani taaperoni aitini isani vaimoni mieheni poikamme tyttaremme'),
  },
  no: {
    numbers: { ...counted('en to tre fire fem seks sju atte ni ti'), ett: 1, syv: 7 },
    units: units({
      minutes: 'minutt minutter',
      hours: 'time timer',
      days: 'dag dager dagene dogn',
      weeks: 'uke uker ukene',
      months: 'maned maneder manedene',
      years: 'ar arene',
    }),
    before: words('i siste'),
    after: words('na'),
    notAfter: words('siden gammel gammelt senere'),
    alone: [],
    sinceYesterday: [words('siden i gar'), words('siden igar'), words('fra i gar')],
    fever: words('feber temperatur'),
    degrees: words('grader grad celsius'),
    aged: words('gammel aring'),
    others: words('sonn sonnen datter datteren barn barnet baby babyen mor far kone mann gutt jente'),
  },
  sv: {
    numbers: counted('en tva tre fyra fem sex sju atta nio tio'),
    units: units({
      minutes: 'minut minuter',
      hours: 'timme timmar',
      days: 'dag dagar dagarna dygn',
      weeks: 'vecka veckor veckorna',
      months: 'manad manader manaderna',
      years: 'ar aren',
    }),
    before: words('i senaste sedan sen'),
    after: words('nu'),
    notAfter: words('sedan sen gammal gammalt senare'),
    alone: [],
    sinceYesterday: [words('sedan i gar'), words('sedan igar'), words('sen igar'), words('sen i gar')],
    fever: words('feber temp'),
    degrees: words('grader grad celsius'),
    aged: words('gammal aring'),
    others: words('son sonen dotter dottern barn barnet bebis bebisen mamma pappa fru man pojke flicka'),
  },
}

/** Words between what announces a length of time and its number: "for about three days". */
export const ABOUT = words(
  'the about around over almost nearly noin yli de ca omtrent nesten ungefar cirka nastan snart',
)
/** "my son", "min sønn": in Finnish the word itself says whose. */
export const MINE = words('my our min mitt var vart vares')
