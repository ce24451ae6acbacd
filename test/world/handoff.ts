import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import type { Value } from '../../src/engine/content.ts'
import { Patient } from './patient.ts'
import type { Clinic, World } from './world.ts'

/** A generated picture: soft colours, so that losses in re-encoding would be seen. */
export const picture = (width: number, height: number, hue: number): Promise<Buffer> =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: { r: 180 + (hue % 60), g: 90 + (hue % 120), b: 80 + (hue % 90) },
    },
  })
    .jpeg()
    .toBuffer()

export async function upload(patient: Patient, name: string, bytes: Buffer): Promise<string> {
  const id = randomUUID()
  await patient.call('POST', '/session/files', { id, name, size: bytes.length })
  const sent = await patient.call('PATCH', `/session/files/${id}`, new Uint8Array(bytes), { 'upload-offset': '0' })
  if (sent.status !== 200) throw new Error(`The file was not taken: ${sent.status}`)
  return id
}

export type Told = { language?: string; story?: Record<string, Value>; files?: [name: string, bytes: Buffer][] }

/** A session whose user has gone through the whole interview and sent it. */
export async function endedSession(world: World, clinic: Clinic, told: Told = {}): Promise<string> {
  const patient = await interviewed(world, clinic, told)
  await patient.finish()
  return patient.now.sessionId
}

/** A session whose user has answered everything and not sent it yet. */
export async function interviewed(
  world: World,
  clinic: Clinic,
  { language, story = {}, files = [] }: Told,
): Promise<Patient> {
  const patient = new Patient(world.url)
  await patient.enterOpen(clinic.slug, language ? { language } : {})
  for (const [name, bytes] of files) await upload(patient, name, bytes)
  await patient.answerThrough(story)
  return patient
}

/** A throat that hurts badly, told at length: red flags present, denied and unsure, everything else answered. */
export const THROAT: Record<string, Value> = {
  matter: 'Kurkku on niin kipeä, etten saa nieltyä mitään.\nToinen puoli on turvoksissa – "kuin kuuma peruna suussa".',
  complaints: ['sore-throat'],
  mouth_hardly_opens: true,
  muffled_voice: true,
  fever: 'measured',
  temperature: 39.2,
  fluid_intake: 'half',
  pain_severity: 8,
  throat_look: ['one-side', 'coating'],
  throat_duration: { amount: 3, unit: 'days' },
  course: 'worse',
  illnesses: ['heart', 'other-illness'],
  medicines: null,
  allergies: ['none'],
  anything_else: 'Olen käynyt päivystyksessä maanantaina.',
}
