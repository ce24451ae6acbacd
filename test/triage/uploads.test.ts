import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hollowPng } from '../world/bad-files.ts'
import { Patient, type Reply } from '../world/patient.ts'
import { integrator } from '../world/stage.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'

let world: World
let clinic: Clinic
beforeAll(async () => {
  world = await newWorld()
  clinic = await world.clinic()
})
afterAll(() => world.close())

const CANARY = 'CANARY-59.3293N-18.0686E'

async function entered(): Promise<Patient> {
  const patient = new Patient(world.url)
  await patient.enterOpen(clinic.slug)
  return patient
}

async function upload(patient: Patient, bytes: Buffer, name = 'photo.jpg', id = randomUUID()): Promise<Reply> {
  const announced = await patient.call('POST', '/session/files', { id, name, size: bytes.length })
  if (announced.status !== 200) return announced
  return patient.call('PATCH', `/session/files/${id}`, bytes, { 'upload-offset': '0' })
}

const codeOf = (reply: { body: { type?: string } }) => reply.body.type?.split('/').at(-1)

const picture = (format: 'jpeg' | 'png' | 'webp', width = 60, height = 40) =>
  sharp({ create: { width, height, channels: 3, background: '#0b5b78' } })
    .withExif({ IFD0: { ImageDescription: CANARY, Copyright: CANARY }, IFD3: { GPSLatitude: '59/1 19/1 45/1' } })
    .withIccProfile('p3')
    .toFormat(format)
    .toBuffer()

const PDF = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n')

describe('what is taken', () => {
  test('pictures and documents are listed over the interface, oldest first, and can be fetched while the cookie’s record is alive', async () => {
    const patient = await entered()
    for (const [bytes, name] of [
      [await picture('jpeg'), 'a.jpg'],
      [await picture('png'), 'b.png'],
      [await picture('webp'), 'c.webp'],
      [PDF, 'd.pdf'],
    ] as const) {
      const reply = await upload(patient, bytes, name)
      expect(reply.body).toMatchObject({ ready: true, name })
    }
    const system = integrator({ world, urls: [world.url] }, clinic)
    const files = Object.values(await system.get(`/session/${patient.now.sessionId}/files`)).filter(
      (one) => typeof one === 'object',
    ) as { mimeType: string; downloadUrl: string }[]
    expect(files.map(({ mimeType }) => mimeType)).toEqual(['image/jpeg', 'image/png', 'image/webp', 'application/pdf'])
    const fetched = await fetch(files[0]?.downloadUrl ?? '')
    expect(fetched.status).toBe(200)
    expect(Object.fromEntries(fetched.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
    expect(fetched.headers.get('content-disposition')).toMatch(/^attachment; filename="a.jpg"/)
    expect(fetched.headers.get('content-security-policy')).toContain('sandbox')
    expect((await sharp(Buffer.from(await fetched.arrayBuffer())).metadata()).width).toBe(60)

    const address = files[0]?.downloadUrl ?? ''
    // Not the very last letter: some of its bits say nothing.
    const wrong = address.replace(/.(?=.{5}$)/, (letter) => (letter === 'A' ? 'B' : 'A'))
    expect((await fetch(wrong)).status).toBe(404)
    await world.sql("update user_cookies set expires_at = now() - interval '1 second' where session_id = $1", [
      patient.now.sessionId,
    ])
    expect((await fetch(address)).status).toBe(410)
    expect(Object.keys(await system.get(`/session/${patient.now.sessionId}/files`)).length).toBeGreaterThan(3)
  })

  test('F08: the bytes of big files travel by themselves: what is recorded meanwhile stays small, and files are whole', async () => {
    const { db } = world.app.core
    const { batch } = db
    let largest = 0
    db.batch = (steps) => {
      largest = Math.max(largest, JSON.stringify(steps).length)
      return batch(steps)
    }
    try {
      const big = Buffer.concat([PDF.subarray(0, 9), Buffer.alloc(6_000_000, 'fyr '), PDF.subarray(9)])
      const patients = await Promise.all([entered(), entered(), entered()])
      const system = integrator({ world, urls: [world.url] }, clinic)
      const sending = patients.map((patient) => upload(patient, big, 'big.pdf'))
      const beside = patients.map(({ now }) => system.get(`/session/${now.sessionId}`))
      for (const reply of await Promise.all(sending)) expect(reply.body).toMatchObject({ ready: true })
      await Promise.all(beside)
      expect(largest).toBeGreaterThan(0)
      expect(largest).toBeLessThan(100_000)
      const files = Object.values(await system.get(`/session/${patients[0]?.now.sessionId}/files`))
      const [file] = files.filter((one) => typeof one === 'object') as { downloadUrl: string }[]
      const fetched = Buffer.from(await (await fetch(file?.downloadUrl ?? '')).arrayBuffer())
      expect(fetched.equals(big)).toBe(true)
    } finally {
      db.batch = batch
    }
  })

  test('a file that was kept but not recorded is not there yet; sending its last part again makes it ready', async () => {
    const patient = await entered()
    const id = randomUUID()
    await patient.call('POST', '/session/files', { id, name: 'a.pdf', size: PDF.length })
    await world.sql('alter table audit_entries rename to hidden')
    const refused = await patient.call('PATCH', `/session/files/${id}`, PDF, { 'upload-offset': '0' })
    await world.sql('alter table hidden rename to audit_entries')
    expect(refused.status).toBeGreaterThanOrEqual(500)
    expect((await patient.look()).body).toMatchObject({ files: [{ id, ready: false }] })
    const again = await patient.call('PATCH', `/session/files/${id}`, PDF, { 'upload-offset': '0' })
    expect(again.body).toMatchObject({ id, ready: true })
    const twice = await patient.call('PATCH', `/session/files/${id}`, PDF, { 'upload-offset': '0' })
    expect(twice.body).toMatchObject({ id, ready: true })
    expect(
      await world.sql(`select 1 from audit_entries where action = 'file.added' and detail ->> 'file' = $1`, [id]),
    ).toHaveLength(1)
  })

  test('A36: nothing hidden in a picture survives: place, description, profile', async () => {
    const patient = await entered()
    for (const format of ['jpeg', 'png', 'webp'] as const) {
      const bytes = await picture(format)
      expect(bytes.includes(CANARY)).toBe(true)
      expect((await sharp(bytes).metadata()).icc).toBeDefined()
      const reply = await upload(patient, bytes)
      expect(reply.status, format).toBe(200)
    }
    const system = integrator({ world, urls: [world.url] }, clinic)
    const files = Object.values(await system.get(`/session/${patient.now.sessionId}/files`)).filter(
      (one) => typeof one === 'object',
    ) as { downloadUrl: string }[]
    expect(files).toHaveLength(3)
    for (const { downloadUrl } of files) {
      const bytes = Buffer.from(await (await fetch(downloadUrl)).arrayBuffer())
      expect(bytes.includes(CANARY)).toBe(false)
      const { exif, icc, xmp } = await sharp(bytes).metadata()
      expect([exif, icc, xmp]).toEqual([undefined, undefined, undefined])
    }
  })

  test('B28: a rotated picture stays the right way up; CMYK and animated ones are made plain', async () => {
    const patient = await entered()
    const sideways = await sharp({ create: { width: 60, height: 40, channels: 3, background: 'red' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    const cmyk = await sharp({ create: { width: 30, height: 30, channels: 3, background: 'red' } })
      .toColourspace('cmyk')
      .jpeg()
      .toBuffer()
    const frames = await sharp({ create: { width: 20, height: 60, channels: 4, background: 'red' } })
      .raw()
      .toBuffer()
    const animated = await sharp(frames, { raw: { width: 20, height: 60, channels: 4, pageHeight: 20 } })
      .webp({ loop: 0 })
      .toBuffer()
    for (const bytes of [sideways, cmyk, animated])
      expect((await upload(patient, bytes)).body).toMatchObject({ ready: true })
    const system = integrator({ world, urls: [world.url] }, clinic)
    const files = Object.values(await system.get(`/session/${patient.now.sessionId}/files`)).filter(
      (one) => typeof one === 'object',
    ) as { downloadUrl: string }[]
    const [turned, plain, still] = await Promise.all(
      files.map(async ({ downloadUrl }) =>
        sharp(Buffer.from(await (await fetch(downloadUrl)).arrayBuffer())).metadata(),
      ),
    )
    expect([turned?.width, turned?.height, turned?.orientation]).toEqual([40, 60, undefined])
    expect(plain?.space).toBe('srgb')
    expect([still?.height, still?.pages ?? 1]).toEqual([20, 1])
  })

  test('a lost connection goes on where it stopped, and a repeated last part is one file', async () => {
    const patient = await entered()
    const bytes = await sharp({
      create: {
        width: 900,
        height: 900,
        channels: 3,
        background: 'red',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    })
      .jpeg({ quality: 95 })
      .toBuffer()
    const id = randomUUID()
    const half = Math.floor(bytes.length / 2)
    await patient.call('POST', '/session/files', { id, name: 'big.jpg', size: bytes.length })
    const first = await patient.call('PATCH', `/session/files/${id}`, bytes.subarray(0, half), { 'upload-offset': '0' })
    expect(first.body).toMatchObject({ received: half, ready: false })
    const again = await patient.call('PATCH', `/session/files/${id}`, bytes.subarray(0, half), { 'upload-offset': '0' })
    expect([again.status, codeOf(again), again.headers.get('upload-offset')]).toEqual([
      409,
      'file-offset',
      String(half),
    ])
    const rest = () =>
      patient.call('PATCH', `/session/files/${id}`, bytes.subarray(half), { 'upload-offset': String(half) })
    expect((await rest()).body).toMatchObject({ ready: true })
    expect((await rest()).body).toMatchObject({ ready: true })
    const [entries] = await world.sql(
      "select count(*)::int as n from audit_entries where subject = $1 and action = 'file.added'",
      [patient.now.sessionId],
    )
    expect(entries).toEqual({ n: 1 })
    expect(await world.sql('select 1 from upload_parts where upload_id = $1', [id])).toEqual([])
  })

  test('a photo question takes files of this session and no others', async () => {
    const patient = await entered()
    await patient.answerThrough({ complaints: ['sore-throat'] }, (asked) => asked === 'photos')
    expect(patient.asked).toBe('photos')
    const [id, theirs] = [randomUUID(), randomUUID()]
    await upload(await entered(), await picture('jpeg'), 'theirs.jpg', theirs)
    for (const foreign of [id, theirs]) expect((await patient.answer('photos', [foreign])).status).toBe(400)
    await upload(patient, await picture('jpeg'), 'throat.jpg', id)
    expect((await patient.answer('photos', [id, theirs])).status).toBe(400)
    expect((await patient.answer('photos', [id])).status).toBe(200)
  })

  test('a removed file is listed nowhere and its bytes are gone', async () => {
    const patient = await entered()
    const id = randomUUID()
    await upload(patient, await picture('jpeg'), 'x.jpg', id)
    expect((await patient.call('DELETE', `/session/files/${id}`)).status).toBe(204)
    await patient.look()
    expect(patient.now.files).toEqual([])
    const [row] = await world.sql('select sealed_bytes from uploads where id = $1', [id])
    expect(row).toEqual({ sealed_bytes: null })
  })
})

describe('what is refused, clearly and without a trace', () => {
  test('A32: HTML, SVG, scripts, programs and archives are refused whatever their name says', async () => {
    const patient = await entered()
    for (const [text, name] of [
      ['<html><script>alert(1)</script>', 'photo.jpg'],
      ['<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', 'drawing.png'],
      ['MZ\x90\x00 this is a program', 'scan.pdf'],
      ['PK\x03\x04 an archive or a docx', 'letter.jpg.html'],
      ['#!/bin/sh', 'x%00.jpg'],
    ] as const) {
      const reply = await upload(patient, Buffer.from(text, 'latin1'), name)
      expect([reply.status, codeOf(reply)], name).toEqual([415, 'file-type-not-supported'])
    }
  })

  test('HEIC is refused with what to do about it', async () => {
    const reply = await upload(
      await entered(),
      Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypheic'), Buffer.alloc(40)]),
      'IMG_1.HEIC',
    )
    expect([reply.status, String(reply.body.detail)]).toEqual([415, expect.stringContaining('JPEG')])
  })

  test('B28 and A34: broken pictures and pixel floods are refused before they cost anything', async () => {
    const patient = await entered()
    const jpeg = await picture('jpeg', 400, 400)
    const png = await picture('png')
    const wrongSum = Buffer.from(png)
    wrongSum.writeUInt8((wrongSum.at(-20) ?? 0) ^ 0xff, wrongSum.length - 20)
    for (const [bytes, code] of [
      [jpeg.subarray(0, jpeg.length / 2), 'file-broken'],
      [wrongSum, 'file-broken'],
      [hollowPng(14_000, 14_000), 'file-too-many-pixels'],
      [hollowPng(1, 2 ** 31 - 1), 'file-broken'],
      [Buffer.from('%PDF-1.7 cut off'), 'file-broken'],
    ] as const) {
      const reply = await upload(patient, bytes)
      expect([reply.status, codeOf(reply)]).toEqual([400, code])
    }
    expect((await patient.call('POST', '/session/files', { id: randomUUID(), name: 'empty', size: 0 })).status).toBe(
      400,
    )
    await patient.look()
    expect(patient.now.files).toEqual([])
  })

  test('too large and too many are refused', async () => {
    const patient = await entered()
    const large = await patient.call('POST', '/session/files', {
      id: randomUUID(),
      name: 'x',
      size: 20 * 1024 * 1024 + 1,
    })
    expect([large.status, codeOf(large)]).toEqual([413, 'file-too-large'])
    const small = await picture('jpeg')
    for (let count = 0; count < 10; count++) expect((await upload(patient, small)).status).toBe(200)
    expect(codeOf(await upload(patient, small))).toBe('too-many-files')
  })

  test('A33: what hides behind a picture or a document does not survive, or is only ever a download', async () => {
    const patient = await entered()
    const polyglot = Buffer.concat([await picture('jpeg'), Buffer.from('<script>alert(1)</script>PK\x03\x04')])
    expect((await upload(patient, polyglot)).status).toBe(200)
    const active = Buffer.from(
      '%PDF-1.4\n1 0 obj<</Type/Catalog/OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj\n%%EOF\n',
    )
    expect((await upload(patient, active, 'a.pdf')).status).toBe(200)
    const system = integrator({ world, urls: [world.url] }, clinic)
    const files = Object.values(await system.get(`/session/${patient.now.sessionId}/files`)).filter(
      (one) => typeof one === 'object',
    ) as { downloadUrl: string }[]
    const bytes = Buffer.from(await (await fetch(files[0]?.downloadUrl ?? '')).arrayBuffer())
    expect(bytes.includes('<script>')).toBe(false)
    const flags = await world.sql('select flags from uploads where session_id = $1 order by created_at', [
      patient.now.sessionId,
    ])
    expect(flags.map((row) => row.flags)).toEqual([[], ['active-content']])
  })

  test('A37: a file’s name ends as what the file is: a PDF that is a page as well is not saved as one', async () => {
    const patient = await entered()
    const reply = await upload(patient, PDF, 'lab-results.html')
    expect(reply.body.name).toBe('lab-results.html.pdf')
    expect((await upload(patient, PDF, 'Scan.PDF')).body.name).toBe('Scan.PDF')
  })

  test('A37: a file’s name is only words: no path, no control or direction characters, encoded on its way out', async () => {
    const patient = await entered()
    const reply = await upload(patient, await picture('jpeg'), '../../x\r\n"\u202egnp.ö.jpg')
    expect(reply.body.name).toBe('x"gnp.ö.jpg')
    const system = integrator({ world, urls: [world.url] }, clinic)
    const [file] = Object.values(await system.get(`/session/${patient.now.sessionId}/files`)).filter(
      (one) => typeof one === 'object',
    ) as { downloadUrl: string }[]
    expect((await fetch(file?.downloadUrl ?? '')).headers.get('content-disposition')).toBe(
      `attachment; filename="x_gnp._.jpg"; filename*=UTF-8''x%22gnp.%C3%B6.jpg`,
    )
  })

  test('A39: another user’s cookie, a foreign id, and erasure', async () => {
    const [one, other] = [await entered(), await entered()]
    const id = randomUUID()
    await upload(one, await picture('jpeg'), 'x.jpg', id)
    expect((await other.call('DELETE', `/session/files/${id}`)).status).toBe(404)
    expect((await other.call('PATCH', `/session/files/${id}`, Buffer.from([1]), { 'upload-offset': '0' })).status).toBe(
      404,
    )
    const system = integrator({ world, urls: [world.url] }, clinic)
    const [file] = Object.values(await system.get(`/session/${one.now.sessionId}/files`)).filter(
      (two) => typeof two === 'object',
    ) as { downloadUrl: string }[]
    const ranged = await fetch(file?.downloadUrl ?? '', { headers: { range: 'bytes=0-0,1-1,2-2' } })
    expect([ranged.status, ranged.headers.get('etag')]).toEqual([200, null])
    await world.sql('update sessions set erased_at = now(), sealed_key = null where id = $1', [one.now.sessionId])
    expect((await fetch(file?.downloadUrl ?? '', { headers: { 'if-none-match': '*' } })).status).toBe(404)
  })

  test('the address of a file stands in no log', async () => {
    const patient = await entered()
    await upload(patient, await picture('jpeg'))
    const system = integrator({ world, urls: [world.url] }, clinic)
    const [file] = Object.values(await system.get(`/session/${patient.now.sessionId}/files`)).filter(
      (one) => typeof one === 'object',
    ) as { downloadUrl: string }[]
    await fetch(file?.downloadUrl ?? '')
    expect(world.log()).toContain('/files/:address')
    expect(world.log()).not.toContain(file?.downloadUrl.split('/').at(-1))
  })
})
