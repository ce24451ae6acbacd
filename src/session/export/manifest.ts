import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

/** Lists the hash of every file of an export, as `sha256sum -c` reads it. */
const MANIFEST = 'manifest.sha256'

/** Writes the manifest of a folder. The hash of the manifest stands for the whole export. */
export async function writeManifest(folder: string): Promise<{ files: number; sha256: string }> {
  const names = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()
  const lines: string[] = []
  for (const name of names) lines.push(`${await hashOfFile(join(folder, name))}  ${name}\n`)
  const text = lines.join('')
  await writeFile(join(folder, MANIFEST), text, { mode: 0o600 })
  return { files: names.length, sha256: hashOfText(text) }
}

/** The hash of an export whose files are all there and unchanged; null when it has no manifest or something differs. */
export async function readManifest(folder: string): Promise<string | null> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => null)
  if (text === null) return null
  for (const line of text.split('\n').filter(Boolean)) {
    const [hash, name = ''] = line.split('  ')
    if ((await hashOfFile(join(folder, name)).catch(() => null)) !== hash) return null
  }
  return hashOfText(text)
}

const hashOfText = (text: string): string => createHash('sha256').update(text).digest('hex')

async function hashOfFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}
