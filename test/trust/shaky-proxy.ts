import { connect, createServer, type Socket } from 'node:net'

/** The end of what a server says before the first question: it is ready, and no transaction is open. */
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49])
/** As a server ends a connection that an administrator has told it to end. */
const TERMINATED = farewell('SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0')

function farewell(fields: string): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(4 + fields.length)
  return Buffer.concat([Buffer.from('E'), length, Buffer.from(fields)])
}

/** Stands before a database and ends every second of the first ten connections in the very moment they become ready. */
export async function shakyProxy(
  databaseUrl: string,
): Promise<{ url: string; broken: () => number; close: () => Promise<void> }> {
  const target = new URL(databaseUrl)
  const folder = target.searchParams.get('host')
  const sockets = new Set<Socket>()
  let seen = 0
  let broken = 0
  const server = createServer((client) => {
    const upstream = folder
      ? connect(`${folder}/.s.PGSQL.${target.port || 5432}`)
      : connect(Number(target.port || 5432), target.hostname)
    const breaks = ++seen <= 10 && seen % 2 === 0
    let isReady = false
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        client.destroy()
        upstream.destroy()
      })
    }
    client.on('data', (chunk) => upstream.write(chunk))
    upstream.on('data', (chunk: Buffer) => {
      const becomesReady = !isReady && chunk.includes(READY)
      isReady ||= becomesReady
      if (!becomesReady || !breaks) return void client.write(chunk)
      broken++
      client.end(Buffer.concat([chunk, TERMINATED]))
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const url = `postgres://${target.username}${target.password ? `:${target.password}` : ''}@127.0.0.1:${port}${target.pathname}`
  return {
    url,
    broken: () => broken,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((done) => server.close(done))
    },
  }
}
