import { expect, test } from 'vitest'
import { NO } from '../../src/engine/conditions/evaluate.ts'
import { findingsFrom } from '../../src/engine/deciding/findings.ts'
import { realContent } from '../world/content.ts'

const MEDICINE = /paracetamol|ibuprofen|naproxen|antihistamine|loperamide|aspirin/i
/** What speaks of a medicine only to keep someone from it, or of one that was prescribed. */
const ONLY_WARNS =
  /\b(no|not|without|pause|paused|prescribed) \w*( or \w+)?|until it has been checked|above the recommended/i
const ASKS_A_DOCTOR = 'Under three months of age, ask a doctor first'

test('no medicine from the pharmacy is advised for a baby under three months', async () => {
  const { content } = await realContent()
  const ofOneMonth = [
    { question: 'for_whom', value: 'other' },
    { question: 'age', value: 0.08 },
  ]
  const advised: string[] = []
  let told = 0
  for (const { complaint, applies, advice } of content.complaints.values()) {
    const { truths } = findingsFrom(content, [
      ...ofOneMonth,
      { question: 'issue_type', value: 'regular' },
      { question: 'complaints', value: [complaint.id] },
    ])
    if (applies !== undefined && truths.of(applies) === NO) continue
    for (const { item, when } of advice) {
      const text = content.release.words.en[`advice.${complaint.id}.${item.id}`] ?? ''
      const recommends = text.split(/(?<=[.;:]) /).some((part) => MEDICINE.test(part) && !ONLY_WARNS.test(part))
      if (!recommends) continue
      told++
      if (text.includes(ASKS_A_DOCTOR) || (when !== undefined && truths.of(when) === NO)) continue
      advised.push(`${complaint.id}/${item.id}: ${text}`)
    }
  }
  expect(advised).toEqual([])
  expect(told).toBeGreaterThan(20)
})
