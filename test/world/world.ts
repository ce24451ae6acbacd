import { randomBytes } from 'node:crypto'
import { Writable } from 'node:stream'
import { inject } from 'vitest'
import type { ConfigurationDocument } from '../../src/account/configuration.ts'
import { configurationOf, createAccount, createConfiguration, issueKey } from '../../src/account/provision.ts'
import { type App, buildApp } from '../../src/app.ts'
import { newLogger } from '../../src/log.ts'
import { readSettings } from '../../src/settings.ts'
import { connectedTo } from '../../src/store/connections/servers.ts'
import type { Database } from '../../src/store/database/db.ts'
import { openPostgres } from '../../src/store/database/postgres.ts'
import { Keyring } from '../../src/store/sealing/keyring.ts'
import { freshDatabase } from './database.ts'
import { freePort } from './ports.ts'

export type Clinic = { accountId: string; slug: string; configurationId: string; key: string }

/** A whole Fyr of its own: a fresh database, the real app listening on a free port, and what it logged. */
export type World = {
  app: App
  url: string
  metricsUrl: string
  databaseUrl: string
  masterKey: Buffer
  log: () => string
  /** Runs a statement on the database, for what no interface offers: moving stored moments, looking at rows. */
  sql: (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>
  /** An account with a configuration and a key. */
  clinic: (document?: Partial<Omit<ConfigurationDocument, 'contentVersion'>>) => Promise<Clinic>
  /** Ends sessions left with an alarm, as the service does once a minute. */
  endLeft: () => Promise<number>
  close: () => Promise<void>
}

let clinics = 0

/** A database of the run's own server, or of another one that the test may do anything to. */
export type Place = { url: string; drop: () => Promise<void> }

/** What a test puts between the service and its database. */
export type Between = (db: Database) => Database

export async function newWorld(
  environment: Record<string, string> = {},
  place?: Place,
  between: Between = (db) => db,
): Promise<World> {
  const database = place ?? (await freshDatabase(inject('serverUrl'), inject('template')))
  const masterKey = Buffer.from(inject('masterKey'), 'base64')
  const port = await freePort()
  const settings = readSettings({
    PORT: String(port),
    METRICS_PORT: '0',
    PUBLIC_URL: `http://localhost:${port}`,
    LOG_LEVEL: 'debug',
    DATABASE_URL: database.url,
    MASTER_KEY: masterKey.toString('base64'),
    REQUESTS_PER_SECOND_PER_KEY: '0',
    REQUESTS_PER_SECOND_PER_USER: '0',
    LOOKS_PER_SECOND_PER_ADDRESS: '0',
    INVALID_KEYS_PER_MINUTE: '0',
    ...environment,
  })
  const lines: string[] = []
  const logger = newLogger(
    settings,
    new Writable({
      write: (chunk, _encoding, done) => {
        lines.push(String(chunk))
        done()
      },
    }),
  )
  const db = between(await openPostgres(database.url, 4))
  const app = await buildApp(settings, db, new Keyring({ given: masterKey }), logger)
  const { metricsPort } = await app.listen()
  let direct = await connectedTo(database.url, {})
  let isLost = false
  direct.once('end', () => {
    isLost = true
  })
  return {
    app,
    url: `http://127.0.0.1:${port}`,
    metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
    databaseUrl: database.url,
    masterKey,
    log: () => lines.join(''),
    sql: async (text, values = []) => {
      if (isLost) direct = await connectedTo(database.url, {}) // as after a failover
      isLost = false
      return (await direct.query(text, values)).rows
    },
    clinic: async (document = {}) => {
      const { id } = await createAccount(app.core, 'Test clinic', 'Europe/Helsinki')
      const slug = `clinic-${++clinics}-${randomBytes(3).toString('hex')}`
      const configuration = await createConfiguration(app.core, id, slug, {
        name: 'Test clinic',
        type: 'OPEN',
        emergencyNumber: '112',
        clinicPhone: '116 117',
        ...document,
      })
      const { key } = await issueKey(app.core, await configurationOf(app.core, slug))
      return { accountId: id, slug, configurationId: configuration.id, key }
    },
    endLeft: app.endLeft,
    close: async () => {
      await app.close()
      await direct.end()
      await database.drop()
    },
  }
}
