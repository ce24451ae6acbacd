import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Patient } from '../world/patient.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'

const FRAMES = 10_000
const SIDE = 8

let world: World
let clinic: Clinic
beforeAll(async () => {
  world = await newWorld()
  clinic = await world.clinic()
})
afterAll(() => world.close())

/** An animation whose frames all differ, so that none can be left out. */
async function manyFrames(): Promise<Buffer> {
  const pixels = Buffer.alloc(SIDE * SIDE * FRAMES * 3)
  for (let at = 0; at < pixels.length; at++) pixels[at] = (at * 2_654_435_761) >>> 24
  const raw = { width: SIDE, height: SIDE * FRAMES, channels: 3, pageHeight: SIDE } as const
  return sharp(pixels, { raw, limitInputPixels: false }).webp({ effort: 0, quality: 1 }).toBuffer()
}

test('A34: a picture of ten thousand frames is one plain frame or nothing, and costs little memory', async () => {
  const bytes = await manyFrames()
  expect((await sharp(bytes, { pages: -1, limitInputPixels: false }).metadata()).pages).toBe(FRAMES)
  const patient = new Patient(world.url)
  await patient.enterOpen(clinic.slug)
  const id = randomUUID()
  const before = process.memoryUsage().rss
  await patient.call('POST', '/session/files', { id, name: 'moving.webp', size: bytes.length })
  const sent = await patient.call('PATCH', `/session/files/${id}`, bytes, { 'upload-offset': '0' })
  expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000)
  if (sent.status !== 200) return expect(sent.status).toBe(400)
  const path = `/api/v1/session/${patient.now.sessionId}/files/${id}`
  const kept = await fetch(`${world.url}${path}`, { headers: { 'x-service-api-key': clinic.key } })
  expect(kept.status).toBe(200)
  const { pages = 1, width, height } = await sharp(Buffer.from(await kept.arrayBuffer())).metadata()
  expect({ pages, width, height }).toEqual({ pages: 1, width: SIDE, height: SIDE })
})
