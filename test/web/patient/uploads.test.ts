import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newWorld, type World } from '../../world/world.ts'
import { type Chromium, launchChromium } from '../browser.ts'
import { eventually, Visitor } from './visitor.ts'

let world: World
let chromium: Chromium
beforeAll(async () => {
  ;[world, chromium] = await Promise.all([newWorld(), launchChromium()])
})
afterAll(async () => {
  await chromium?.close()
  await world?.close()
})

/** A picture that is hard to compress, so that it takes several parts to send. */
async function picture(): Promise<Buffer> {
  const [width, height] = [1400, 1000]
  const noise = Buffer.alloc(width * height * 3)
  for (let at = 0; at < noise.length; at++) noise[at] = (at * 2654435761) >>> 13
  return sharp(noise, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 95 })
    .toBuffer()
}

const SKIN = { age: '30', sex: 'male', matter: 'a rash on my arm', complaints: 'general', general_area: 'skin' }

async function atThePhotos(language: string): Promise<Visitor> {
  const clinic = await world.clinic()
  const visitor = await Visitor.arrives(chromium, world, { language })
  await visitor.open(clinic)
  await visitor.start()
  await visitor.goes('general_photo', SKIN)
  return visitor
}

test('a picture is shown, sent in parts with its progress, goes on after a lost line, and can be removed', async () => {
  const visitor = await atThePhotos('en')
  const bytes = await picture()
  expect(bytes.length).toBeGreaterThan(400_000)
  await visitor.isAccessible()
  expect(await visitor.page.locator('form.ask .primary').innerText()).toBe('Continue without pictures')

  let parts = 0
  const offsets: number[] = []
  await visitor.page.route('**/session/files/*', async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue()
    offsets.push(Number(route.request().headers()['upload-offset']))
    parts++
    if (parts === 2) return route.abort()
    await new Promise((done) => setTimeout(done, 250))
    return route.continue()
  })
  await visitor.page
    .locator('input[type=file]')
    .setInputFiles({ name: 'Rash <b>1</b>.jpg', mimeType: 'image/jpeg', buffer: bytes })
  await visitor.sees('.upload progress')
  await visitor.isAccessible()
  await visitor.picture('uploading')
  await eventually(() => visitor.page.locator('.upload').getAttribute('data-state')).toBe('ready')
  expect(parts).toBeGreaterThan(2)
  expect(offsets[2]).toBe(offsets[1]) // the lost part again, from where the service had stopped receiving
  expect(await visitor.page.locator('.upload-name').innerText()).toBe('Rash <b>1</b>.jpg')
  await visitor.isAccessible()
  await visitor.picture('uploaded')

  await visitor.page.locator('input[type=file]').setInputFiles({
    name: 'paper.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\n%%EOF\n'),
  })
  await eventually(() => visitor.page.locator('.upload[data-state="ready"]').count()).toBe(2)
  await visitor.page.locator('.upload .round').first().click()
  await eventually(() => visitor.page.locator('.upload').count()).toBe(1)
  await visitor.page.reload()
  await visitor.sees('.upload')
  expect(await visitor.page.locator('.upload').count()).toBe(1)
  await visitor.answer()
  await visitor.goes('.review', SKIN)
  expect(await visitor.page.locator('.review').innerText()).toContain('1 picture')
  await visitor.goes('.result')
  const files = await world.sql('select removed_at is null as kept from uploads order by created_at')
  expect(files.filter(({ kept }) => kept)).toHaveLength(1)
  await visitor.leaves()
})

test('what cannot be taken is said in plain words, and loses nothing (Finnish)', async () => {
  const visitor = await atThePhotos('fi')
  await visitor.page.locator('input[type=file]').setInputFiles({
    name: 'kuva.jpg',
    mimeType: 'image/jpeg',
    buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
  })
  await eventually(() => visitor.page.locator('.upload').getAttribute('data-state')).toBe('failed')
  expect(await visitor.page.locator('.upload').innerText()).toContain('Tällaista tiedostoa ei voi lähettää')
  await visitor.isAccessible()
  await visitor.picture('upload-refused')
  await visitor.page.locator('.upload .round').click()
  const large = join(mkdtempSync(join(tmpdir(), 'fyr-upload-')), 'iso.jpg')
  writeFileSync(large, Buffer.alloc(21 * 1024 * 1024, 1))
  await visitor.page.locator('input[type=file]').setInputFiles(large)
  rmSync(dirname(large), { recursive: true })
  await eventually(() => visitor.page.locator('.upload').innerText()).toContain('20 Mt')
  await visitor.page.locator('.upload .round').click()
  await visitor.answer()
  expect(await visitor.question()).not.toBe('general_photo')
  await visitor.leaves()
})
