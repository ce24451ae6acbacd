import { DURATION_UNITS, type Duration, type DurationUnit, type Language, MINUTES_IN } from '../../content.ts'
import type { WrittenAt } from '../../heard.ts'
import { perLanguage } from '../../languages.ts'
import type { Found } from './facts.ts'
import { anyOf, anyPhrase } from './letters.ts'
import { CHRISTMAS, type Moment, type Moments, SEASONS, TIME_WORDS } from './times.ts'
import { FACT_WORDS } from './words.ts'

const LONGEST_YEARS = 60
/** Whoever has been ill for longer counts in months; so many weeks alone are those of a pregnancy. */
const LONGEST_WEEKS = 15
/** How far around a time the words are looked at that say what it is the time of, in letters. */
const AROUND = 60
/** Where the hour of writing is not known, the early afternoon stands for it. */
const MIDDAY = 13
const SATURDAY = 5
/** Times that differ by more than this factor are not the same one told twice. */
const SAME_WITHIN = 1.5

const STARTS = /(?:^|[,.;:(!?\n] {0,2})$/
const ENDS = /^ {0,2}(?:$|[,.;:)!?\n]|(?:and|ja|og|och|o) )/

/** "På to år": somebody's age, or within how long; with a "not" also how long. */
const PA = /\bpa {1,2}$/
const NOT = /\b(?:ikke|ikkje|itj|inte|int|ej)\b/
const isRareOrOld = (unit: DurationUnit, clause: string): boolean =>
  unit === 'years' || (unit === 'months' && !NOT.test(clause))

/** `lasting` comes before `over` and `open`: "fell yesterday, dizzy for an hour". */
type Kind = 'lasting' | 'over' | 'open'

interface Grammar {
  readonly amounts: RegExp
  readonly moments: RegExp
  readonly momentOf: ReadonlyMap<string, readonly [Kind | 'after-since', Moment]>
  readonly unitOf: ReadonlyMap<string, DurationUnit>
  readonly articles: ReadonlySet<string>
  readonly beforeOne: RegExp
  readonly afterOne: RegExp
  /** From what came before to a time. */
  readonly lead: RegExp
  readonly ago: RegExp
  readonly notBefore: RegExp
  /** "She is": an age follows. */
  readonly whoIs: RegExp
  /** "She's only" */
  readonly heIs: RegExp
  /** "Baby 5 weeks …", where it begins a sentence: so old, or ill for so long. */
  readonly baby: RegExp
  /** "With my husband 11 years": so long they have been together. */
  readonly grownUp: RegExp
  readonly notAfter: RegExp
  readonly event: RegExp
  readonly earlier: RegExp
  readonly sleep: RegExp
  readonly breaks: RegExp
  readonly happened: RegExp
  readonly toCome: RegExp
  readonly began: RegExp
  readonly again: RegExp
  readonly also: RegExp
  readonly vague: RegExp
  readonly often: RegExp
}

const GRAMMARS = perLanguage((language: Language): Grammar => {
  const words = FACT_WORDS[language]
  const times = TIME_WORDS[language]
  const numbers = anyPhrase(Object.keys(words.numbers))
  const units = anyOf(DURATION_UNITS.map((unit) => words.units[unit]).join(' '))
  const momentOf = new Map<string, readonly [Kind | 'after-since', Moment]>()
  const add = (moments: Moments, kind: Kind | 'after-since') => {
    for (const [list, moment] of moments)
      for (const phrase of list.split(', ')) if (!momentOf.has(phrase)) momentOf.set(phrase, [kind, moment])
  }
  add(times.lasting, 'lasting')
  add(times.over, 'over')
  add(times.open, 'open')
  add(times.afterSince, 'after-since')
  return {
    // "3 days", "2-3 dagar", "nelisen päivää"
    amounts: new RegExp(
      `\\b(?:\\d{1,2} ?(?:[-–]|to|till?|or|eller|tai) ?)?(?:(\\d{1,3}(?:[.,]5)?) {0,2}|(${numbers}) {1,2})(${units})\\b`,
      'g',
    ),
    moments: new RegExp(
      `\\b(?:(${anyOf(times.since)}) +(?:about |around |early |late |ca |rundt |runt )?)?(${anyPhrase([...momentOf.keys()])})(?: (?:${anyOf(times.dayParts)}))?\\b`,
      'g',
    ),
    momentOf,
    unitOf: new Map(DURATION_UNITS.flatMap((unit) => words.units[unit].split(' ').map((word) => [word, unit]))),
    articles: new Set(words.article.split(' ')),
    beforeOne: new RegExp(`\\b(?:${anyOf(words.beforeOne)}) {1,2}$`),
    afterOne: new RegExp(`^ {1,2}(?:${anyOf(words.afterOne)})\\b`),
    lead: new RegExp(`^,?(?: +(?:${anyOf(`${words.beforeOne} ${words.only}`)}))* *$`),
    ago: /^ {1,2}(?:ago|back|sitten|sedan|sen|siden|sia|sida)\b/,
    notBefore: new RegExp(`(?:\\b(?:${anyOf(words.notBefore)}) {1,2}|[/\\d]|\\d[.,])$`),
    whoIs: new RegExp(`\\b(?!(?:${anyOf(words.it)}) )[a-z'-]+ {1,2}(?:${anyOf(words.is)}) {1,2}$`),
    heIs: new RegExp(`\\b(?:${anyOf(words.heIs)}) (?:(?:${anyOf(words.only)}) )?$`),
    baby: new RegExp(
      `(?:^|[.!?\\n] ?)(?:(?:${anyOf(words.my)}) )?(?:${anyOf(`${words.babies} ${words.newborns}`)})(?: (?:${anyOf(words.my)}))?(?:,|'s)? ?$`,
    ),
    grownUp: new RegExp(`\\b(?:${anyOf(Object.values(words.adults).join(' '))}) {1,2}$`),
    notAfter: new RegExp(`^[ -]{0,2}(?:${anyOf(words.notAfter)})\\b`),
    earlier: new RegExp(`\\b(?:${anyOf(words.earlier)})\\b`),
    event: new RegExp(`\\b(?:${anyOf(words.events)})`),
    sleep: new RegExp(`\\b(?:${anyOf(words.sleep)})`),
    breaks: new RegExp(`[.,;:!?()\\n]| (?:${anyOf(words.joins)}) `),
    happened: new RegExp(`\\b(?:${anyOf(times.happened)})\\b`),
    toCome: new RegExp(`\\b(?:${anyOf(times.toCome)})\\b`),
    began: new RegExp(`\\b(?:${anyOf(times.began)})\\b`),
    again: new RegExp(`\\b(?:${anyOf(times.again)})\\b`),
    also: new RegExp(`\\b(?:${anyOf(times.also)})\\b`),
    vague: new RegExp(`\\b(?:${anyOf(times.vague)})\\b`),
    often: new RegExp(`\\b(?:${anyOf(times.often)})\\b`),
  }
})

interface Time extends Duration {
  readonly at: number
  readonly length: number
  readonly isLasting: boolean
}

/**
 * How long it has lasted: "for three days", "2 viikkoa", "sedan igår", "stung on Saturday". The one time that is told of this illness, where how long
 * comes before when; `isOther` says which times are of something else. Weekdays, months and hours are counted from when it was written. Where the text tells
 * different times and not which of them is meant, that it tells several, and none of them: a wrong one is worse than none.
 */
export function durationIn(
  plain: string,
  language: Language,
  isOther: (at: number) => boolean,
  writtenAt?: WrittenAt,
): Found[] {
  const grammar = GRAMMARS[language]
  const times = [...amountsIn(plain, language, grammar), ...momentsIn(plain, grammar, writtenAt)]
    .filter(({ at, length, unit }) => !isOther(at) && !isOfEvent(plain, at, at + length, unit, grammar))
    .filter((one, _, all) => !isAge(one, plain, grammar) && !all.some((other) => isWithin(one, other)))
    .sort((a, b) => Number(b.isLasting) - Number(a.isLasting) || a.at - b.at || b.length - a.length)
  const isVague = grammar.vague.test(plain)
  const doubtful = agree(times) ? [] : times.filter((one) => isPerhapsAge(one, plain))
  const sure = times.filter((one) => !doubtful.includes(one))
  const lasting = sure.filter(({ isLasting }) => isLasting)
  const moments = beginnings(
    sure.filter(({ isLasting }) => !isLasting),
    plain,
    isVague,
    grammar,
  )
  const began = moments.filter((one) => isBeginning(one, plain, grammar))
  const told = lasting.length > 0 ? [...lasting, ...began] : agree(moments) ? moments : began
  const [first] = told.length > 0 ? told : [...moments, ...doubtful]
  if (!first) return []
  const { amount, unit, at, length } = first
  // "A cough for weeks, and a fever since yesterday"
  const isBoth = isVague && minutesOf(first) < MINUTES_IN.weeks
  if (!agree(told) || told.length === 0 || isBoth)
    return [{ question: 'duration', value: null, at, length, several: true }]
  const others = agree(times) ? {} : { several: true as const }
  const moment = first.isLasting ? {} : { moment: true as const }
  return [{ question: 'duration', value: { amount, unit }, at, length, ...others, ...moment }]
}

/** "An hour ago" in "half an hour ago", "viikon ajan" in "kahden viikon ajan". */
const isWithin = (one: Time, other: Time): boolean => one.at > other.at && one.at < other.at + other.length

/** "She's 9 weeks and has not pooed": an age, where nothing follows that she has had for so long. */
const isAge = (one: Time, plain: string, { heIs, baby }: Grammar): boolean =>
  standsYoung(one, plain, heIs) ||
  ((one.unit === 'weeks' || one.unit === 'months') && baby.test(plain.slice(Math.max(0, one.at - AROUND), one.at)))

/**
 * "Diarrhoea since yesterday, 14 months": what stands alone beside another time may be an age, and as well how long ("cough, 3 weeks; fever, 2 days").
 * It is not taken for how long, but it is told.
 */
const isPerhapsAge = (one: Time, plain: string): boolean => standsYoung(one, plain, STARTS)

const standsYoung = ({ at, length, unit }: Time, plain: string, starts: RegExp): boolean =>
  (unit === 'weeks' || unit === 'months') &&
  starts.test(plain.slice(Math.max(0, at - 20), at)) &&
  ENDS.test(plain.slice(at + length, at + length + 20))

const minutesOf = ({ amount, unit }: Duration) => amount * MINUTES_IN[unit]

/** Whether times are the same one, told once or more. */
function agree(times: readonly Time[]): boolean {
  const all = times.map(minutesOf)
  return all.length === 0 || Math.max(...all) <= Math.min(...all) * SAME_WITHIN
}

const isBeginning = ({ at, length }: Time, plain: string, grammar: Grammar): boolean =>
  grammar.began.test(clauseAround(plain, at, at + length, grammar))

/** The moments at which this illness may have begun: not one time of many ("woke again this morning"), nor what was years ago and is back. */
function beginnings(moments: readonly Time[], plain: string, isVague: boolean, grammar: Grammar): Time[] {
  const isOften = grammar.often.test(plain)
  const isBack = moments.length > 1 || grammar.again.test(plain)
  return moments.filter((one) => {
    const minutes = minutesOf(one)
    if (minutes >= MINUTES_IN.years)
      return !(isBack && moments.every((other) => other === one || minutesOf(other) < minutes))
    if (isBeginning(one, plain, grammar)) return true
    const around = clauseAround(plain, one.at, one.at + one.length, grammar)
    return !(
      isVague ||
      grammar.again.test(around) ||
      grammar.also.test(around) ||
      (isOften && minutes <= 2 * MINUTES_IN.days)
    )
  })
}

function amountsIn(plain: string, language: Language, grammar: Grammar): Time[] {
  const { numbers } = FACT_WORDS[language]
  return [...plain.matchAll(grammar.amounts)].flatMap((match): Time[] => {
    const [whole, digits, named = '', word = ''] = match
    const unit = grammar.unitOf.get(word)
    const name = named.replace(/ +/g, ' ')
    const amount = digits === undefined ? (numbers[name] ?? 0) : Number(digits.replace(',', '.'))
    const end = match.index + whole.length
    const before = plain.slice(Math.max(0, match.index - 20), match.index)
    const after = plain.slice(end, end + 20)
    if (!unit || !(amount > 0) || grammar.notBefore.test(before) || grammar.notAfter.test(after)) return []
    if (grammar.articles.has(name) && !grammar.beforeOne.test(before) && !grammar.afterOne.test(after)) return []
    // "High fever, 5 years": years that stand alone are an age.
    if (unit === 'years' && (amount > LONGEST_YEARS || (STARTS.test(before) && ENDS.test(after)))) return []
    if (unit === 'weeks' && amount > LONGEST_WEEKS && STARTS.test(before) && ENDS.test(after)) return []
    const isLasting = !grammar.ago.test(after)
    if (unit === 'years' && grammar.grownUp.test(before)) return []
    if (PA.test(before) && isRareOrOld(unit, clauseAround(plain, match.index, end, grammar))) return []
    if (isLasting ? grammar.whoIs.test(before) : grammar.earlier.test(before)) return []
    return [{ at: match.index, length: whole.length, ...inWhole(amount, unit), isLasting }]
  })
}

function momentsIn(plain: string, grammar: Grammar, writtenAt: WrittenAt | undefined): Time[] {
  return [...plain.matchAll(grammar.moments)].flatMap((match): Time[] => {
    const [whole, since, phrase = ''] = match
    const [kind, moment] = grammar.momentOf.get(phrase.replace(/ +/g, ' ')) ?? []
    const end = match.index + whole.length
    if (!kind || !moment || (kind === 'after-since' && since === undefined)) return []
    const before = plain.slice(Math.max(0, match.index - 20), match.index)
    if (grammar.notBefore.test(before) || grammar.notAfter.test(plain.slice(end, end + 20))) return []
    if (kind === 'open' && since === undefined && !isOver(plain, match.index, end, grammar)) return []
    const time = sinceThen(moment, writtenAt)
    const isLasting = kind === 'lasting' || since !== undefined
    return time ? [{ at: match.index, length: whole.length, ...time, isLasting }] : []
  })
}

/** Whether a piece of a text begins with when something was: "about two days ago", ", on thursday". */
export function beginsWithTime(piece: string, language: Language): boolean {
  const { amounts, moments, momentOf, lead, ago } = GRAMMARS[language]
  const agos = [...piece.matchAll(amounts)].filter(({ 0: { length }, index }) => ago.test(piece.slice(index + length)))
  const whens = [...piece.matchAll(moments)].filter(
    ([, since, phrase = '']) => since === undefined && momentOf.get(phrase.replace(/ +/g, ' '))?.[0] !== 'lasting',
  )
  return [...agos, ...whens].some(({ index }) => lead.test(piece.slice(0, index)))
}

/** How many weeks ago the moment is at most that a clause names: "on thursday", "viime viikolla". A weekday needs no date for that. */
export function weeksAgoIn(
  clause: string,
  language: Language,
  writtenAt?: WrittenAt,
): { weeks: number; at: number; length: number } | undefined {
  const { moments, momentOf, toCome, happened } = GRAMMARS[language]
  for (const { 0: whole, 2: phrase = '', index: at } of clause.matchAll(moments)) {
    const moment = momentOf.get(phrase.replace(/ +/g, ' '))?.[1]
    if (!moment || SEASONS.has(moment) || (toCome.test(clause) && !happened.test(clause))) continue
    const isDay = 'weekday' in moment || 'weekend' in moment || 'hour' in moment
    const time = isDay ? undefined : sinceThen(moment, writtenAt)
    if (!isDay && !time) continue
    return { weeks: time ? minutesOf(time) / MINUTES_IN.weeks : 1, at, length: whole.length }
  }
  return undefined
}

/** Whether the clause of a moment that could lie ahead tells of what happened, and does not ask. */
function isOver(plain: string, at: number, end: number, grammar: Grammar): boolean {
  const around = clauseAround(plain, at, end, grammar)
  const asks = /^[^.!\n]{0,80}\?/.test(plain.slice(end, end + AROUND + 20))
  return !asks && grammar.happened.test(around) && !grammar.toCome.test(around)
}

/** Whether the clause of a time tells of a birth, an operation, a medicine: then it is the time of that. */
function isOfEvent(plain: string, at: number, end: number, unit: DurationUnit, grammar: Grammar): boolean {
  const around = clauseAround(plain, at, end, grammar)
  return grammar.event.test(around) || (unit === 'hours' && grammar.sleep.test(around))
}

/** What stands beside a time in its clause. */
function clauseAround(plain: string, at: number, end: number, { breaks }: Grammar): string {
  const before =
    plain
      .slice(Math.max(0, at - AROUND), at)
      .split(breaks)
      .at(-1) ?? ''
  const after = plain.slice(end, end + AROUND).split(breaks, 1)[0] ?? ''
  return `${before} ${after}`
}

/** How long a moment is ago. A weekday or a month is not counted while it is not known when this was written. */
function sinceThen(moment: Moment, writtenAt: WrittenAt | undefined): Duration | undefined {
  if ('amount' in moment) return moment
  if ('hour' in moment) {
    const hours = Math.max(1, (writtenAt?.hour ?? MIDDAY) - moment.hour + 24 * moment.back)
    return hours < 24 ? { amount: hours, unit: 'hours' } : { amount: Math.round(hours / 24), unit: 'days' }
  }
  if (!writtenAt) return undefined
  if ('weekend' in moment) return sinceWeekend(moment.weekend, writtenAt)
  if ('weekday' in moment) return { amount: (writtenAt.weekday - moment.weekday + 7) % 7 || 7, unit: 'days' }
  const amount = (writtenAt.month - moment.month + 12) % 12
  // "Since the autumn" in November may be one month or three.
  return amount < (isSeason(moment) ? 2 : 1) ? undefined : { amount, unit: 'months' }
}

const isSeason = (moment: Moment): boolean => SEASONS.has(moment) && moment !== CHRISTMAS

/** Counted from its Saturday. On a Saturday nobody knows which weekend is meant. */
function sinceWeekend(which: 'last' | 'before', { weekday }: WrittenAt): Duration | undefined {
  const days = (weekday - SATURDAY + 7) % 7
  const isOver = days > 1
  if (which === 'before') return { amount: isOver ? days : days + 7, unit: 'days' }
  return days === 0 ? undefined : { amount: days, unit: 'days' }
}

/** Half an hour is thirty minutes: amounts are whole where they can be. */
function inWhole(amount: number, unit: DurationUnit): Duration {
  if (Number.isInteger(amount)) return { amount, unit }
  if (unit === 'hours') return { amount: amount * 60, unit: 'minutes' }
  if (unit === 'days') return { amount: amount * 24, unit: 'hours' }
  if (unit === 'years') return { amount: amount * 12, unit: 'months' }
  return { amount: Math.max(1, Math.round(amount)), unit }
}
