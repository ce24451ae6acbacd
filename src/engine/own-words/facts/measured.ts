import type { Language } from '../../content.ts'
import { perLanguage } from '../../languages.ts'
import type { Found } from './facts.ts'
import { anyOf } from './letters.ts'
import { FACT_WORDS } from './words.ts'

/** How far after its name a number may stand, in letters. */
const NEAR = 24
const MG_PER_DL_IN_MMOL = 18

/** The words of a language for what people measure at home, in small letters without accents; beginnings of words. */
interface MeasureWords {
  /** Between the two numbers of a blood pressure, besides a stroke. */
  readonly over: string
  readonly pressure: string
  readonly pulse: string
  readonly sugar: string
  /** Before a number: it is the usual one, or that of another time. */
  readonly usual: string
}

const WORDS: Readonly<Record<Language, MeasureWords>> = {
  en: {
    over: 'over on',
    pressure: 'blood_pressure pressure bp',
    pulse: 'pulse heart_rate heartrate resting_rate hr',
    sugar: 'blood_sugar sugar glucose bg',
    usual: 'usually normally normal usual target goal below under used_to_be',
  },
  fi: {
    over: 'per kautta',
    pressure: 'verenpain paine paineet rr',
    pulse: 'syke sykkee pulssi sykett leposyke',
    sugar: 'verensoker sokeri sokerit glukoosi',
    usual: 'yleensa normaalisti tavallisesti tavoite alle',
  },
  no: {
    over: 'over pa',
    pressure: 'blodtrykk trykk bt',
    pulse: 'puls hjerterytme hvilepuls',
    sugar: 'blodsukker sukker glukose',
    usual: 'vanligvis normalt pleier vanlig under',
  },
  sv: {
    over: 'over genom',
    pressure: 'blodtryck tryck bt',
    pulse: 'puls hjartfrekvens vilopuls',
    sugar: 'blodsocker socker glukos',
    usual: 'vanligtvis normalt brukar vanligen under',
  },
}

interface Grammar {
  readonly pressure: RegExp
  readonly pressureName: RegExp
  readonly pulse: RegExp
  readonly sugar: RegExp
  readonly usual: RegExp
}

const GRAMMARS = perLanguage((language: Language): Grammar => {
  const { over, pressure, pulse, sugar, usual } = WORDS[language]
  const { units } = FACT_WORDS[language]
  // "Sockersjuk", "sukkerbelastning": the word is part of another.
  const named = (words: string) => `\\b(?:${anyOf(words)})(?!sj|sy|bel|fri|r[eo])[a-z]*[^\\d.!?\\n]{0,${NEAR}}`
  const notOf = `(?![\\d/%]|[.,]\\d| ?(?:${anyOf(Object.values(units).join(' '))}|kg|g|times|x|ggr|ganger|gang|kertaa)\\b)`
  return {
    pressure: new RegExp(
      `(?<![\\d.,/-])(\\d{2,3}) ?(/|-| (?:${anyOf(over)}) ) ?(\\d{2,3})(?![\\d/%]|[.,]\\d|-\\d)`,
      'g',
    ),
    pressureName: new RegExp(`\\b(?:${anyOf(pressure)})`),
    pulse: new RegExp(`${named(pulse)}(\\d{2,3})${notOf}|(?<![\\d.,/-])(\\d{2,3}) ?bpm\\b`, 'g'),
    sugar: new RegExp(`${named(sugar)}(\\d{1,3}(?:[.,]\\d)?)${notOf} ?(mg)?`, 'g'),
    usual: new RegExp(`\\b(?:${anyOf(usual)}) [^.!?\\n]{0,${NEAR}}$`),
  }
})

/** Blood pressure, pulse and blood sugar as they were read: "174 over 101", "puls 120", "verensokeri 18,2". Of several the highest; what is usual does not count. */
export function measuredIn(plain: string, language: Language): Found[] {
  const grammar = GRAMMARS[language]
  const isUsual = (at: number) => grammar.usual.test(plain.slice(Math.max(0, at - 40), at))
  return [
    ...pressureIn(plain, grammar, isUsual),
    ...pulseIn(plain, grammar, isUsual),
    ...sugarIn(plain, grammar, isUsual),
  ]
}

type IsUsual = (at: number) => boolean

function pressureIn(plain: string, { pressure, pressureName }: Grammar, isUsual: IsUsual): Found[] {
  const isNamed = pressureName.test(plain)
  const read = [...plain.matchAll(pressure)].flatMap((match) => {
    const [whole, first, between, second] = match
    const [upper, lower] = [Number(first), Number(second)]
    const isLikely = upper >= 60 && upper <= 280 && lower >= 30 && lower <= 180 && upper - lower >= 10
    // Without its name only numbers that are hardly anything else count: "90/60" may be, "12/10" is a day.
    const isClear = isNamed || (between !== '-' && upper >= 100 && upper <= 260 && lower >= 45)
    if (!isLikely || !isClear || isUsual(match.index)) return []
    return [{ upper, lower, at: match.index, length: whole.length }]
  })
  const [highest] = read.sort((a, b) => b.upper - a.upper)
  if (!highest) return []
  const { upper, lower, at, length } = highest
  return [
    { question: 'pressure_reading', value: 'measured', at, length },
    { question: 'pressure_upper', value: upper, at, length },
    { question: 'pressure_lower', value: lower, at, length },
  ]
}

function pulseIn(plain: string, { pulse }: Grammar, isUsual: IsUsual): Found[] {
  const read = [...plain.matchAll(pulse)].flatMap((match) => {
    const value = Number(match[1] ?? match[2])
    return value >= 25 && value <= 280 && !isUsual(match.index) ? [{ value, ...placeOf(match) }] : []
  })
  const [highest] = read.sort((a, b) => b.value - a.value)
  return highest
    ? [
        { ...highest, question: 'pulse_reading', value: 'measured' },
        { ...highest, question: 'pulse' },
      ]
    : []
}

function sugarIn(plain: string, { sugar }: Grammar, isUsual: IsUsual): Found[] {
  const read = [...plain.matchAll(sugar)].flatMap((match) => {
    const [, written = '', isMg] = match
    const number = Number(written.replace(',', '.'))
    const value = isMg ? Math.round((number * 10) / MG_PER_DL_IN_MMOL) / 10 : number
    return value >= 1 && value <= 45 && !isUsual(match.index) ? [{ value, ...placeOf(match) }] : []
  })
  // The lowest is the danger where one is low.
  const [first] = read.sort((a, b) => Number(b.value < 4) - Number(a.value < 4) || b.value - a.value)
  return first
    ? [
        { ...first, question: 'sugar_reading', value: 'measured' },
        { ...first, question: 'sugar' },
      ]
    : []
}

/** The number itself, without the name before it. */
function placeOf(match: RegExpExecArray): { at: number; length: number } {
  const [whole] = match
  const from = Math.max(0, whole.search(/\d/))
  return { at: match.index + from, length: whole.trimEnd().length - from }
}
