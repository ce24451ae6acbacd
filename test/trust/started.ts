import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { FYR, SERVICE } from '../world/bundle.ts'
import { freePort } from '../world/ports.ts'

/** A service started as people start it: by npm, on the embedded database of a folder. */
export type Started = {
  url: string
  npm: ChildProcess
  servicePid: () => number
  log: () => string
  /** Ends when npm has ended, with its exit code. */
  ended: Promise<number | null>
}

export type Start = { folder: string; port?: number; checkout?: string; as?: readonly string[]; home?: string }

/** `npm start` with the data in a folder; answers when the service is ready. */
export async function npmStart({ folder, port, checkout, as = [], home }: Start): Promise<Started> {
  const [chosen, metrics] = [port ?? (await freePort()), await freePort()]
  const [command = '', ...args] = [...as, 'npm', 'start', '--silent']
  const { NODE_OPTIONS: _options, VITEST: _vitest, ...environment } = process.env
  const npm = spawn(command, args, {
    cwd: checkout ?? process.cwd(),
    env: {
      ...environment,
      ...(home && { HOME: home }),
      DATA_DIR: folder,
      GRACE_SECONDS: '0',
      PROCESSES: '1',
      PORT: String(chosen),
      METRICS_PORT: String(metrics),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let log = ''
  for (const stream of [npm.stdout, npm.stderr]) {
    stream?.on('data', (chunk) => {
      log += chunk
    })
  }
  const ended = new Promise<number | null>((done) => npm.once('exit', (code) => done(code)))
  const url = `http://127.0.0.1:${chosen}`
  const deadline = Date.now() + 300_000
  while (!/Fyr (is ready|answers at)/.test(log) || !(await isReady(url))) {
    if (npm.exitCode !== null) throw new Error(`npm start ended with ${npm.exitCode}: ${log}`)
    if (Date.now() > deadline) throw new Error(`npm start was not ready in time: ${log}`)
    await new Promise((done) => setTimeout(done, 50))
  }
  return { url, npm, servicePid: () => serviceOf(npm.pid ?? 0), log: () => log, ended }
}

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`, { signal: AbortSignal.timeout(3_000) }).then(
    (reply) => reply.ok,
    () => false,
  )

type Process = { pid: number; parent: number; words: string }

function processes(): Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const parent = Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${name}/status`, 'utf8'))?.[1])
        return [
          { pid: Number(name), parent, words: readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ') },
        ]
      } catch {
        return [] // ended while we looked
      }
    })
}

/** From the sources, as npm starts it, or put together, as tests do; with or without flags of Node. */
const RUNS_SERVICE = /(?:src\/main\.ts|\.bundled\/main\.js)$/

function runsService({ words }: Process): boolean {
  const [program = '', ...rest] = words.split(' ')
  return program.endsWith('node') && RUNS_SERVICE.test(rest.find((word) => !word.startsWith('--')) ?? '')
}

/** The service below npm: the process that runs main.ts itself, not the shell that started it. */
function serviceOf(npm: number): number {
  const all = processes()
  const isBelow = (pid: number): boolean => {
    const parent = all.find((one) => one.pid === pid)?.parent ?? 0
    return parent === npm || (parent > 1 && isBelow(parent))
  }
  const service = all.find((one) => runsService(one) && isBelow(one.pid))
  if (!service) throw new Error('The service was not found below npm.')
  return service.pid
}

/** The processes that a process started itself. */
export const childrenOf = (parent: number): number[] =>
  processes()
    .filter((one) => one.parent === parent && runsService(one))
    .map(({ pid }) => pid)

/** The databases that run on a folder. */
export const databasesOn = (folder: string): number[] =>
  processes()
    .filter(({ words }) => words.includes('postgres') && words.includes(`-D ${folder}`))
    .map(({ pid }) => pid)

/** Waits until no database runs on a folder any more. */
export async function noDatabaseOn(folder: string): Promise<boolean> {
  for (let attempt = 0; attempt < 300; attempt++) {
    if (databasesOn(folder).length === 0) return true
    await new Promise((done) => setTimeout(done, 100))
  }
  return false
}

/** Runs the command line on the embedded database of a folder. */
export function fyrOn(folder: string, ...args: string[]): { code: number | null; out: string; err: string } {
  const run = spawnSync('node', [FYR, ...args], {
    encoding: 'utf8',
    env: { ...process.env, DATA_DIR: folder, DATABASE_URL: '' },
    timeout: 240_000, // one that hangs fails its test, and does not hold up all others
  })
  return { code: run.status, out: run.stdout, err: run.stderr }
}

/** Starts the service where it is to refuse: how it ended, and what it said on the error stream. */
export async function startRefused(
  environment: Record<string, string>,
  taken?: number,
): Promise<{ code: number | null; words: string }> {
  const port = String(taken ?? (await freePort()))
  const env = { ...process.env, PROCESSES: '1', ...environment, PORT: port, METRICS_PORT: '0', npm_lifecycle_event: '' }
  return new Promise((done) => {
    const child = spawn('node', [SERVICE], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    let words = ''
    child.stdout.on('data', (chunk) => {
      if (String(chunk).includes('"listening"')) child.kill('SIGKILL') // it did not refuse
    })
    child.stderr.on('data', (chunk) => {
      words += chunk
    })
    child.once('close', (code) => done({ code, words })) // and whatever it had begun has ended too
  })
}

/** The key that a first start prints. It is ready a moment before it greets. */
export async function printedKey({ log }: { log: () => string }): Promise<string> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const key = /fyr_[0-9A-Za-z]{38}/.exec(log())?.[0]
    if (key) return key
    await new Promise((done) => setTimeout(done, 50))
  }
  throw new Error(`No key was printed: ${log()}`)
}
