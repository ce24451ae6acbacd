// @module-tag thorough
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect } from 'vitest'
import { type Chromium, launchChromium, test } from '../../world/browser.ts'
import { continuesAt } from '../../world/continues.ts'
import { eventually, Visitor } from '../../world/visitor.ts'
import { newWorld, type World } from '../../world/world.ts'

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

const SKIN = {
  age: '30',
  sex: 'male',
  matter: 'Could someone have a look at this',
  complaints: 'general',
  general_area: 'skin',
}

async function atThePhotos(language: string): Promise<Visitor> {
  const clinic = await world.clinic()
  const visitor = await Visitor.arrives(chromium, world, { language })
  await continuesAt(visitor, clinic, 'general_photo', SKIN)
  return visitor
}

test('a picture is shown, sent in parts with its progress, goes on after a lost line, and can be removed', async () => {
  const visitor = await atThePhotos('en')
  const bytes = await picture()
  expect(bytes.length).toBeGreaterThan(400_000)
  await visitor.isAccessible()
  await eventually(() => visitor.page.locator('form.ask .primary').innerText()).toBe('Continue without pictures')

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
  await eventually(() => visitor.page.locator('.upload-name').innerText()).toBe('Rash <b>1</b>.jpg')
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
  await eventually(() => visitor.page.locator('.upload').count()).toBe(1)
  await visitor.answer()
  await visitor.goes('.review', SKIN)
  await eventually(() => visitor.page.locator('.review').innerText()).toContain('1 picture')
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
  await eventually(() => visitor.page.locator('.upload').innerText()).toContain('Tällaista tiedostoa ei voi lähettää')
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

test('in any matter pictures can be added at the review, and the clinic gets them', async () => {
  const clinic = await world.clinic()
  const visitor = await Visitor.arrives(chromium, world)
  await visitor.open(clinic)
  await visitor.start()
  const request = { age: '50', sex: 'female', issue_type: 'prescription', matter: 'The pills on the picture' }
  await visitor.goes('.review', request)
  await visitor.isAccessible()
  const small = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#246' } })
    .jpeg()
    .toBuffer()
  const files = Array.from({ length: 6 }, (_, at) => ({
    name: `box ${at + 1}.jpg`,
    mimeType: 'image/jpeg',
    buffer: small,
  }))
  await visitor.page.locator('.review input[type=file]').setInputFiles(files)
  await eventually(() => visitor.page.locator('.upload[data-state="ready"]').count()).toBe(5)
  // One more than there is room for is not dropped without a word.
  await eventually(() => visitor.page.locator('.extra-files').innerText()).toContain('There is room for 5.')
  await visitor.page.locator('.upload .round').first().click()
  await eventually(() => visitor.page.locator('.upload').count()).toBe(4)
  await eventually(() => visitor.page.locator('.extra-files').innerText()).not.toContain('There is room for 5.')
  await visitor.isAccessible()
  await visitor.picture('review-files')

  // They stay while an answer is changed, and after a reload.
  await visitor.press('[data-change="age"]')
  await visitor.sees('.edit')
  await visitor.write('.edit .field.number', '51')
  await visitor.press('.edit .primary')
  await eventually(() => visitor.page.locator('.edit').count()).toBe(0)
  await eventually(() => visitor.page.locator('.upload').count()).toBe(4)
  await visitor.page.reload()
  await visitor.sees('.review')
  await eventually(() => visitor.page.locator('.upload').count()).toBe(4)
  await visitor.goes('.result')
  const [session] = await world.sql('select id from sessions where account_id = $1', [clinic.accountId])
  const reply = await fetch(`${world.url}/api/v1/session/${session?.id}/files`, {
    headers: { 'X-Service-API-Key': clinic.key },
  })
  expect(await reply.json()).toHaveLength(4)
  await visitor.leaves()
})

test('nothing is sent from the review while a picture is still on its way', { tags: 'slice' }, async () => {
  const clinic = await world.clinic()
  const visitor = await Visitor.arrives(chromium, world)
  await continuesAt(visitor, clinic, '.review', { issue_type: 'admin', matter: 'A letter' })
  let letGo = () => {}
  const held = new Promise<void>((done) => {
    letGo = done
  })
  await visitor.page.route('**/session/files/*', async (route) => {
    await held
    await route.continue()
  })
  const letter = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#fff' } })
    .png()
    .toBuffer()
  await visitor.page
    .locator('.review input[type=file]')
    .setInputFiles({ name: 'letter.png', mimeType: 'image/png', buffer: letter })
  await visitor.sees('.upload progress')
  await visitor.press('.review .primary')
  await eventually(() => visitor.page.locator('.review .actions .fault').innerText()).toContain(
    'Wait until the pictures',
  )
  letGo()
  await eventually(() => visitor.page.locator('.upload').getAttribute('data-state')).toBe('ready')
  await visitor.press('.review .primary')
  await visitor.sees('.result')
  await visitor.leaves()
})

test('an empty file is called damaged, and no retry is asked for', async () => {
  const visitor = await atThePhotos('en')
  await visitor.page
    .locator('input[type=file]')
    .setInputFiles({ name: 'nothing.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(0) })
  await eventually(() => visitor.page.locator('.upload').innerText()).toContain('The file is damaged')
  await visitor.leaves()
})

async function addsPicture(visitor: Visitor, within: string, name: string): Promise<void> {
  const before = await visitor.page.locator(`${within} .upload[data-state="ready"]`).count()
  const buffer = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#a33' } })
    .jpeg()
    .toBuffer()
  await visitor.page.locator(`${within} input[type=file]`).setInputFiles({ name, mimeType: 'image/jpeg', buffer })
  await eventually(() => visitor.page.locator(`${within} .upload[data-state="ready"]`).count()).toBe(before + 1)
}

const keptFiles = async (): Promise<number> =>
  Number(
    (
      await world.sql(
        `select count(*)::int as n from uploads where removed_at is null
         and session_id = (select id from sessions order by created_at desc limit 1)`,
      )
    )[0]?.n,
  )

test('a picture removed while its answer is changed stays when the answer is kept, and goes when the change is saved', async () => {
  const visitor = await atThePhotos('en')
  await addsPicture(visitor, 'form.ask', 'one.jpg')
  await visitor.answer()
  await visitor.goes('.review', SKIN)
  const row = visitor.page.locator('.ledger-row:has([data-change="general_photo"])')
  await eventually(() => row.innerText()).toContain('1 picture')

  await visitor.press('[data-change="general_photo"]')
  await visitor.sees('.edit .upload')
  await visitor.press('.edit .upload .round')
  await addsPicture(visitor, '.edit', 'two.jpg')
  await visitor.page.getByRole('button', { name: 'Keep as it was' }).click()
  await eventually(() => row.count()).toBe(1)
  await eventually(() => row.innerText()).toContain('1 picture')
  await eventually(keptFiles).toBe(1)
  await visitor.press('[data-change="general_photo"]')
  await visitor.sees('.edit .upload')
  await eventually(() => visitor.page.locator('.edit .upload-name').allInnerTexts()).toEqual(['one.jpg'])

  await visitor.press('.edit .upload .round')
  await visitor.press('.edit .primary')
  await eventually(() => row.count()).toBe(1)
  await eventually(() => row.innerText()).toContain('No pictures')
  await eventually(keptFiles).toBe(0)
  await visitor.page.reload()
  await visitor.sees('.review')
  await eventually(() => visitor.page.locator('.upload').count()).toBe(0)
  await visitor.goes('.result')
  await visitor.leaves()
})

test('pictures added and removed at a question are the same after another answer was opened and kept', async () => {
  const visitor = await atThePhotos('en')
  await addsPicture(visitor, 'form.ask', 'one.jpg')
  await addsPicture(visitor, 'form.ask', 'two.jpg')
  await visitor.press('.now .upload .round')
  await eventually(keptFiles).toBe(1)
  await visitor.page.locator('[data-change]').first().click()
  await visitor.sees('.edit')
  await visitor.page.getByRole('button', { name: 'Keep as it was' }).click()
  await visitor.sees('[data-question="general_photo"] .upload')
  await eventually(() => visitor.page.locator('.upload-name').allInnerTexts()).toEqual(['two.jpg'])
  await visitor.answer()
  expect(await visitor.question()).not.toBe('general_photo')
  await visitor.leaves()
})
