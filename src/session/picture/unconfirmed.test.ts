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

test('of a sentence without end whole words around are quoted, and it shows where it was cut', () => {
  const text = `${'so much happened, '.repeat(20)}and then I wanted to die because of it all, ${'and so on, '.repeat(20)}`
  const told = quote(text, 'wanted to die') ?? ''
  expect(told).toMatch(/^… .*so much happened, and then I wanted to die because of it all, and so on, .* …$/)
  expect(told.length).toBeLessThan(240)
  expect(quote('I want to kill myself', 'to kill')).toBe('I want to kill myself')
})

test('a part of a sentence never stands as if it were the whole, which may say the opposite', () => {
  const never =
    'I have never in my whole life had, unlike my late mother and both of her sisters who had to be taken in'
  const more = 'more than once and in the end died of it far too young'
  const text = `${never} ${more}, a crushing pain in the chest, and the doctor says that all is well with ${'me '.repeat(40)}`
  expect(quote(text, 'crushing pain in the chest')).toMatch(
    /^… .* died of it far too young, a crushing pain in the chest, and the doctor says .* …$/,
  )
  const short = `${never} ${more}, a crushing pain in the chest.`
  expect(quote(short, 'crushing pain in the chest')).toBe(short)
  const late = `I have never had, ${'not even once or twice '.repeat(7)}${more}, a crushing pain in the chest.`
  expect(quote(late, 'crushing pain in the chest')).toMatch(
    /^… (not even|even|once|or|twice) .{190,230}in the chest\.$/,
  )
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
