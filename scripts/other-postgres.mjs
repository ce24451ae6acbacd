// Runs the database tests on another major version of PostgreSQL, if Debian's packages provide one on this machine. A
// server that cannot be started is reported and is no failure: the embedded one has been tested.
import { spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ROOT = '/usr/lib/postgresql'
const EMBEDDED = '18'
const TESTS = [
  'test/contract',
  'test/trust/audit',
  'test/trust/accounts',
  'test/trust/roles',
  'test/trust/housekeeping',
  'test/trust/failures',
  'test/trust/backup',
  'test/cli/backup',
  'test/triage/answers',
  'test/structure/statements',
]

const version = existsSync(ROOT)
  ? readdirSync(ROOT)
      .filter((name) => name !== EMBEDDED && Number(name) >= 15)
      .sort()[0]
  : undefined
if (!version) {
  console.log('No PostgreSQL of another major version (15 or newer) is installed here; the second pass is left out.')
  process.exit(0)
}

const bin = join(ROOT, version, 'bin')
const folder = mkdtempSync(join(tmpdir(), 'fyr-other-'))
const data = join(folder, 'data')
const as = ordinaryUser()

/** PostgreSQL refuses to run as root, so root switches to an ordinary user. */
function ordinaryUser() {
  if (process.getuid?.() !== 0) return []
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((one) => /^(postgres|nobody):/.test(one))
  const [, , uid, gid] = line?.split(':') ?? []
  if (!uid) return []
  chownSync(folder, Number(uid), Number(gid))
  return ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--']
}

function ran(...command) {
  const [program, ...args] = [...as, ...command]
  return spawnSync(program, args, {
    encoding: 'utf8',
    cwd: folder,
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
  })
}

const made = ran(join(bin, 'initdb'), '-D', data, '-U', 'fyr', '--auth=trust', '--encoding=UTF8', '--locale=C')
let code = 0
if (made.status !== 0)
  console.log(`PostgreSQL ${version} cannot be set up here; the second pass is left out. ${made.stderr ?? ''}`)
else {
  const [program, ...args] = [
    ...as,
    join(bin, 'postgres'),
    '-D',
    data,
    '-c',
    'listen_addresses=',
    '-c',
    `unix_socket_directories=${folder}`,
    '-c',
    'max_connections=200',
    '-c',
    'fsync=off',
  ]
  const server = spawn(program, args, { stdio: 'ignore', cwd: folder })
  if (await answers()) code = tested()
  else console.log(`PostgreSQL ${version} does not start here; the second pass is left out.`)
  server.kill('SIGINT')
  await new Promise((done) => (server.exitCode === null ? server.once('exit', done) : done(null)))
}
rmSync(folder, { recursive: true, force: true })
process.exit(code)

async function answers() {
  for (let attempt = 0; attempt < 100; attempt++) {
    if (ran(join(bin, 'psql'), '-h', folder, '-U', 'fyr', '-d', 'postgres', '-c', 'select 1').status === 0) return true
    await new Promise((done) => setTimeout(done, 200))
  }
  return false
}

function tested() {
  console.log(`Once more on PostgreSQL ${version}:`)
  const url = `postgres://fyr@localhost/postgres?host=${encodeURIComponent(folder)}`
  const run = spawnSync('npx', ['vitest', 'run', ...TESTS], {
    stdio: 'inherit',
    env: { ...process.env, TEST_DATABASE_URL: url },
  })
  return run.status ?? 1
}
