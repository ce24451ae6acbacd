import { expect, test } from 'vitest'
import { realContent } from '../../../test/world/content.ts'
import { LANGUAGES } from '../../engine/content.ts'
import { answerWords, speech } from './speech.ts'

test('where both numbers may be called each is named once, and the emergency number alone when the clinic gave none', async () => {
  const { content } = await realContent()
  for (const language of LANGUAGES)
    for (const who of ['self', 'other'] as const)
      for (const path of ['alarm.Level3.text', 'level.Level3.do']) {
        const said = (clinicPhone: string | null) =>
          speech(content, language, who, { emergencyNumber: '112', clinicPhone }).say(path) ?? ''
        expect(said('09 123').match(/112|09 123/g), path).toEqual(['09 123', '112'])
        expect(said(null).match(/112/g), path).toEqual(['112'])
      }
})

const NUMBERS = { emergencyNumber: '112', clinicPhone: null, adviceNumber: '116 117' }

test('without a number of the clinic the medical advice number is the one to call within the hour', async () => {
  const { content } = await realContent()
  for (const language of LANGUAGES)
    for (const path of ['alarm.Level3.text', 'level.Level3.do']) {
      const said = speech(content, language, 'self', NUMBERS).say(path) ?? ''
      expect(said.match(/112|116 117/g), `${language} ${path}`).toEqual(['116 117', '112'])
    }
})

test('D30: no text of levels 4 to 7 promises that the clinic gets in touch unless there is a way to', async () => {
  const { content } = await realContent()
  const promise =
    /heard from|contacted you|reach you|ottanut yhteyttä|tavoittaa|hørt|kan nå deg|hört av sig|når dig|answers (about|in the)|tells you whether|vastaa (todistuksesta|valitulla)|svarer (om attesten|på den måten)|svarar (om intyget|på det sätt)/
  for (const language of LANGUAGES) {
    const spoken = Object.keys(content.release.words[language]).filter((path) =>
      /^(level|advice|safetyNet|rule)\./.test(path),
    )
    const promising = spoken.filter((path) =>
      promise.test(speech(content, language, 'self', NUMBERS, true).say(path) ?? ''),
    )
    expect(promising).toEqual(
      expect.arrayContaining(['level.Level4.do', 'advice.abdominal-pain.today', 'safetyNet.sore-throat.not-seen']),
    )
    for (const path of promising) {
      const said = speech(content, language, 'self', NUMBERS, false).say(path) ?? ''
      expect(said, `${language} ${path}`).not.toMatch(promise)
    }
    for (const level of ['Level4', 'Level5', 'Level6', 'Level7']) {
      expect(speech(content, language, 'self', NUMBERS, false).say(`level.${level}.do`)).toContain('116 117')
      expect(speech(content, language, 'self', NUMBERS, true).say(`level.${level}.do`)).not.toContain('116 117')
    }
  }
})

test('D31: the crisis and poison lines are named where they help, in the number of the language, and not at all where there is none', async () => {
  const { content } = await realContent()
  const lines = { crisisLine: { default: '09 2525 0111', sv: '09 2525 0112' }, poisonLine: '0800 147 111' }
  const crisis = [
    'rule.emergency-check.self-harm.reason',
    'rule.general.suicide-now.reason',
    'rule.prescription.suicide.reason',
    'advice.emergency-check.not-alone',
    'advice.general.not-alone',
    'first.not-alone-with-this',
  ]
  const poison = ['first.no-vomiting', 'rule.admin.overdose.reason']
  for (const language of LANGUAGES) {
    const number = language === 'sv' ? '09 2525 0112' : '09 2525 0111'
    for (const [paths, expected] of [
      [crisis, number],
      [poison, '0800 147 111'],
    ] as const)
      for (const path of paths) {
        expect(speech(content, language, 'self', { ...NUMBERS, ...lines }).say(path), path).toContain(expected)
        const without = speech(content, language, 'self', NUMBERS).say(path) ?? ''
        expect(without, path).not.toMatch(/none|\{|\s$|:\s*\.?$| {2}/)
        expect(without).toMatch(/\.$/)
      }
  }
})

test('an age reads as it is told: days, weeks or months for the small, whole years for the others', async () => {
  const { content } = await realContent()
  const said = (age: number) => answerWords(speech(content, 'en', 'child', NUMBERS), 'age', age)
  expect([0.0082, 0.1725, 0.1916, 1.0833, 1.6667, 34].map(said)).toEqual([
    '3 days',
    '9 weeks',
    '10 weeks',
    '13 months',
    '20 months',
    '34 years',
  ])
})

test('words and photos that were left out are not called unknown', async () => {
  const { content } = await realContent()
  const spoken = speech(content, 'sv', 'self', NUMBERS)
  expect(answerWords(spoken, 'anything_else', null)).toBe('–')
  expect(answerWords(spoken, 'photos', null)).toBe('–')
  expect(answerWords(spoken, 'course', null)).toBe('Vet inte')
})
