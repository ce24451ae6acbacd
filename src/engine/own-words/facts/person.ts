import { type DurationUnit, type Language, MINUTES_IN } from '../../content.ts'
import { perLanguage } from '../../languages.ts'
import type { Found } from './facts.ts'
import { anyOf } from './letters.ts'
import { FACT_WORDS, type FactWords } from './words.ts'

const OLDEST = 120
/** Nobody of an age under this writes for themselves. */
const YOUNGEST_WRITER = 10

/** "My baby toe", "baby blues": what follows says that it is no child. */
const NO_CHILD = '(?! (?:toes?|fingers?|bump|tooth|teeth|shower|blues|aspirin|fat|weight|food)\\b)'
/** "With my husband 11 years": how long they have been together. */
const TOGETHER = /\b(?:with|to|med) (?:my |min |mi )?$/

type Sex = 'male' | 'female' | undefined

interface Grammar {
  readonly aged: RegExp
  readonly beside: RegExp
  readonly young: RegExp
  /** "Born 8 days ago": the age of whom it is about, where the mother does not speak of herself. */
  readonly bornAgo: RegExp
  readonly andMonths: RegExp
  readonly iAm: RegExp
  readonly child: RegExp
  readonly adult: RegExp
  readonly iHave: RegExp
  readonly sexOf: (word: string) => Sex
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
    `${child} (?:${anyOf(is)})(?: (?:${anyOf(only)}))? ${amount(young)}${last}`,
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
  const { units, numbers, age, old, aged, iAm, my, children, adults, ails, iHave, is, man, woman, born } =
    FACT_WORDS[language]
  const many = anyOf(
    Object.keys(numbers)
      .filter((word) => !word.includes(' '))
      .join(' '),
  )
  const spans = anyOf([units.days, units.weeks, units.months, units.years].join(' '))
  const ago = `(?:for )?(?<amount>\\d{1,2}|${many}) ?(?<unit>${anyOf(`${units.days} ${units.weeks} ${units.months}`)}) (?:ago|sitten|siden|sia|sedan|sen)`
  const male = new Set(`${children.male} ${adults.male} ${man}`.split(' '))
  const female = new Set(`${children.female} ${adults.female} ${woman}`.split(' '))
  return {
    // "3-year-old", "6 weeks old", "3-vuotias", "3-åring", "på 3 år"
    aged: new RegExp(
      `\\b(?:(?<amount>\\d{1,3}|${many})[ -]{0,2}(?:(?<unit>${spans})[ -]{1,2}(?:${anyOf(old)})|(?:${anyOf(aged)}))|pa (?<amount>\\d{1,3}|${many}) (?<unit>${anyOf(`${units.months} ${units.years}`)}))(?![a-z])`,
    ),
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
    child: new RegExp(`\\b(?:(?:${anyOf(my)}) (?:[a-z0-9-]+ ){0,3}?)?(${all(children)})\\b${NO_CHILD}`),
    adult: new RegExp(`\\b(?:(?:${anyOf(my)}) )?(${all(adults)})(?: (?:${anyOf(my)}))?,? (?:${anyOf(ails)})\\b`),
    iHave: new RegExp(`\\b(?:${anyOf(iHave)})\\b`),
    sexOf: (word) => (male.has(word) ? 'male' : female.has(word) ? 'female' : undefined),
  }
})

/** Whom it is about, how old they are, and their sex where the word for them tells it. */
export function personIn(plain: string, language: Language, isPast: (at: number) => boolean): Found[] {
  const grammar = GRAMMARS[language]
  const found: Found[] = []
  const age = ageIn(plain, language, grammar)
  const other = otherIn(plain, grammar, isPast)
  if (other) {
    found.push({ question: 'for_whom', value: 'other', at: other.at, length: other.length })
    if (other.sex) found.push({ question: 'sex', value: other.sex, at: other.at, length: other.length })
  } else if (age && typeof age.value === 'number' && age.value < YOUNGEST_WRITER)
    found.push({ question: 'for_whom', value: 'other', at: age.at, length: age.length })
  if (age && !isPast(age.at)) found.push(age)
  return found
}

function ageIn(
  plain: string,
  language: Language,
  { aged, beside, young, bornAgo, andMonths, iAm, iHave }: Grammar,
): Found | undefined {
  const near = beside.exec(plain)
  const isTogether = near !== null && TOGETHER.test(plain.slice(0, near.index))
  const born = iHave.test(plain) ? null : bornAgo.exec(plain)
  const match = aged.exec(plain) ?? young.exec(plain) ?? (isTogether ? null : near) ?? born
  if (match) {
    const { amount: number = '', unit: word = '' } = match.groups ?? {}
    const amount = FACT_WORDS[language].numbers[number] ?? Number(number.replace(',', '.'))
    const years = Math.round((amount * MINUTES_IN[unitOf(word, language)] * 100) / MINUTES_IN.years) / 100
    const length = match[0].trimEnd().length
    const months = years < 1 ? '' : (andMonths.exec(plain.slice(match.index + length))?.[0] ?? '')
    const more = Number(/\d+/.exec(months)?.[0] ?? 0) / 12
    if (years >= 0 && years <= OLDEST)
      return {
        question: 'age',
        value: Math.round((years + more) * 100) / 100,
        at: match.index,
        length: length + months.length,
      }
  }
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

/** Somebody else than the writer: a child, or a grown-up whom something ails, when the writer has not spoken of themselves before. */
function otherIn(plain: string, { child, adult, iHave, sexOf }: Grammar, isPast: (at: number) => boolean) {
  const writer = iHave.exec(plain)?.index ?? plain.length
  const match = [child.exec(plain), adult.exec(plain)]
    .filter((one) => one !== null)
    .filter(({ index }) => index <= writer && !isPast(index))
    .sort((a, b) => a.index - b.index)[0]
  return match && { at: match.index, length: match[0].length, sex: sexOf(match[1] ?? '') }
}
