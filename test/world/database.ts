import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { ContentError, compileContent } from '../../src/engine/compile/release.ts'
import { coreOf } from '../../src/events/core.ts'
import { activateFirst } from '../../src/session/content/activate.ts'
import { publishRelease } from '../../src/session/content/publish.ts'
import { BUNDLED_CONTENT, readContentFolder, sourceHash } from '../../src/store/content/content-files.ts'
import { startEmbedded } from '../../src/store/database/embedded.ts'
import { migrate } from '../../src/store/database/migrate.ts'
import { openPostgres } from '../../src/store/database/postgres.ts'
import { Keyring } from '../../src/store/sealing/keyring.ts'

declare module 'vitest' {
  interface ProvidedContext {
    serverUrl: string
    template: string
    /** The run's master key, in base64: what was published into the template is bound to it. */
    masterKey: string
  }
}

/**
 * One real PostgreSQL for the whole run: the embedded one, or the server that TEST_DATABASE_URL names. Each test world
 * gets a database of its own, copied from a migrated template.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'fyr-test-'))
  const given = process.env.TEST_DATABASE_URL
  const embedded = given ? null : await startEmbedded(folder, { endWithParent: true })
  const serverUrl = given ?? embedded?.url ?? ''
  // Data here need not survive the machine; durability is tested on clusters of its own.
  if (embedded)
    for (const statement of ['alter system set fsync = off', 'select pg_reload_conf()'])
      await administer(serverUrl, statement)
  const template = `fyr_template_${randomBytes(4).toString('hex')}`
  await administer(serverUrl, `create database ${template}`)
  await migrate(databaseUrl(serverUrl, template))
  const masterKey = randomBytes(32)
  await publishOnce(databaseUrl(serverUrl, template), masterKey)
  project.provide('serverUrl', serverUrl)
  project.provide('template', template)
  project.provide('masterKey', masterKey.toString('base64'))
  return async () => {
    await administer(serverUrl, `drop database if exists ${template}`)
    await embedded?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The content is compiled once for the whole run. Whether it passes its checks is tested with the content. */
async function publishOnce(url: string, masterKey: Buffer): Promise<void> {
  const db = await openPostgres(url, 2)
  try {
    const core = coreOf(db, new Keyring({ given: masterKey }))
    const files = await readContentFolder(BUNDLED_CONTENT)
    const release = compileContent(files)
    const checks = { complaints: 0, cases: 0, walks: 0 }
    await publishRelease(core, { release, sourceSha256: sourceHash(files), checks }, 'test')
    await activateFirst(core, release.version, 'test')
  } catch (error) {
    if (!(error instanceof ContentError)) throw error
    console.error(error.message)
  } finally {
    await db.close()
  }
}

export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.toString()
}

/** Runs one statement as the server's owner: databases are created and dropped outside any of them. */
export async function administer(serverUrl: string, statement: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  try {
    return await client.query(statement)
  } finally {
    await client.end()
  }
}

/** A fresh database, removed by `drop`. */
export async function freshDatabase(
  serverUrl: string,
  template: string,
): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `fyr_test_${randomBytes(6).toString('hex')}`
  for (let attempt = 0; ; attempt++) {
    try {
      await administer(serverUrl, `create database ${name} template ${template}`)
      break
    } catch (error) {
      if (attempt > 20) throw error // another worker was copying the template at the same moment
      await new Promise((done) => setTimeout(done, 100))
    }
  }
  return {
    url: databaseUrl(serverUrl, name),
    drop: async () => {
      await administer(serverUrl, `drop database if exists ${name} with (force)`)
    },
  }
}
