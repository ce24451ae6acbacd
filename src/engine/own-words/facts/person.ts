import { type DurationUnit, type Language, MINUTES_IN } from '../../content.ts'
import { perLanguage } from '../../languages.ts'
import type { Found } from './facts.ts'
import { anyOf } from './letters.ts'
import { isAboutYoung, otherIn, tellsOfWriter } from './whom.ts'
import { FACT_WORDS, type FactWords } from './words.ts'

const OLDEST = 120
/** Nobody of an age under this writes for themselves. */
const YOUNGEST_WRITER = 10

/** "With my husband 11 years": how long they have been together. */
const TOGETHER = /\b(?:with|to|med) (?:my |min |mi )?$/

/** "Over 60 years old", "as a 20-year-old", "ilmainen alle 25 v". */
const NO_AGE_AFTER =
  'under|over|above|below|alle|yli|til|till|from|fra|fran|since|som|at|as an?|until|siden|sedan|like an?'

interface Grammar {
  readonly aged: RegExp
  /** Before an age: it is nobody's of now. */
  readonly notAged: RegExp
  /** At the end of what stands before an age: whose it is. */
  readonly person: RegExp
  readonly somebody: RegExp
  readonly beside: RegExp
  readonly young: RegExp
  /** "Born 8 days ago": the age of whom it is about, where the mother does not speak of herself. */
  readonly bornAgo: RegExp
  readonly andMonths: RegExp
  readonly iAm: RegExp
  readonly iHave: RegExp
}

const all = ({ male, female, either }: FactWords['adults']) => anyOf(`${male} ${female} ${either}`)

/** Ages that are told in days, weeks and months: only where they can hardly be how long something has lasted. */
function youngWays(words: FactWords, many: string): string[] {
  const { units, children, babies, newborns, ofAge, heIs, only, my, is, ails, joins, agedIn, lasts } = words
  const amount = (spans: string) => `(?<amount>\\d{1,2}|${many}) ?(?<unit>${anyOf(spans)})`
  const young = `${units.days} ${units.weeks}`
  const upToMonths = `${young} ${units.months}`
  const ours = `(?: (?:${anyOf(my)}))?`
  const child = `(?:${all(children)}|${anyOf(newborns)})${ours}`
  const baby = `(?:${anyOf(`${babies} ${newborns}`)})${ours}`
  const first = (marks: string) => `(?<=(?:^|[${marks}]) {0,2}(?:(?:${anyOf(my)}) )?)`
  const firstOfClause = first('.,;:(!?\\n')
  const stop = ' ?(?:[.,;:)!?\\n]|$)'
  const last = `(?=${stop}| (?:${anyOf(joins)})(?![a-z]))`
  return [
    // "My baby is 5 weeks", "she is only 8 days", but not "she is only 3 days with a fever"; "gutten vår på 5 uker"
    `${child}(?: (?:${anyOf(is)})|'s)(?: (?:${anyOf(only)}))? ${amount(young)}${last}`,
    // "He's 5 weeks."
    `(?:${anyOf(heIs)}) ${amount(`${units.weeks} ${units.months}`)}(?=${stop})`,
    `(?:${anyOf(heIs)}) (?:${anyOf(only)}) ${amount(upToMonths)}${last}`,
    `${child},? (?:${anyOf(ofAge)}) ${amount(upToMonths)}`,
    // "Baby (8 days)", but not "baby (3 days of fever)"; "newborn 8 days"
    `${baby} ?\\(${amount(upToMonths)} ?\\)`,
    `(?:${anyOf(newborns)}),? ${amount(young)}`,
    // "Vauva 6 vkoa on nuhainen", "baby, 12 days, …", "5 kk vauvalla", but not "cough, fever in baby, 3 days", "kuumetta 3 päivää vauvalla"
    `${firstOfClause}${baby},? ${amount(units.weeks)}(?=${stop}| (?:${anyOf(ails)})(?![a-z]))`,
    `${first('.!?\\n')}${baby},? ${amount(units.days)}(?=${stop})`,
    `${firstOfClause}${amount(units.months)} ${baby}`,
    // "5 månaders bebis"
    `${amount(upToMonths)}s ${baby}`,
    ...agedIn.map(
      ([ends]) =>
        `(?<amount>\\d{1,2}|${many})[ -]?(?<unit>${anyOf(ends)})(?!(?<=nen) [a-z]*(?:${anyOf(lasts)})(?![a-z]))`,
    ),
  ]
}

const GRAMMARS = perLanguage((language: Language): Grammar => {
  const { units, numbers, age, old, aged, iAm, my, children, adults, iHave, is, man, woman, born } =
    FACT_WORDS[language]
  const many = anyOf(
    Object.keys(numbers)
      .filter((word) => !word.includes(' '))
      .join(' '),
  )
  const spans = anyOf([units.days, units.weeks, units.months, units.years].join(' '))
  const ago = `(?:for )?(?<amount>\\d{1,2}|${many}) ?(?<unit>${anyOf(`${units.days} ${units.weeks} ${units.months}`)}) (?:ago|sitten|siden|sia|sedan|sen)`
  return {
    // "3-year-old", "6 weeks old", "3-vuotias", "3-åring", "på 3 år"
    aged: new RegExp(
      `\\b(?:(?<amount>\\d{1,3}|${many})[ -]{0,2}(?:(?<unit>${spans})[ -]{1,2}(?:${anyOf(old)})|(?:${anyOf(aged)}))|pa (?<amount>\\d{1,3}|${many}) (?<unit>${anyOf(`${units.months} ${units.years}`)})|(?:${anyOf(age)}):? (?:(?:${anyOf(is)}) )?(?:jo )?(?<amount>\\d{2,3})(?! ?(?:${anyOf(Object.values(units).join(' '))}|[.,%]\\d)))(?![a-z0-9])`,
      'g',
    ),
    notAged: new RegExp(`\\b(?:${NO_AGE_AFTER}) $`),
    person: new RegExp(
      `\\b(?:(?:${all(children)}|${all(adults)}|${anyOf(`${man} ${woman} han hun ho hon en ei`)})(?: (?:${anyOf(my)}))?|(?:${anyOf(my)}) [a-z]+|[a-z]+ (?:${anyOf(my)})|(?:${anyOf(my)}))[ ,(]*$`,
    ),
    somebody: new RegExp(`\\b(?!(?:${anyOf(`${man} ${woman}`)})\\b)(?:${all(children)}|${all(adults)})\\b`),
    // "my son, 4 years", "datteren (3 år)", "man 45 år", "pojalla 2 v": years and months, since "my son 3 days" is how long.
    beside: new RegExp(
      `\\b(?:(?:${all(children)}|${all(adults)}|${anyOf(`${man} ${woman}`)})(?: (?:${anyOf(my)}))?(?: (?:${anyOf(is)}) |, ?| ?\\(| )|(?:${anyOf(age)}):? )(?<amount>\\d{1,2}(?:[.,]5)?|${many}) ?(?<unit>${anyOf(`${units.months} ${units.years}`)})(?![a-z])`,
    ),
    young: new RegExp(`\\b(?:${youngWays(FACT_WORDS[language], many).join('|')})(?![a-z])`),
    bornAgo: new RegExp(`\\b(?:(?:${anyOf(born)}) ${ago}|${ago} (?:${anyOf(born)}))\\b`),
    // "2 v 4 kk"
    andMonths: new RegExp(`^,? ?(?:and |ja |og |och )?\\d{1,2} ?(?:${anyOf(units.months)})(?![a-z])`),
    iAm: new RegExp(
      `\\b(?:${anyOf(iAm)}) (?:an? |en |ett )?(\\d{2})(?! ?(?:${anyOf(`${units.weeks} ${units.days} ${units.months}`)}|[.,%]\\d))\\b`,
    ),
    iHave: new RegExp(`\\b(?:${anyOf(iHave)})\\b`),
  }
})

/** Whom it is about, how old they are, and their sex where the word for them tells it. `isMother`: a pregnancy is told of, or a birth of late. */
export function personIn(
  plain: string,
  language: Language,
  isPast: (at: number) => boolean,
  isMother = false,
): Found[] {
  const grammar = GRAMMARS[language]
  const told = toldAgeIn(plain, language, grammar)
  const own = ownAgeIn(plain, grammar)
  const other = otherIn(plain, language, isPast, told, isMother, own !== undefined)
  if (other) {
    const { at, length, sex } = other
    const whom: Found[] = [{ question: 'for_whom', value: 'other', at, length }]
    if (sex) whom.push({ question: 'sex', value: sex, at, length })
    return told && !isPast(told.at) ? [...whom, told] : whom
  }
  const isYoung = told !== undefined && told.value < YOUNGEST_WRITER
  if (isYoung && !isMother && isAboutYoung(plain, language, told.at)) {
    const whom: Found = { question: 'for_whom', value: 'other', at: told.at, length: told.length }
    return isPast(told.at) ? [whom] : [whom, told]
  }
  const isOthers = told !== undefined && isOfSomebody(plain, told, grammar) && tellsOfWriter(plain, language)
  const age = isYoung || isOthers || (own && told && own.value !== told.value) ? own : (told ?? own)
  return age && !isPast(age.at) ? [age] : []
}

/** The age that a text tells of somebody, whether or not it is the patient's: it is not how long something has lasted. */
export const someAgeIn = (plain: string, language: Language): Found | undefined =>
  toldAgeIn(plain, language, GRAMMARS[language])

interface Age extends Found {
  readonly value: number
}

function toldAgeIn(plain: string, language: Language, grammar: Grammar): Age | undefined {
  const { beside, young, bornAgo, andMonths, iHave } = grammar
  const near = beside.exec(plain)
  const isTogether = near !== null && TOGETHER.test(plain.slice(0, near.index))
  const born = iHave.test(plain) ? null : bornAgo.exec(plain)
  const [match] = [agedIn(plain, grammar), young.exec(plain), isTogether ? null : near, born]
    .filter((one) => one !== null && one !== undefined)
    .sort((a, b) => a.index - b.index)
  if (!match) return undefined
  const { amount: number = '', unit: word = '' } = match.groups ?? {}
  const amount = FACT_WORDS[language].numbers[number] ?? Number(number.replace(',', '.'))
  const years = Math.round((amount * MINUTES_IN[unitOf(word, language)] * 100) / MINUTES_IN.years) / 100
  const length = match[0].trimEnd().length
  const months = years < 1 ? '' : (andMonths.exec(plain.slice(match.index + length))?.[0] ?? '')
  const more = Number(/\d+/.exec(months)?.[0] ?? 0) / 12
  if (!(years >= 0 && years <= OLDEST)) return undefined
  const value = Math.round((years + more) * 100) / 100
  return { question: 'age', value, at: match.index, length: length + months.length }
}

/** The first "3-year-old" that is one: not "over 60 years old", nor "the first one på to år". */
const agedIn = (plain: string, { aged, notAged, person }: Grammar): RegExpExecArray | undefined =>
  [...plain.matchAll(aged)].find(({ 0: whole, index }) => {
    const before = plain.slice(Math.max(0, index - 40), index)
    const isOne = whole.endsWith('aringen') || !notAged.test(before)
    return isOne && (!whole.startsWith('pa ') || person.test(before))
  })

/** Whether an age is that of somebody who is named beside it: "my son is 15". */
function isOfSomebody(plain: string, { at, length }: Age, { somebody }: Grammar): boolean {
  return somebody.test(plain.slice(Math.max(0, at - 12), at + length + 12))
}

function ownAgeIn(plain: string, { iAm }: Grammar): Age | undefined {
  const self = iAm.exec(plain)
  const years = Number(self?.[1])
  if (!self || years < YOUNGEST_WRITER) return undefined
  return { question: 'age', value: years, at: self.index, length: self[0].length }
}

/** The unit that a word of an age stands for; where there is none, years. */
function unitOf(word: string, language: Language): DurationUnit {
  const { units, agedIn } = FACT_WORDS[language]
  const named = (Object.keys(units) as DurationUnit[]).find((one) => units[one].split(' ').includes(word))
  return named ?? agedIn.find(([ends]) => ends.split(' ').includes(word))?.[1] ?? 'years'
}
