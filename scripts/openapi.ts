// Writes docs/openapi.json from the routes themselves; with --check it only says whether it is up to date.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildApp } from '../src/app.ts'
import { newLogger } from '../src/log.ts'
import { readSettings } from '../src/settings.ts'
import { openForService } from '../src/store/database/open.ts'

const FILE = new URL('../docs/openapi.json', import.meta.url)

/** The document as the service serves it, under an address that belongs to no deployment. */
async function generated(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'fyr-openapi-'))
  const settings = readSettings({
    DATA_DIR: folder,
    LOG_LEVEL: 'silent',
    PUBLIC_URL: 'https://fyr.example.org',
    DATABASE_URL: process.env.TEST_DATABASE_URL,
    MASTER_KEY: Buffer.alloc(32).toString('base64'),
  })
  const logger = newLogger(settings)
  const store = await openForService(settings, logger, (why) => console.error(why))
  try {
    const app = await buildApp(settings, store.db, store.keyring, logger)
    const document = app.http.swagger()
    await app.close()
    return `${JSON.stringify(document, null, 2)}\n`
  } finally {
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

const document = await generated()
if (!process.argv.includes('--check')) writeFileSync(FILE, document)
else if (readFileSync(FILE, 'utf8') !== document) {
  console.error('docs/openapi.json is not what the routes say. Write it anew: node scripts/openapi.ts')
  process.exitCode = 1
}
