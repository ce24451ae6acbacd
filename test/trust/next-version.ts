import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { type Migration, migrationsOf } from '../../src/store/database/migrate.ts'
import { FYR, SERVICE } from '../world/bundle.ts'

/** A version of Fyr to come: this one with further migrations, as programs in a folder of their own. */
export type NextVersion = { migrations: Migration[]; service: string; fyr: string; remove: () => void }

/** What a program finds beside itself and no migration changes. */
const UNCHANGED = ['package.json', 'node_modules', 'content', 'web', 'dist']
const FIRST_NUMBER = 9000

/** The version that brings these migrations, in this order. */
export function nextVersion(texts: readonly string[]): NextVersion {
  const folder = mkdtempSync(join(tmpdir(), 'fyr-next-'))
  for (const name of UNCHANGED) symlinkSync(resolve(name), join(folder, name))
  for (const name of [dirname(SERVICE), 'migrations']) cpSync(name, join(folder, name), { recursive: true })
  for (const [at, text] of texts.entries())
    writeFileSync(join(folder, 'migrations', `${FIRST_NUMBER + at}_further.sql`), text)
  return {
    migrations: migrationsOf(join(folder, 'migrations')),
    service: join(folder, SERVICE),
    fyr: join(folder, FYR),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
