import { DURATION_UNITS, type DurationUnit, type Language } from '../../content.ts'
import { perLanguage } from '../../languages.ts'
import type { Found } from './facts.ts'
import { anyOf } from './letters.ts'
import { FACT_WORDS } from './words.ts'

const LONGEST_YEARS = 60

interface Grammar {
  readonly amounts: RegExp
  readonly spans: RegExp
  readonly unitOf: ReadonlyMap<string, DurationUnit>
  readonly notBefore: RegExp
  readonly notAfter: RegExp
  readonly event: RegExp
}

const GRAMMARS = perLanguage((language: Language): Grammar => {
  const words = FACT_WORDS[language]
  const numbers = anyOf(Object.keys(words.numbers).join('|').replaceAll(' ', '_').replaceAll('|', ' '))
  const units = DURATION_UNITS.map((unit) => words.units[unit]).join(' ')
  return {
    amounts: new RegExp(`\\b(\\d{1,3}(?:[.,]5)?|${numbers}) {0,2}(${anyOf(units)})\\b`, 'g'),
    spans: new RegExp(
      `\\b(?:${anyOf(Object.keys(words.spans).join('|').replaceAll(' ', '_').replaceAll('|', ' '))})\\b`,
    ),
    unitOf: new Map(DURATION_UNITS.flatMap((unit) => words.units[unit].split(' ').map((word) => [word, unit]))),
    notBefore: new RegExp(`(?:\\b(?:${anyOf(words.notBefore)}) {1,2}|[-–/\\d])$`),
    notAfter: new RegExp(`^[ -]{0,2}(?:${anyOf(words.notAfter)})\\b`),
    event: new RegExp(`\\b(?:${anyOf(words.events)})\\b[^.,;!?\n]{0,20}$`),
  }
})

/** How long it has lasted: "for three days", "2 viikkoa", "sedan igår". The first that is told of this illness; `isOther` says which amounts are of something else. */
export function durationIn(plain: string, language: Language, isOther: (at: number) => boolean): Found[] {
  const { amounts, spans, unitOf, notBefore, notAfter, event } = GRAMMARS[language]
  const { numbers, spans: spanOf } = FACT_WORDS[language]
  const found: { at: number; length: number; amount: number; unit: DurationUnit }[] = []
  for (const match of plain.matchAll(amounts)) {
    const [whole, number = '', word = ''] = match
    const unit = unitOf.get(word)
    const amount = numbers[number.replace(/ +/g, ' ')] ?? Number(number.replace(',', '.'))
    const end = match.index + whole.length
    if (!unit || !(amount > 0) || notBefore.test(plain.slice(Math.max(0, match.index - 20), match.index))) continue
    if (notAfter.test(plain.slice(end, end + 20)) || isOther(match.index)) continue
    if (event.test(plain.slice(Math.max(0, match.index - 40), match.index))) continue
    if (unit === 'years' && amount > LONGEST_YEARS) continue
    found.push({ at: match.index, length: whole.length, ...inWhole(amount, unit) })
  }
  const span = spans.exec(plain)
  const [amount, unit] = (span && spanOf[span[0].replace(/ +/g, ' ')]) ?? []
  if (span && amount !== undefined && unit) found.push({ at: span.index, length: span[0].length, amount, unit })
  const first = found.sort((a, b) => a.at - b.at || b.length - a.length)[0]
  if (!first) return []
  return [
    { question: 'duration', value: { amount: first.amount, unit: first.unit }, at: first.at, length: first.length },
  ]
}

/** Half an hour is thirty minutes: amounts are whole where they can be. */
function inWhole(amount: number, unit: DurationUnit): { amount: number; unit: DurationUnit } {
  if (Number.isInteger(amount)) return { amount, unit }
  if (unit === 'hours') return { amount: amount * 60, unit: 'minutes' }
  if (unit === 'days') return { amount: amount * 24, unit: 'hours' }
  if (unit === 'years') return { amount: amount * 12, unit: 'months' }
  return { amount: Math.max(1, Math.round(amount)), unit }
}
