import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { send } from '../world/call.ts'
import { freePort } from '../world/ports.ts'

/** Whether it is installed; where it is not, what is not tested is said. */
export function hasHaproxy(untested: string): boolean {
  const isInstalled = spawnSync('haproxy', ['-v']).status === 0
  if (!isInstalled) console.error(`LEFT OUT: haproxy is not installed, so ${untested} is not tested.`)
  return isInstalled
}

/** As docs/operations.md says it: ready nodes only, and nothing is sent twice that was sent once. */
const configuration = (port: number, nodes: readonly number[]): string => `
global
  maxconn 1000
defaults
  mode http
  timeout connect 5s
  timeout client 40s
  timeout server 40s
  option redispatch
  retries 3
frontend triage
  bind 127.0.0.1:${port}
  default_backend nodes
backend nodes
  balance roundrobin
  option httpchk GET /readyz
  default-server check inter 500ms fall 2 rise 1
${nodes.map((node, at) => `  server node${at} 127.0.0.1:${node}`).join('\n')}
`

/** A real proxy before the nodes on these ports; answers when it has found a ready one. */
export async function startHaproxy(nodes: readonly number[]): Promise<{ url: string; stop: () => void }> {
  const folder = mkdtempSync(join(tmpdir(), 'fyr-haproxy-'))
  const port = await freePort()
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(file, configuration(port, nodes))
  const proxy = spawn('haproxy', ['-f', file, '-db'], { stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}`
  while ((await send(`${url}/readyz`, 'GET').catch(() => null))?.status !== 200) await wait(100)
  return {
    url,
    stop: () => {
      proxy.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
