import { randomUUID } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
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

async function entered(): Promise<Patient> {
  const patient = new Patient(world.url)
  await patient.enterOpen(clinic.slug)
  return patient
}

async function upload(patient: Patient, bytes: Buffer, name: string): Promise<Reply> {
  const id = randomUUID()
  const announced = await patient.call('POST', '/session/files', { id, name, size: bytes.length })
  if (announced.status !== 200) return announced
  return patient.call('PATCH', `/session/files/${id}`, bytes, { 'upload-offset': '0' })
}

const codeOf = (reply: { body: { type?: string } }) => reply.body.type?.split('/').at(-1)
const picture = () =>
  sharp({ create: { width: 60, height: 40, channels: 3, background: 'red' } })
    .jpeg()
    .toBuffer()

const pdfWith = (catalog: string, more: string | Buffer = '') =>
  Buffer.concat([
    Buffer.from(`%PDF-1.7\n1 0 obj<</Type/Catalog${catalog}>>endobj\n`),
    Buffer.from(more),
    Buffer.from('\ntrailer<</Root 1 0 R>>\n%%EOF\n'),
  ])
const packed = (objects: string) =>
  Buffer.concat([
    Buffer.from('5 0 obj<</Type/ObjStm/N 1/First 4/Filter/FlateDecode/Length 99>>\nstream\n'),
    deflateSync(Buffer.from(objects)),
    Buffer.from('\nendstream endobj'),
  ])

/** PDFs, and what is to be said of each. */
const FLAGGED: readonly (readonly [Buffer, string[]])[] = [
  [pdfWith(''), []],
  [pdfWith('/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>'), ['active-content']],
  [pdfWith('/OpenAction<</S/Launch/F(calc.exe)>>'), ['active-content']],
  [pdfWith('/AA<</O 2 0 R>>'), ['active-content']],
  [pdfWith('/Open#41ction<</S/J#61vaScript>>'), ['active-content']],
  [pdfWith('', packed('6 0 <</S/Launch/F(calc.exe)>>')), ['active-content']],
  [pdfWith('', 'trailer<</Encrypt 9 0 R>>'), ['encrypted']],
  [pdfWith('/OpenAction 2 0 R', 'trailer<</Encrypt 9 0 R>>'), ['active-content', 'encrypted']],
]

test('A35: archives and office files are refused; a PDF that is encrypted or could act is flagged, and only ever a download', async () => {
  const patient = await entered()
  const zip = (first: string) => Buffer.concat([Buffer.from('PK\x03\x04\x14\x00', 'latin1'), Buffer.from(first)])
  for (const [bytes, name] of [
    [zip('evil.exe'), 'a.zip'],
    [zip('[Content_Types].xml word/document.xml'), 'a.docx'],
    [zip('[Content_Types].xml xl/workbook.xml'), 'a.xlsx'],
    [Buffer.from('Rar!\x1a\x07\x01\x00', 'latin1'), 'a.rar'],
    [Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0]), 'a.gz'],
    [Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]), 'a.doc'],
  ] as const) {
    const reply = await upload(patient, bytes, name)
    expect([reply.status, codeOf(reply)], name).toEqual([415, 'file-type-not-supported'])
  }
  const session = await world.sql('select 1 from uploads where session_id = $1 and removed_at is null', [
    patient.now.sessionId,
  ])
  expect(session).toEqual([])
  for (const [bytes, flags] of FLAGGED)
    expect([(await upload(patient, bytes, 'a.pdf')).status, flags]).toEqual([200, flags])
  const kept = await world.sql(
    'select flags from uploads where session_id = $1 and ready_at is not null order by created_at',
    [patient.now.sessionId],
  )
  expect(kept.map((row) => row.flags)).toEqual(FLAGGED.map(([, flags]) => flags))
  const system = integrator({ world, urls: [world.url] }, clinic)
  const files = Object.values(await system.get(`/session/${patient.now.sessionId}/files`)).filter(
    (one) => typeof one === 'object',
  ) as { mimeType: string; downloadUrl: string }[]
  expect(files).toHaveLength(FLAGGED.length)
  for (const { downloadUrl } of files) {
    const { headers } = await fetch(downloadUrl)
    expect(headers.get('content-disposition')).toMatch(/^attachment;/)
    expect(headers.get('content-security-policy')).toContain('sandbox')
  }
})

test('A35: a configuration may refuse flagged PDFs, with what to do about it; plain ones are taken', async () => {
  const strict = await world.clinic({ refuseFlaggedPdfs: true })
  const patient = new Patient(world.url)
  await patient.enterOpen(strict.slug)
  for (const [bytes, flags] of FLAGGED) {
    const reply = await upload(patient, bytes, 'a.pdf')
    expect([flags, reply.status]).toEqual([flags, flags.length > 0 ? 415 : 200])
    if (flags.length > 0) expect(reply.body.detail).toContain('plain PDF')
  }
  await patient.look()
  expect(patient.now.files.filter(({ ready }) => ready)).toHaveLength(1)
})

test('B15: there is no multipart to attack, and a name of 4 kB is refused; one of 1,000 characters is cut for people to read', async () => {
  const patient = await entered()
  const before = await world.sql('select count(*)::int as n from uploads')
  const part = (at: number) => `--b\r\nContent-Disposition: form-data; name="f${at}"\r\n\r\nx\r\n`
  const parts = (count: number) => Array.from({ length: count }, (_, at) => part(at)).join('')
  const id = randomUUID()
  await patient.call('POST', '/session/files', { id, name: 'a.jpg', size: 100 })
  for (const [type, body] of [
    ['multipart/form-data; boundary=b', `${parts(10_000)}--b--`],
    ['multipart/form-data; boundary=b', `${parts(1_000)}--b--`],
    ['multipart/form-data', parts(3)],
    ['multipart/mixed; boundary=b', `--b\r\nContent-Type: multipart/form-data; boundary=b\r\n\r\n${parts(5)}--b--`],
  ] as const)
    for (const [method, path] of [
      ['POST', '/session/files'],
      ['PATCH', `/session/files/${id}`],
      ['POST', '/session/answers'],
    ] as const) {
      const reply = await fetch(`${world.url}/api/triage/v1${path}`, {
        method,
        headers: {
          cookie: patient.cookie ?? '',
          'sec-fetch-site': 'same-origin',
          'content-type': type,
          'upload-offset': '0',
        },
        body,
      })
      expect([path, [413, 415].includes(reply.status)]).toEqual([path, true])
    }
  expect((await upload(patient, await picture(), 'x'.repeat(4_096))).status).toBe(400)
  expect((await upload(patient, await picture(), 'ö'.repeat(1_000))).body.name).toBe(`${'ö'.repeat(116)}.jpg`)
  expect(await world.sql('select count(*)::int as n from uploads')).toEqual([{ n: Number(before[0]?.n) + 2 }])
})
