import { connect, createServer, type Socket } from 'node:net'

/**
 * A step of the database as it is on the wire: a statement by its name, and which time it is run. `before`: it never
 * reaches the database; `after`: it was carried out, and the answer is lost.
 */
export type WireStep = { statement: string; time: number; when: 'before' | 'after' }

export type StepProxy = {
  url: string
  /** The statements that passed since the last planting. */
  steps: Omit<WireStep, 'when'>[]
  hasHappened: () => boolean
  /** Begins to count anew. At the planted step the connection is cut, and first this is done. */
  plant: (step: WireStep | null, happens?: () => void) => void
  close: () => Promise<void>
}

const [BIND, SYNC, QUERY, READY] = [0x42, 0x53, 0x51, 0x5a]

/** Stands between a node and its database and reads what is asked of it, statement by statement. */
export async function stepProxy(databaseUrl: string): Promise<StepProxy> {
  const target = new URL(databaseUrl)
  const folder = target.searchParams.get('host')
  const sockets = new Set<Socket>()
  const steps: Omit<WireStep, 'when'>[] = []
  const times = new Map<string, number>()
  let [planted, happens, hasHappened]: [WireStep | null, () => void, boolean] = [null, () => {}, false]

  /** Notes a step and says what is to be done with it. */
  function step(statement: string): WireStep['when'] | null {
    const time = (times.get(statement) ?? 0) + 1
    times.set(statement, time)
    steps.push({ statement, time })
    return planted?.statement === statement && planted.time === time && !hasHappened ? planted.when : null
  }

  const server = createServer((client) => {
    const upstream = folder
      ? connect(`${folder}/.s.PGSQL.${target.port || 5432}`)
      : connect(Number(target.port || 5432), target.hostname)
    const cut = () => {
      client.destroy()
      upstream.destroy()
    }
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', cut)
    }
    const happen = () => {
      hasHappened = true
      happens()
      cut()
    }
    /** How often the database is to say that it is ready: after its greeting, and after each request. */
    let [expected, heard, last]: [number, number, number | null] = [1, 0, null]
    const asked = messages(true)
    client.on('data', (chunk: Buffer) => {
      for (const message of asked(chunk)) {
        const when = message[0] === BIND ? step(statementOf(message)) : null
        if (when === 'before') return happen()
        if (when === 'after') last ??= expected + 1
        if (message[0] === SYNC || message[0] === QUERY) expected++
        upstream.write(message)
      }
    })
    const answered = messages(false)
    upstream.on('data', (chunk: Buffer) => {
      for (const message of answered(chunk)) {
        if (message[0] === READY && ++heard === last) return happen()
        client.write(message)
      }
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `postgres://${target.username}${target.password ? `:${target.password}` : ''}@127.0.0.1:${port}${target.pathname}`,
    steps,
    hasHappened: () => hasHappened,
    plant: (step, does = () => {}) => {
      steps.length = 0
      times.clear()
      ;[planted, happens, hasHappened] = [step, does, false]
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((done) => server.close(done))
    },
  }
}

/** Cuts a stream into messages: a letter, its length, and so on. What a client says first has no letter. */
function messages(isOfClient: boolean): (chunk: Buffer) => Buffer[] {
  let [waiting, hasLetter] = [Buffer.alloc(0), !isOfClient]
  return (chunk) => {
    const whole: Buffer[] = []
    waiting = Buffer.concat([waiting, chunk])
    while (waiting.length >= 5) {
      const length = hasLetter ? 1 + waiting.readInt32BE(1) : waiting.readInt32BE(0)
      if (waiting.length < length) break
      whole.push(waiting.subarray(0, length))
      waiting = waiting.subarray(length)
      hasLetter = true
    }
    return whole
  }
}

/** Of a request to run a prepared statement: after the name of its portal. */
function statementOf(message: Buffer): string {
  const from = message.indexOf(0, 5) + 1
  return message.toString('utf8', from, message.indexOf(0, from))
}
