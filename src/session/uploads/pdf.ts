import { inflateSync } from 'node:zlib'
import { fail } from '../../problems.ts'
import type { Checked } from './check.ts'

const ACTIVE = /\/(JavaScript|JS|OpenAction|Launch|EmbeddedFile|RichMedia|XFA|AA)\b/
const ENCRYPTED = /\/Encrypt\b/
const OBJECT_STREAM = /\/ObjStm\b[\s\S]{0,400}?\bstream\r?\n/g
const MOST_OBJECT_STREAMS = 200
const LARGEST_OBJECT_STREAM_BYTES = 1_000_000

/** A PDF is kept as it is and only ever handed over as a download; what could act in it is flagged for who opens it. */
export function checkPdf(bytes: Buffer): Checked {
  const tail = bytes.subarray(-2_048).toString('latin1')
  if (!tail.includes('%%EOF')) fail('file-broken')
  const text = bytes.toString('latin1')
  const parts = [text, ...packedObjects(bytes, text)].map(plainNames)
  const has = (pattern: RegExp) => parts.some((part) => pattern.test(part))
  const flags = [...(has(ACTIVE) ? ['active-content'] : []), ...(has(ENCRYPTED) ? ['encrypted'] : [])]
  return { mimeType: 'application/pdf', bytes, flags }
}

/** Names may be written with escapes (/J#61vaScript), which mean the same. */
const plainNames = (text: string): string =>
  text.replace(/#([0-9a-fA-F]{2})/g, (_escape, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

/** Objects may be packed together and compressed; what lies in there counts too. One that cannot be unpacked here says nothing. */
function packedObjects(bytes: Buffer, text: string): string[] {
  return [...text.matchAll(OBJECT_STREAM)].slice(0, MOST_OBJECT_STREAMS).flatMap(({ index, 0: head }) => {
    const start = index + head.length
    const end = text.indexOf('endstream', start)
    try {
      const packed = bytes.subarray(start, end < 0 ? undefined : end)
      return [inflateSync(packed, { maxOutputLength: LARGEST_OBJECT_STREAM_BYTES }).toString('latin1')]
    } catch {
      return []
    }
  })
}
