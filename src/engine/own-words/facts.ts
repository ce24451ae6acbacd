import type { Duration, HeardFact, Language } from '../content.ts'
import { ABOUT, FACT_WORDS, type FactWords, MINE } from './fact-words.ts'
import { cutUp, readWords } from './read.ts'
import { LANGUAGE_RULES } from './rules.ts'
import { fold } from './stem.ts'

/** More than anyone writes. */
const LONGEST_TEXT = 4000
const MOST_OF_A_UNIT = 100
const [COLDEST, HOTTEST] = [35, 43]

interface Token {
  readonly written: string
  readonly form: string
  /** What it counts, when it is a number in digits or in words. */
  readonly number: number | undefined
}

/** Simple facts that a text tells: how long, how hot, how old, and of whom. Whoever wrote it confirms them. */
export function factsIn(text: string, language: Language): HeardFact[] {
  const known = FACT_WORDS[language]
  const tokens = tokensOf(text, known)
  return [
    ...durationIn(tokens, known),
    ...(temperatureIn(tokens, known) ?? noFeverIn(text, language, known)),
    ...ageIn(tokens, known),
    ...whoIn(tokens, known),
  ]
}

function tokensOf(text: string, { numbers }: FactWords): Token[] {
  return [...text.slice(0, LONGEST_TEXT).matchAll(/\d{1,6}(?:[.,]\d{1,3})?|\p{L}+|[°º]/gu)].map(([written]) => {
    const form = /^[°º]$/.test(written) ? '°' : fold(written)
    const number = /^\d/.test(written) ? Number(written.replace(',', '.')) : numbers[form]
    return { written, form, number }
  })
}

const written = (tokens: readonly Token[], from: number, to: number): string =>
  tokens
    .slice(from, to)
    .map((token) => token.written)
    .join(' ')

/** How long, if the text names one length of time only: of several nobody knows which it is about. */
function durationIn(tokens: readonly Token[], known: FactWords): HeardFact[] {
  const found: { value: Duration; words: string }[] = []
  for (const [at, { number }] of tokens.entries()) {
    const since = known.sinceYesterday.find((phrase) => phrase.every((word, part) => tokens[at + part]?.form === word))
    if (since) found.push({ value: { amount: 1, unit: 'days' }, words: written(tokens, at, at + since.length) })
    const next = tokens[at + 1]?.form ?? ''
    const unit = number === undefined ? undefined : known.units[next]
    if (number === undefined || unit === undefined || number <= 0 || number > MOST_OF_A_UNIT) continue
    const then = tokens[at + 2]?.form ?? ''
    const isAbout = ABOUT.includes(tokens[at - 1]?.form ?? '')
    const before = tokens[at - (isAbout ? 2 : 1)]?.form ?? ''
    const isTold = known.before.includes(before) || known.after.includes(then) || known.alone.includes(next)
    if (isTold && !known.notAfter.includes(then) && !startsLike(then, known.aged))
      found.push({ value: { amount: number, unit }, words: written(tokens, at, at + 2) })
  }
  const [first, ...others] = found
  const isOne = first && others.every(({ value }) => JSON.stringify(value) === JSON.stringify(first.value))
  return isOne ? [{ question: 'duration', ...first }] : []
}

/** A temperature with its unit, or beside a word of fever; the highest of several. */
function temperatureIn(tokens: readonly Token[], known: FactWords): HeardFact[] | undefined {
  const found = tokens.flatMap(({ number, written: as }, at) => {
    if (number === undefined) return []
    const [next, then] = [tokens[at + 1]?.form ?? '', tokens[at + 2]?.form ?? '']
    if (known.units[next]) return []
    const hasUnit = next === '°' || next === 'c' || next === 'f' || known.degrees.includes(next)
    const isFahrenheit = [next, then].some((word) => word === 'f' || word === 'fahrenheit')
    const beside = [tokens[at - 1], tokens[at - 2], tokens[at + 1]].some((one) =>
      startsLike(one?.form ?? '', known.fever),
    )
    const celsius = isFahrenheit ? Math.round(((number - 32) * 50) / 9) / 10 : Math.round(number * 10) / 10
    const isBody = celsius >= COLDEST && celsius <= HOTTEST
    const last = hasUnit ? at + (next === '°' && /^(c|f)$/.test(then) ? 3 : 2) : at + 1
    return isBody && (hasUnit || beside) ? [{ celsius, words: hasUnit ? written(tokens, at, last) : as }] : []
  })
  const [highest] = found.sort((a, b) => b.celsius - a.celsius)
  if (!highest) return undefined
  const { celsius, words } = highest
  return [
    { question: 'fever', value: 'measured', words },
    { question: 'temperature', value: celsius, words },
  ]
}

/** "no fever": every word of fever in the text is denied. */
function noFeverIn(text: string, language: Language, known: FactWords): HeardFact[] {
  const words = readWords(cutUp(text), LANGUAGE_RULES[language]).filter(({ form }) => startsLike(form, known.fever))
  const [first] = words
  const isDenied = words.every(({ denial }) => denial !== undefined && denial.kind !== 'unable')
  return first && isDenied ? [{ question: 'fever', value: 'no', words: first.written }] : []
}

function ageIn(tokens: readonly Token[], known: FactWords): HeardFact[] {
  for (const [at, { number }] of tokens.entries()) {
    if (number === undefined || number > 120) continue
    const [next, then] = [tokens[at + 1]?.form ?? '', tokens[at + 2]?.form ?? '']
    const unit = known.units[next] ?? (next.startsWith('kuukauti') ? 'months' : 'years')
    const isAge = startsLike(next, known.aged) || (known.units[next] !== undefined && startsLike(then, known.aged))
    const years = unit === 'months' ? number / 12 : unit === 'weeks' ? (number * 7) / 365.25 : number
    if (isAge) return [{ question: 'age', value: years, words: written(tokens, at, at + 2) }]
  }
  return []
}

/** Who is spoken of: only what the text begins with, since further on others come into it. */
function whoIn(tokens: readonly Token[], { others }: FactWords): HeardFact[] {
  for (const [at, { form }] of tokens.slice(0, 3).entries()) {
    const isMine = form.endsWith('ni') || form.endsWith('mme') || MINE.includes(tokens[at - 1]?.form ?? '')
    if (others.includes(form) && isMine)
      return [{ question: 'for_whom', value: 'other', words: written(tokens, 0, at + 1) }]
  }
  return []
}

const startsLike = (form: string, beginnings: readonly string[]): boolean =>
  beginnings.some((beginning) => form.startsWith(beginning))
