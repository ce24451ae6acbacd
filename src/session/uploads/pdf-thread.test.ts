import { expect, test } from 'vitest'
import { lookThroughInThread } from './pdf-thread.ts'

const PDF = Buffer.from('%PDF-1.4\n1 0 obj<</OpenAction 2 0 R>>endobj\n%%EOF\n')

test('a document is looked through by a thread, which tells what it found', async () => {
  expect(await lookThroughInThread(PDF)).toEqual({ verdict: { kind: 'flags', flags: ['active-content'] }, bytes: PDF })
  expect(await lookThroughInThread(PDF.subarray(0, 20))).toMatchObject({ verdict: { kind: 'broken' } })
})

test('a document that takes too long is too complex, and its thread has ended', async () => {
  const large = Buffer.concat([Buffer.alloc(20_000_000, '/a '), PDF])
  expect(await lookThroughInThread(large, 1)).toMatchObject({ verdict: { kind: 'too-complex' } })
  expect(await lookThroughInThread(PDF)).toEqual({ verdict: { kind: 'flags', flags: ['active-content'] }, bytes: PDF })
})

test('the bytes of a large document come back as they were, without having been copied', async () => {
  const large = Buffer.concat([PDF, Buffer.alloc(1_000_000, 'a')])
  const before = Buffer.from(large)
  const { bytes } = await lookThroughInThread(large)
  expect(bytes.equals(before)).toBe(true)
  expect(large).toHaveLength(0) // given away
})
