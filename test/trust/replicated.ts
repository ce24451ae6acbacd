import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { asOrdinaryUser, findBinaries } from '../../src/store/database/cluster.ts'
import { startEmbedded } from '../../src/store/database/embedded.ts'
import { administer } from '../world/database.ts'
import { freePort } from '../world/ports.ts'
import { isReachable } from '../world/reachable.ts'
import { eventually } from '../world/webhook-scene.ts'

/** A server of its own: `lose` ends all its processes at once, as a machine that is gone does; `pause` only holds them. */
export type Server = {
  url: string
  start: () => Promise<void>
  lose: () => void
  pause: () => void
  resume: () => void
}

/** A primary whose commits wait for its standby, both real PostgreSQL servers on ports of this machine. */
export type Replicated = {
  /** As an operator writes it: both servers, whichever takes writes. */
  url: string
  primary: Server
  standby: Server
  /** Makes the standby the primary. */
  promote: () => Promise<void>
  close: () => void
}

const TRUSTING = 'local all all trust\nhost all all 127.0.0.1/32 trust\nhost replication all 127.0.0.1/32 trust\n'

/** Made from one empty cluster and its copy: the embedded PostgreSQL brings no pg_basebackup, and needs none while it stands still. */
export async function startReplicated(folder: string): Promise<Replicated> {
  await (await startEmbedded(folder, { endWithParent: true })).stop()
  const [first, second] = [join(folder, 'postgres'), join(folder, 'standby')]
  writeFileSync(join(first, 'pg_hba.conf'), TRUSTING)
  cpSync(first, second, { recursive: true })
  chmodSync(second, 0o700)
  writeFileSync(join(second, 'standby.signal'), '')
  const ports = [await freePort(), await freePort()] as const
  const primary = await started(first, folder, ports[0], ['synchronous_standby_names=*'])
  const follow = `primary_conninfo=host=127.0.0.1 port=${ports[0]} user=fyr application_name=standby`
  const standby = await started(second, folder, ports[1], [follow])
  await eventually(
    () => administer(primary.url, `select from pg_stat_replication where sync_state = 'sync'`),
    ({ rows }) => rows.length === 1,
  )
  return {
    url: `postgres://fyr@127.0.0.1:${ports[0]},127.0.0.1:${ports[1]}/postgres?target_session_attrs=read-write`,
    primary,
    standby,
    promote: async () => {
      await administer(standby.url, 'select pg_promote()')
    },
    close: () => {
      for (const server of [primary, standby]) server.lose()
    },
  }
}

async function started(cluster: string, folder: string, port: number, more: readonly string[]): Promise<Server> {
  const settings = [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    `unix_socket_directories=${folder}`,
    'max_connections=500', // as the cluster was made with: a standby may have no fewer
  ]
  const server = [
    join(findBinaries(), 'postgres'),
    '-D',
    cluster,
    ...[...settings, ...more].flatMap((one) => ['-c', one]),
  ]
  const [command = '', ...args] = asOrdinaryUser(['setpriv', '--pdeathsig', 'INT', '--', ...server])
  const env = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' }
  const url = `postgres://fyr@127.0.0.1:${port}/postgres`
  let child: ChildProcess
  const start = async () => {
    child = spawn(command, args, { stdio: 'ignore', env })
    await eventually(() => isReachable(url), Boolean, 30_000)
  }
  const signal = (name: NodeJS.Signals) => () => {
    for (const pid of [child.pid ?? 0, ...childrenOf(child)])
      try {
        process.kill(pid, name)
      } catch {
        // it has ended
      }
  }
  await start()
  return { url, start, lose: signal('SIGKILL'), pause: signal('SIGSTOP'), resume: signal('SIGCONT') }
}

function childrenOf({ pid }: ChildProcess): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(/\s+/).filter(Boolean).map(Number)
  } catch {
    return []
  }
}
