import type { Language } from '../../content.ts'
import { perLanguage } from '../../languages.ts'
import type { Found } from './facts.ts'
import { anyOf } from './letters.ts'
import { FACT_WORDS } from './words.ts'

const LEAST = 34
const MOST = 43
const LEAST_FAHRENHEIT = 95
const MOST_FAHRENHEIT = 109
/** How far from its number the word for fever may stand, in letters. */
const NEAR = 28

const GRAMMARS = perLanguage((language: Language) => {
  const { fever, degrees, units } = FACT_WORDS[language]
  return {
    number: new RegExp(`(?<![\\d.,/-])(\\d{2,3}(?:[.,]\\d)?)(?![\\d/%]|[.,]\\d) {0,2}(°|º|${anyOf(degrees)}\\b)?`, 'g'),
    fever: new RegExp(`\\b(?:${anyOf(fever)})`),
    somethingElse: new RegExp(`^ {0,2}(?:${anyOf(Object.values(units).join(' '))}|-|kg|mg|ml|cm|%|x\\b)`),
  }
})

/** A measured temperature in degrees Celsius: "39.2", "feber 39", "102 F". */
export function temperatureIn(plain: string, language: Language): Found[] {
  const { number, fever, somethingElse } = GRAMMARS[language]
  for (const match of plain.matchAll(number)) {
    const [whole, written = '', unit] = match
    const value = Number(written.replace(',', '.'))
    const after = plain.slice(match.index + written.length, match.index + written.length + 12)
    const near = plain.slice(Math.max(0, match.index - NEAR), match.index + whole.length + NEAR)
    const isNamed = unit !== undefined || fever.test(near)
    if (unit === undefined && somethingElse.test(after)) continue
    const isFahrenheit = value >= LEAST_FAHRENHEIT && value <= MOST_FAHRENHEIT && language === 'en'
    const celsius = isFahrenheit ? Math.round(((value - 32) * 50) / 9) / 10 : value
    const isPrecise = /[.,]/.test(written) && value >= 36
    if (celsius < LEAST || celsius > MOST || !(isNamed || isPrecise)) continue
    return [{ question: 'temperature', value: celsius, at: match.index, length: whole.trimEnd().length }]
  }
  return []
}
