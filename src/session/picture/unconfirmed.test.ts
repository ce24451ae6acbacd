import { expect, test } from 'vitest'
import type { Answer } from '../../engine/content.ts'
import { unconfirmedOf } from './unconfirmed.ts'

const HEARD = { complaints: [], dangers: [], facts: [] }
const quote = (text: string, words: string) => {
  const answers: Answer[] = [{ question: 'matter', value: text, heard: HEARD }]
  const [one] = unconfirmedOf({ answers }, { unconfirmed: [{ kind: 'x', words }] })
  return one?.words
}

test('danger from own words is quoted to the end of its sentence', () => {
  const text =
    "It began on Monday. He is at 38.5 and very tired, and doesn't want to drink anything! We gave paracetamol."
  expect(quote(text, "very tired, and doesn't want")).toBe(
    "He is at 38.5 and very tired, and doesn't want to drink anything!",
  )
})

test('of a sentence without end only the clause is quoted, and no word is cut', () => {
  const text = `${'so much happened, '.repeat(20)}and then I wanted to die because of it all, ${'and so on, '.repeat(20)}`
  expect(quote(text, 'wanted to die')).toBe('and then I wanted to die because of it all,')
  expect(quote('I want to kill myself', 'to kill')).toBe('I want to kill myself')
})

test('of a text without any mark whole words around are quoted, and it shows that it goes on', () => {
  const text = `${'så mycket hände '.repeat(20)}och sen ville jag dö av allt ${'och så vidare '.repeat(20)}`.trim()
  const told = quote(text, 'ville jag dö') ?? ''
  expect(told).toMatch(/^… (så mycket hände |mycket hände |hände ).*och sen ville jag dö av allt och så .* …$/)
  expect(told.length).toBeLessThan(240)
  const long = 'x'.repeat(300)
  expect(quote(`${long}dö${long}`, 'dö')).toBe('… dö …')
  expect(quote(`dö ${'nu '.repeat(200)}`, 'dö')).toMatch(/^dö nu .* …$/)
})

test('words that stand in no text any more are told as they were heard', () => {
  expect(quote('Something else.', 'want to die')).toBe('want to die')
})
