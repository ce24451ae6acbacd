import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Core } from '../../events/core.ts'
import { fail } from '../../problems.ts'
import type { Objects } from '../../store/objects.ts'
import { findKeptUpload, readKeptBytes } from '../../store/uploads.ts'
import type { Session } from '../open.ts'
import { bytesField, endingOf } from '../uploads/bound.ts'
import type { AccessLogEntry } from './access-log.ts'
import type { SessionExport } from './export.ts'

/** Only the owner reads what is written: it is health data. */
const MINE = { mode: 0o600 }

/** Writes an export into a folder: session.json, the summary and the access log to read, and the patient's files by their ids. */
export async function writeSession(
  core: Core,
  objects: Objects | null,
  session: Session,
  exported: SessionExport,
  folder: string,
): Promise<{ files: number }> {
  const kept = exported.files.filter(({ isKept }) => isKept)
  await writeFile(join(folder, 'session.json'), `${JSON.stringify(exported, null, 2)}\n`, MINE)
  await writeFile(join(folder, 'summary.txt'), exported.summary, MINE)
  await writeFile(join(folder, 'access-log.txt'), exported.accessLog.map(logLine).join(''), MINE)
  if (kept.length > 0) await mkdir(join(folder, 'files'), { mode: 0o700 })
  for (const { fileId, mimeType } of kept) {
    const name = `${fileId}${endingOf(mimeType)}`
    await writeFile(join(folder, 'files', name), await bytesOf(core, objects, session, fileId), MINE)
  }
  return { files: kept.length }
}

/** Names and notes were written by others: a line stays one line. */
const logLine = ({ timestamp, who, unit, what }: AccessLogEntry): string =>
  `${[timestamp, who, unit ?? '–', what].map((part) => part.replace(/[\p{Cc}\p{Cf}]/gu, ' ')).join(' | ')}\n`

async function bytesOf(core: Core, objects: Objects | null, session: Session, id: string): Promise<Buffer> {
  const { accountId, row, seal } = session
  const kept = (await findKeptUpload(core.db, accountId, row.id, id)) ?? fail('file-not-found')
  const sealed = (await readKeptBytes(core.db, objects, accountId, row.id, kept)) ?? fail('file-not-found')
  return seal.open(bytesField(id), sealed)
}
