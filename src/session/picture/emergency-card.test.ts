import { expect, test } from 'vitest'
import { realContent } from '../../../test/world/content.ts'
import type { Value } from '../../engine/content.ts'
import { type HistoryEntry, interviewOf } from '../interview/interview.ts'
import { speech } from '../interview/speech.ts'
import { cardPassed } from './emergency-card.ts'

type Screen = Readonly<Record<string, Value>>

const ABOUT: Screen = { for_whom: 'self', age: 40, sex: 'male' }
const HEADACHE: readonly Screen[] = [
  ABOUT,
  { matter: 'my head aches', issue_type: 'regular' },
  { complaints: ['headache'] },
]
const BLEEDING: Screen = { major_bleeding: true, about_to_faint: false }
const NO_BLEEDING: Screen = { major_bleeding: false }
const SEIZURE: Screen = { seizure_in_illness: true }
const FEVER: Screen = { fever: 'no' }

/** What the clinician is told of these screens, one a minute. */
async function told(...screens: readonly Screen[]) {
  const { content } = await realContent()
  const history = screens.flatMap((screen, minute) =>
    Object.entries(screen).map(
      ([question, value]): HistoryEntry => ({
        id: String(minute),
        at: new Date(minute * 60_000),
        question,
        value,
        withdrawn: false,
      }),
    ),
  )
  const words = speech(content, 'en', 'self', { emergencyNumber: '112', clinicPhone: null })
  const card = cardPassed(words, interviewOf({ content, isReviewed: false }, {}, history))
  return card && { after: card.after, isTakenBack: card.isTakenBack, minute: card.at.getTime() / 60_000 }
}

const PASSED_BLEEDING = { after: 'Major haemorrhage', isTakenBack: false, minute: 3 }
const PASSED_SEIZURE = { after: 'Seizure during this illness', isTakenBack: false }

test('a card is told of when somebody answered on, with the answer that made it appear', async () => {
  expect(await told(...HEADACHE, BLEEDING)).toBeNull()
  expect(await told(...HEADACHE, BLEEDING, FEVER)).toEqual(PASSED_BLEEDING)
  expect(await told(...HEADACHE, BLEEDING, SEIZURE, FEVER)).toEqual(PASSED_BLEEDING)
  expect(await told(...HEADACHE, FEVER, { fever: 'high' }, FEVER)).toBeNull()
})

test('a card that an answer took back is told of when nobody passed one that still stands', async () => {
  const takenBack = { ...PASSED_BLEEDING, isTakenBack: true }
  expect(await told(...HEADACHE, BLEEDING, NO_BLEEDING, FEVER)).toEqual(takenBack)
  expect(await told(...HEADACHE, BLEEDING, NO_BLEEDING, SEIZURE)).toEqual(takenBack)
  expect(await told(...HEADACHE, BLEEDING, NO_BLEEDING, BLEEDING)).toEqual(PASSED_BLEEDING)
})

test('a card that still stands is told of before one that was taken back', async () => {
  const later = await told(...HEADACHE, BLEEDING, NO_BLEEDING, SEIZURE, FEVER)
  expect(later).toEqual({ ...PASSED_SEIZURE, minute: 5 })
  const beside = await told(...HEADACHE, { ...BLEEDING, ...SEIZURE }, NO_BLEEDING)
  expect(beside).toEqual({ ...PASSED_SEIZURE, minute: 3 })
})

test('a card that still stands is found among answers that were changed again and again', async () => {
  const changes = Array.from({ length: 200 }, (_, n): Screen => ({ fever: n % 2 === 0 ? 'no' : 'high' }))
  const found = await told(...HEADACHE, BLEEDING, NO_BLEEDING, ...changes, SEIZURE, ...changes)
  expect(found).toEqual({ ...PASSED_SEIZURE, minute: 205 })
})

test('a card that appeared for the age alone is told with it', async () => {
  const fell = { matter: 'fell on the head', issue_type: 'regular' }
  const infant = { for_whom: 'other', age: 0.1, sex: 'male' }
  expect(await told(infant, fell, { complaints: ['head-injury'] }, FEVER)).toEqual({
    after: 'Age: 5 weeks',
    isTakenBack: false,
    minute: 2,
  })
})
