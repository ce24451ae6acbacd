import { cp, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compileCases, type WorkedCase } from '../../src/engine/compile/cases.ts'
import type { ContentFile } from '../../src/engine/compile/document.ts'
import { compileContent } from '../../src/engine/compile/release.ts'
import type { CompiledRelease } from '../../src/engine/content.ts'
import { type Content, loadContent } from '../../src/engine/load.ts'
import { publishRelease } from '../../src/session/content/publish.ts'
import { readRelease } from '../../src/session/content/stored.ts'
import { DEPLOYMENT } from '../../src/store/accounts.ts'
import { findActivation } from '../../src/store/content/activations.ts'
import { readContentFolder } from '../../src/store/content/content-files.ts'
import type { Clinic, World } from './world.ts'

const FOLDER = new URL('../../content', import.meta.url).pathname

type RealContent = { content: Content; cases: WorkedCase[]; files: ContentFile[] }

let compiled: Promise<RealContent> | null = null

/** The real content of this checkout, compiled and loaded, with its worked cases: once for all files that only read it. */
export function realContent(): Promise<RealContent> {
  compiled ??= compile()
  return compiled
}

async function compile(): Promise<RealContent> {
  const files = await readContentFolder(FOLDER)
  const release = compileContent(files)
  const { cases, problems } = compileCases(files, release)
  if (problems.length > 0)
    throw new Error(problems.map(({ file, line, message }) => `${file}:${line}: ${message}`).join('\n'))
  return { content: loadContent(release), cases, files }
}

/** The complaints that every release needs, and one more: few enough to be checked quickly. */
const FEW = ['admin', 'certificate', 'emergency-check', 'general', 'prescription', 'sore-throat']

/** A content folder of its own with a few complaints, under another version; the caller changes and removes it. */
export async function smallFolder(version: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'fyr-content-'))
  for (const part of [
    'release.yaml',
    'shared',
    'signs',
    'own-words',
    'phrases',
    ...FEW.map((id) => `complaints/${id}`),
  ])
    await cp(join(FOLDER, part), join(folder, part), { recursive: true })
  await edit(join(folder, 'release.yaml'), /^version: .*$/m, `version: ${version}`)
  return folder
}

/** Replaces text in a file; the text must be there. */
export async function edit(path: string, from: string | RegExp, to: string): Promise<void> {
  const text = await readFile(path, 'utf8')
  const changed = text.replace(from, to)
  if (changed === text) throw new Error(`${path} does not say ${from}.`)
  await writeFile(path, changed)
}

/** The release that new sessions of the deployment begin with. */
export async function activeRelease({ app: { core } }: World): Promise<CompiledRelease> {
  const active = await findActivation(core.db, DEPLOYMENT, DEPLOYMENT)
  const stored = await readRelease(core, active?.version ?? '')
  if (stored.kind !== 'whole') throw new Error('No release is active.')
  return stored.release
}

/** Publishes the active release once more, under another version and changed as a test wishes. The result is not checked. */
export async function publishChanged(
  world: World,
  version: string,
  change: (release: CompiledRelease) => CompiledRelease = (release) => release,
): Promise<CompiledRelease> {
  const release = { ...change(await activeRelease(world)), version }
  const checks = { complaints: 0, cases: 0, walks: 0 }
  await publishRelease(world.app.core, { release, sourceSha256: `test ${version}`, checks }, 'test')
  return release
}

/** Writes directly to the database which release a configuration's sessions begin with, as no command would. */
export async function pointAt({ sql }: World, { configurationId }: Clinic, version: string | null): Promise<void> {
  await sql(
    `update configurations set document = jsonb_set(document, '{contentVersion}', coalesce(to_jsonb($2::text), 'null')), revision = revision + 1 where id = $1`,
    [configurationId, version],
  )
  await sql(`select pg_notify('fyr_changed', '')`)
}

/** The files of one complaint and what every complaint needs. */
export async function filesOf(...complaints: string[]): Promise<ContentFile[]> {
  const files = await readContentFolder(FOLDER)
  return files.filter(
    ({ path }) => !path.includes('/complaints/') || complaints.some((one) => path.includes(`/complaints/${one}/`)),
  )
}
