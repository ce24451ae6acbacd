import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { SERVICE } from './bundle.ts'
import { freePort } from './ports.ts'

export type Node = {
  url: string
  metricsPort: number
  process: ChildProcess
  log: () => string
  stop: (signal?: NodeJS.Signals) => Promise<number | null>
}

/** Starts a node of its own as an operating-system process, with its own caches, and waits until it is ready. */
export async function spawnNode(environment: Record<string, string>, program = SERVICE): Promise<Node> {
  const port = Number(environment.PORT ?? (await freePort()))
  const metricsPort = await freePort()
  const child = spawn('node', [program], {
    env: {
      ...process.env,
      LOG_LEVEL: 'info',
      GRACE_SECONDS: '0',
      PROCESSES: '1',
      ...environment,
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      npm_lifecycle_event: '',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let log = ''
  child.stdout.on('data', (chunk) => (log += chunk))
  child.stderr.on('data', (chunk) => (log += chunk))
  const ended = new Promise<number | null>((done) => child.once('exit', (code) => done(code)))
  const node: Node = {
    url: `http://127.0.0.1:${port}`,
    metricsPort,
    process: child,
    log: () => log,
    stop: (signal = 'SIGTERM') => {
      child.kill(signal)
      return ended
    },
  }
  for (let attempt = 0; attempt < 4_000; attempt++) {
    if (child.exitCode !== null) throw new Error(`The node ended at its start: ${log}`)
    if (
      await fetch(`${node.url}/readyz`).then(
        (reply) => reply.ok,
        () => false,
      )
    )
      return node
    await wait(50)
  }
  child.kill('SIGKILL')
  throw new Error(`The node was not ready in time: ${log}`)
}
