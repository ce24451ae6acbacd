import { DURATION_UNITS, type DurationUnit, type Value } from '../../src/engine/content.ts'
import { Patient, screenAnswers } from './patient.ts'
import type { Picks, Visitor } from './visitor.ts'
import type { Clinic } from './world.ts'

/**
 * Opens the page for someone who has answered before, up to a question, the review or an alarm, and continues there. What they
 * said was told to the service directly: much cheaper than screen after screen in a browser.
 */
export async function continuesAt(visitor: Visitor, clinic: Clinic, place: string, picks: Picks): Promise<void> {
  const patient = new Patient(visitor.origin)
  await patient.enterOpen(clinic.slug, { language: visitor.language })
  await answersUpTo(patient, place, picks)
  const [name = '', value = ''] = (patient.cookie ?? '').split('=')
  await visitor.context.addCookies([{ name, value, url: visitor.origin, httpOnly: true, sameSite: 'Lax' }])
  await visitor.open(clinic)
  await visitor.press('.welcome .begun .primary')
  await visitor.goes(place, picks) // past a card that comes first
}

async function answersUpTo(patient: Patient, place: string, picks: Picks): Promise<void> {
  for (let screens = 0; screens < 60; screens++) {
    const { step } = patient.now
    if (step.kind !== 'ask' || step.questions.some(({ id }) => id === place)) return
    if (place === '.alarm' && patient.now.alarm !== null) return
    const told = step.questions.filter(({ id }) => Object.hasOwn(picks, id))
    const story = Object.fromEntries(told.map(({ id, kind }) => [id, valueOfPick(kind, picks[id] ?? null)]))
    const { status, body } = await patient.give(screenAnswers(step.questions, story))
    if (status !== 200) throw new Error(`${patient.asked}: ${status} ${JSON.stringify(body).slice(0, 300)}`)
  }
  throw new Error(`${place} was not reached.`)
}

/** What the service is told when someone picks this on the page. */
function valueOfPick(kind: string, pick: string | readonly string[] | null): Value {
  if (pick === null) return null
  if (kind === 'many' || kind === 'complaints') return typeof pick === 'string' ? [pick] : pick
  const one = typeof pick === 'string' ? pick : (pick[0] ?? '')
  if (kind === 'yesno' || kind === 'sign') return one === 'true'
  if (kind === 'number' || kind === 'scale') return Number(one.replace(',', '.'))
  if (kind === 'duration') return durationOf(one)
  return one
}

function durationOf(text: string): Value {
  const [amount, word] = text.split(' ')
  const unit: DurationUnit = DURATION_UNITS.find((known) => known === word) ?? 'days'
  return { amount: Number(amount), unit }
}
