import { expect, test } from 'vitest'
import { LANGUAGE_RULES } from '../../rules.ts'
import { decodeModel, headerOf } from '../model.ts'
import { createReader, dangerScores, readTrained } from '../trained.ts'
import { type Example, examplesHash, examplesIn } from './examples.ts'
import { readExamples, train } from './train.ts'

const EXAMPLES: readonly Example[] = [
  ...['cannot breathe', 'no air at all', 'gasping for breath', 'he cannot get air', 'lips are blue'].map((text) => ({
    text,
    isDanger: true,
    kind: 'breathing',
  })),
  ...['want to die', 'I will kill myself', 'better off dead', 'wants to end her life'].map((text) => ({
    text,
    isDanger: true,
    kind: 'suicide',
  })),
  ...['renew my pills', 'a small cold', 'itchy toe', 'question about a vaccine', 'runny nose', 'I want a time'].map(
    (text) => ({ text, isDanger: false }),
  ),
]
const THRESHOLDS = { lead: 1, ask: 0, askListed: 0, complaint: 0 }
const trained = () =>
  train(
    readExamples(EXAMPLES, LANGUAGE_RULES.en, {}, () => new Set()),
    'hash',
    THRESHOLDS,
  )

test('the same examples give the same bytes', () => {
  expect(trained()).toEqual(trained())
})

test('a reader tells danger from the rest, and its kind', () => {
  const reader = createReader(trained(), 'en', {})
  const score = (text: string) => {
    const [read] = readExamples([{ text }], LANGUAGE_RULES.en, {}, () => new Set())
    return dangerScores(reader, readTrained(reader, read?.clauses ?? []))[0]
  }
  expect(score('she cannot breathe')?.id).toBe('breathing')
  expect(score('I want to die')?.id).toBe('suicide')
  expect(score('she cannot breathe')?.score).toBeGreaterThan(score('renew my vaccine')?.score ?? 0)
})

test('its bytes carry its thresholds and what it was trained on; other bytes are no reader', () => {
  const bytes = trained()
  expect(decodeModel(bytes)).toMatchObject({ trainedOn: 'hash', thresholds: THRESHOLDS })
  expect(headerOf(bytes.subarray(0, bytes.length - 1))).toBeUndefined()
  expect(headerOf(new Uint8Array(3))).toBeUndefined()
})

test('examples are the lines of their files, and any change of them changes their hash, as does any list that training reads', () => {
  const none = { en: [], fi: [], no: [], sv: [] }
  const release = { danger: none, dangers: [], heard: { en: {}, fi: {}, no: {}, sv: {} } }
  const files = (text: string) => [
    { path: 'content/own-words/en/dangers/heart.txt', text },
    { path: 'content/own-words/en/harmless.txt', text: 'a cold\n# a note\n\n' },
    { path: 'content/own-words/sv/harmless.txt', text: 'snuva' },
  ]
  expect(examplesIn(files('my chest\n'), 'en')).toEqual([
    { text: 'my chest', isDanger: true, kind: 'heart' },
    { text: 'a cold', isDanger: false },
  ])
  const hash = (text: string, other = {}) => examplesHash(files(text), { ...release, ...other }, 'en')
  expect(hash('a')).toBe(hash('a'))
  expect(hash('a')).not.toBe(hash('b'))
  expect(hash('a', { danger: { ...none, sv: ['stroke'] } })).not.toBe(hash('a'))
  expect(hash('a', { heard: { ...release.heard, en: { stiff_neck: ['stiff neck'] } } })).not.toBe(hash('a'))
})
