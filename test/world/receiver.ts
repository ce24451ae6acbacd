import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export type Arrived = {
  name: string
  url: string
  headers: Record<string, string>
  body: string
  /** Which of the expected secrets the standardwebhooks package found a good signature for. */
  verifiedBy: string[]
}

/** A receiver process, as seen from the test. */
export type Receiver = {
  port: number
  process: ChildProcess
  arrived: (name?: string) => Arrived[]
  /** How many connections were made to it, whatever became of them. */
  connections: () => number
  /** How much an endless answer could send before it was cut off. */
  poured: (name: string) => number | null
  /** Called when something arrives, before the receiver answers. */
  onArrival: (hear: (arrived: Arrived) => void) => void
  expect: (name: string, ...secrets: string[]) => Promise<void>
  behave: (name: string, behaviour: string) => Promise<void>
  stop: () => Promise<void>
}

export async function startReceiver({ cert, key }: { cert: string; key: string }): Promise<Receiver> {
  const child = fork(fileURLToPath(new URL('./receiver-process.mjs', import.meta.url)), {
    env: { ...process.env, RECEIVER_CERT: cert, RECEIVER_KEY: key },
    execArgv: [],
  })
  const all: Arrived[] = []
  const poured = new Map<string, number>()
  const waiting = new Map<number, () => void>()
  let hearArrival: (arrived: Arrived) => void = () => {}
  let asked = 0
  let connections = 0
  const port = await new Promise<number>((done, failed) => {
    child.once('exit', (code) => failed(new Error(`The receiver ended at its start (${code}).`)))
    child.on(
      'message',
      (message: { kind: string; port: number; id: number; name: string; sent: number; arrived: Arrived }) => {
        if (message.kind === 'listening') done(message.port)
        if (message.kind === 'done') waiting.get(message.id)?.()
        if (message.kind === 'connected') connections++
        if (message.kind === 'poured') poured.set(message.name, message.sent)
        if (message.kind === 'arrived') {
          all.push(message.arrived)
          hearArrival(message.arrived)
        }
      },
    )
  })
  const tell = (message: Record<string, unknown>) =>
    new Promise<void>((done) => {
      const id = ++asked
      waiting.set(id, done)
      child.send({ ...message, id })
    })
  return {
    port,
    process: child,
    arrived: (name) => all.filter((one) => name === undefined || one.name === name),
    connections: () => connections,
    poured: (name) => poured.get(name) ?? null,
    onArrival: (hear) => {
      hearArrival = hear
    },
    expect: (name, ...secrets) => tell({ kind: 'secrets', name, secrets }),
    behave: (name, behaviour) => tell({ kind: 'behaviour', name, behaviour }),
    stop: () =>
      new Promise((done) => {
        child.once('exit', () => done())
        child.kill('SIGKILL')
      }),
  }
}
