import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import type { Job, Report } from './client.ts'

/** What a bench needs: a running service on an embedded database of its own, its ceilings, and the load. */
export type Stage = {
  port: number
  key: string
  barePort: number
  servicePid: number
  databaseUrl: string
  /** Runs a `fyr` command on the same data and returns its output. */
  fyr: (...args: string[]) => string
  load: (job: Job) => Promise<Report>
  /** A second load process, beside the first. */
  loadBeside: (job: Job) => Promise<Report>
  /** Single-row inserts a second on the same database server, and how that was measured. */
  insertsPerSecond: (seconds: number) => Promise<number>
  insertsBy: string
  strike: () => Promise<void>
}

const CLIENTS = 64
const SCRIPT = `insert into bench_rows (account_id, id, body) values (gen_random_uuid(), gen_random_uuid(), 'about as long as a sealed matter: ${'x'.repeat(60)}');`

/** Starts everything in a temporary folder, the service as it is delivered and with these settings; `strike` stops and removes it all. */
export async function setStage(settings: Record<string, string> = {}): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'fyr-bench-'))
  const service = startService(folder, settings)
  const key = await printedKey(service)
  const bare = fork(new URL('bare.ts', import.meta.url).pathname, { stdio: 'inherit' })
  const [client, other] = [newClient(), newClient()]
  const barePort = await message<number>(bare)
  const databaseUrl = `postgres://fyr@localhost/postgres?host=${encodeURIComponent(join(folder, 'data', 'socket'))}`
  await query(
    databaseUrl,
    'create table bench_rows (account_id uuid, id uuid, at timestamptz default now(), body text, primary key (account_id, id))',
  )
  const pgbench = findPgbench()
  return {
    port: key.port,
    key: key.key,
    barePort,
    servicePid: service.pid ?? 0,
    databaseUrl,
    fyr: (...args) =>
      execFileSync('node', ['dist/cli/main.js', '--json', ...args], {
        encoding: 'utf8',
        env: { ...process.env, ...settings, DATA_DIR: join(folder, 'data'), DATABASE_URL: '' },
      }),
    load: (job) => loadBy(client, job),
    loadBeside: (job) => loadBy(other, job),
    insertsPerSecond: (seconds) => (pgbench ? withPgbench(pgbench, folder, seconds) : withDriver(databaseUrl, seconds)),
    insertsBy: pgbench ? `pgbench, ${CLIENTS} clients` : `a bare driver loop, ${CLIENTS} clients`,
    strike: async () => {
      for (const child of [bare, client, other]) if (child.connected) child.disconnect()
      if (service.exitCode === null) {
        service.kill('SIGTERM')
        await new Promise((done) => service.once('exit', done))
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const newClient = (): ChildProcess => fork(new URL('client.ts', import.meta.url).pathname, { stdio: 'inherit' })

function loadBy(client: ChildProcess, job: Job): Promise<Report> {
  const report = message<Report>(client)
  client.send(job)
  return report
}

function startService(folder: string, settings: Record<string, string>): ChildProcess {
  return spawn(process.execPath, ['dist/main.js'], {
    env: {
      ...process.env,
      DATA_DIR: join(folder, 'data'),
      DATABASE_URL: '',
      PROCESSES: '1',
      PORT: '0',
      METRICS_PORT: '0',
      REQUESTS_PER_SECOND_PER_KEY: '0',
      REQUESTS_PER_SECOND_PER_USER: '0',
      INVALID_KEYS_PER_MINUTE: '0',
      npm_lifecycle_event: '',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

async function printedKey(service: ChildProcess): Promise<{ key: string; port: number }> {
  let words = ''
  service.stdout?.on('data', (chunk) => {
    words = (words + chunk).slice(-20_000)
  })
  for (let attempt = 0; attempt < 1_200; attempt++) {
    const key = /fyr_[0-9A-Za-z]{38}/.exec(words)?.[0]
    const port = /127\.0\.0\.1:(\d+)/.exec(words)?.[1]
    if (key && port) return { key, port: Number(port) }
    if (service.exitCode !== null) throw new Error(`The service ended: ${words}`)
    await wait(50)
  }
  throw new Error(`The service did not start: ${words}`)
}

/** The next message of a child process; a child that exits instead fails the bench. */
const message = <T>(child: ChildProcess): Promise<T> =>
  new Promise((done, failed) => {
    const ended = () => failed(new Error('A process of the bench ended early.'))
    child.once('exit', ended)
    child.once('message', (value) => {
      child.off('exit', ended)
      done(value as T)
    })
  })

async function query(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(text)
  await client.end()
}

/** Debian keeps pgbench beside the server; elsewhere it may be on the path. */
function findPgbench(): string | null {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root).sort().reverse() : []
  const found = versions.map((version) => join(root, version, 'bin', 'pgbench')).find((path) => existsSync(path))
  if (found) return found
  try {
    return execFileSync('sh', ['-c', 'command -v pgbench'], { encoding: 'utf8' }).trim() || null
  } catch {
    return null
  }
}

function withPgbench(pgbench: string, folder: string, seconds: number): Promise<number> {
  const script = join(folder, 'insert.sql')
  writeFileSync(script, SCRIPT)
  const where = ['-h', join(folder, 'data', 'socket'), '-U', 'fyr', 'postgres']
  const how = ['-n', '-M', 'prepared', '-c', String(CLIENTS), '-j', '1', '-T', String(seconds), '-f', script]
  return new Promise((done, failed) => {
    const child = spawn(pgbench, [...how, ...where], { stdio: ['ignore', 'pipe', 'pipe'] })
    let words = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        words += chunk
      })
    }
    child.once('exit', () => {
      const tps = /tps = ([\d.]+)/.exec(words)?.[1]
      if (tps) done(Number(tps))
      else failed(new Error(`pgbench: ${words}`))
    })
  })
}

async function withDriver(url: string, seconds: number): Promise<number> {
  const clients = await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      return client
    }),
  )
  let done = 0
  const endsAt = performance.now() + seconds * 1_000
  const statement = { name: 'bench', text: SCRIPT.replace(/;$/, '') }
  await Promise.all(
    clients.map(async (client) => {
      for (; performance.now() < endsAt; done++) await client.query(statement)
      await client.end()
    }),
  )
  return done / seconds
}
