// Webhook figures: how soon the end of a session is delivered, and how much the outbox can carry.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { configurationOf, createAccount, createConfiguration } from '../src/account/provision.ts'
import { keysOf, setWebhook } from '../src/account/webhook.ts'
import { completionEffect } from '../src/events/completion.ts'
import { type Core, coreOf } from '../src/events/core.ts'
import { Guard } from '../src/events/delivery/guard.ts'
import { SessionSeal } from '../src/session/sealed.ts'
import { startEmbedded } from '../src/store/database/embedded.ts'
import { migrate } from '../src/store/database/migrate.ts'
import { openPostgres } from '../src/store/database/postgres.ts'
import { hashOf } from '../src/store/seal.ts'
import type { AccountKey } from '../src/store/sealing/account-key.ts'
import { Keyring } from '../src/store/sealing/keyring.ts'
import { INSERT_SESSION } from '../src/store/sessions.ts'
import { claimDeliveries, settleDeliveries } from '../src/store/webhooks/deliveries.ts'
import { MAIN_ENDPOINT } from '../src/store/webhooks/endpoints.ts'
import { newAuthority } from '../test/world/certificates.ts'
import { END } from '../test/world/ending.ts'
import { freePort } from '../test/world/ports.ts'
import { startReceiver } from '../test/world/receiver.ts'
import type { Row } from './rows.ts'

const COMPLETIONS_PER_SECOND = 50
const WARMING_SECONDS = 10
const LOAD_SECONDS = 20
const CLINICS = 10
const OUTBOX_EVENTS = 5_000
const FIRST_ATTEMPT_BAR_MS = 2_000

type Clinic = { accountId: string; configurationId: string; accountKey: AccountKey }

/** Uses its own PostgreSQL, node and receiver, each a separate process. */
export async function webhookBench(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'fyr-bench-'))
  const embedded = await startEmbedded(folder, { endWithParent: true })
  await migrate(embedded.url)
  const db = await openPostgres(embedded.url, 10)
  const masterKey = randomBytes(32)
  const core = coreOf(db, new Keyring({ given: masterKey }))
  const authority = newAuthority()
  const receiver = await startReceiver(authority.issue(['localhost']))
  const direct = new pg.Pool({ connectionString: embedded.url, max: 10 })
  try {
    const clinics: Clinic[] = []
    for (let at = 0; at < CLINICS; at++) {
      clinics.push(await newClinic(core, `bench-${at}`, `https://localhost:${receiver.port}/bench-${at}`))
    }
    const limit = await insertLimit(direct)
    const outbox = await outboxFigures(core, clinics[0] ?? fail(), limit)
    const environment = {
      DATABASE_URL: embedded.url,
      MASTER_KEY: masterKey.toString('base64'),
      WEBHOOK_ALLOW_LOOPBACK: 'true',
      WEBHOOK_CA_FILE: authority.caFile,
    }
    const node = await startNode(environment)
    const sending = await sendingFigures(core, clinics, direct)
    node.kill('SIGTERM')
    await new Promise((done) => node.once('exit', done))
    return [...outbox, ...sending]
  } finally {
    await receiver.stop()
    await direct.end()
    await db.close()
    await embedded.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const fail = (): never => {
  throw new Error('There is no clinic to measure with.')
}

async function newClinic(core: Core, address: string, url: string): Promise<Clinic> {
  const { id: accountId } = await createAccount(core, 'Bench', 'UTC')
  const { id: configurationId, slug } = await createConfiguration(core, accountId, address, {
    name: 'Bench',
    type: 'OPEN',
    emergencyNumber: '112',
  })
  const guard = new Guard({
    WEBHOOK_PORTS: [443],
    WEBHOOK_ALLOW_LOOPBACK: true,
    WEBHOOK_ALLOWED_TARGETS: [],
    WEBHOOK_DNS_SERVERS: [],
    DATABASE_URL: null,
  })
  await setWebhook(core, guard, await configurationOf(core, slug), { url })
  return { accountId, configurationId, accountKey: (await keysOf(core, accountId)).accountKey }
}

/** Makes and ends one session with its event, all in one transaction. */
async function complete(core: Core, { accountId, configurationId, accountKey }: Clinic): Promise<void> {
  const id = randomUUID()
  const row = {
    id,
    configuration_id: configurationId,
    status: 'StartedChat',
    enter_hours: 24,
    active_hours: 24,
    flow: 'Standard',
    language: 'en',
    secret_hash: hashOf(id).toString('hex'),
    sealed_key: SessionSeal.fresh(accountId, accountKey, id).sealedKey.toString('hex'),
  }
  const effects = [
    { statement: INSERT_SESSION, row },
    { statement: END, row: { id } },
    completionEffect(configurationId, id),
  ]
  await core.recorder.record({ accountId, actor: 'bench', action: 'session.finished', subject: id, effects })
}

async function insertLimit(direct: pg.Pool): Promise<number> {
  await direct.query('create table bench_rows (id uuid primary key, text text not null)')
  const rate = await perSecond(4_000, 64, () =>
    direct.query({
      name: 'bench_insert',
      text: 'insert into bench_rows values ($1, $2)',
      values: [randomUUID(), 'x'.repeat(100)],
    }),
  )
  return rate
}

/** Runs work `count` times, `atOnce` in parallel, and returns the rate per second. */
async function perSecond(count: number, atOnce: number, work: () => Promise<unknown>): Promise<number> {
  let left = count
  const startedAt = performance.now()
  const lane = async () => {
    while (left-- > 0) await work()
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  return count / ((performance.now() - startedAt) / 1_000)
}

/** The outbox without a network: events are queued with the endings, then claimed and settled. */
async function outboxFigures(core: Core, clinic: Clinic, limit: number): Promise<Row[]> {
  const queued = await perSecond(OUTBOX_EVENTS, 200, () => complete(core, clinic))
  const limits = { most: 50, mostWhenFailing: 50, leaseSeconds: 60, mostTries: 10 }
  let settled = 0
  const startedAt = performance.now()
  const lane = async () => {
    for (;;) {
      const { deliveries: claimed } = await claimDeliveries(core.db, { ...clinic, endpoint: MAIN_ENDPOINT }, limits)
      if (claimed.length === 0) return
      const ended = {
        outcome: 'delivered',
        wait_seconds: null,
        status: 200,
        error: null,
        duration_ms: 1,
        sealed_answer: null,
      } as const
      await settleDeliveries(
        core.db,
        clinic.accountId,
        claimed.map(({ id, claim }) => ({ id, claim, ...ended })),
      )
      settled += claimed.length
    }
  }
  await Promise.all([lane(), lane(), lane(), lane()])
  const taken = settled / ((performance.now() - startedAt) / 1_000)
  const against = 'single-row inserts'
  return [
    { name: 'sessions ended with their event queued', value: queued, unit: '/s', against, ratio: queued / limit },
    { name: 'events taken and settled, without the network', value: taken, unit: '/s', against, ratio: taken / limit },
  ]
}

/** A steady load of endings: how soon each is delivered, by the database's clock. A new node may warm up first. */
async function sendingFigures(core: Core, clinics: readonly Clinic[], direct: pg.Pool): Promise<Row[]> {
  await endSteadily(core, clinics, direct, WARMING_SECONDS)
  await direct.query('delete from webhook_deliveries; delete from webhook_attempts')
  await endSteadily(core, clinics, direct, LOAD_SECONDS)
  const { rows } = await direct.query(`
    select percentile_cont(array[0.5, 0.99]) within group (order by extract(epoch from a.at - d.created_at) * 1000) as ms,
      count(*)::int as count, max(a.number) as most
    from webhook_deliveries d join webhook_attempts a on a.account_id = d.account_id and a.delivery_id = d.id`)
  const [median, p99] = rows[0].ms
  const note = `${COMPLETIONS_PER_SECOND} endings a second, ${CLINICS} receivers, by TLS`
  return [
    { name: 'ended → first attempt, median', value: median, unit: 'ms', note },
    { name: 'ended → first attempt, p99', value: p99, unit: 'ms', bar: FIRST_ATTEMPT_BAR_MS, atMost: true },
    { name: 'attempts for an event, at most', value: rows[0].most, unit: '', bar: 1, atMost: true },
  ]
}

/** Ends sessions at an even pace, then waits until all are delivered. */
async function endSteadily(core: Core, clinics: readonly Clinic[], direct: pg.Pool, seconds: number): Promise<void> {
  const endings: Promise<void>[] = []
  const startedAt = performance.now()
  for (let made = 0; made < COMPLETIONS_PER_SECOND * seconds; made++) {
    const dueAt = startedAt + (made * 1_000) / COMPLETIONS_PER_SECOND
    await wait(Math.max(0, dueAt - performance.now()))
    endings.push(complete(core, clinics[made % CLINICS] ?? fail()))
  }
  await Promise.all(endings)
  for (let looked = 0; looked < 600; looked++) {
    const { rows } = await direct.query(
      `select count(*)::int as left from webhook_deliveries where state <> 'delivered'`,
    )
    if (rows[0].left === 0) return
    await wait(100)
  }
}

async function startNode(environment: Record<string, string>): Promise<ChildProcess> {
  const port = await freePort()
  const env = {
    ...process.env,
    LOG_LEVEL: 'error',
    PROCESSES: '1',
    ...environment,
    PORT: String(port),
    METRICS_PORT: '0',
  }
  const node = spawn(process.execPath, ['src/main.ts'], { env, stdio: 'inherit' })
  for (let looked = 0; looked < 600; looked++) {
    const isReady = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      (reply) => reply.ok,
      () => false,
    )
    if (isReady) return node
    await wait(100)
  }
  node.kill('SIGKILL')
  throw new Error('The node was not ready in time.')
}
