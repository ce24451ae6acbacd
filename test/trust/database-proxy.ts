import { connect, createServer, type Socket } from 'node:net'

/** What is done with each piece that the database answers on one connection. */
type Answering = (client: Socket) => (chunk: Buffer) => void

/** Stands before a database; what clients send passes, what it answers goes through the given hands. */
export async function databaseProxy(
  databaseUrl: string,
  answering: Answering,
): Promise<{ url: string; close: () => Promise<void> }> {
  const target = new URL(databaseUrl)
  const folder = target.searchParams.get('host')
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = folder
      ? connect(`${folder}/.s.PGSQL.${target.port || 5432}`)
      : connect(Number(target.port || 5432), target.hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        client.destroy()
        upstream.destroy()
      })
    }
    client.on('data', (chunk) => upstream.write(chunk))
    upstream.on('data', answering(client))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const url = `postgres://${target.username}${target.password ? `:${target.password}` : ''}@127.0.0.1:${port}${target.pathname}`
  return {
    url,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((done) => server.close(done))
    },
  }
}

/** Stands before a database and holds back what it answers, for as long as it is told to; the order stays. */
export async function slowProxy(
  databaseUrl: string,
): Promise<{ url: string; delay: (milliseconds: number) => void; close: () => Promise<void> }> {
  let delayMs = 0
  const proxy = await databaseProxy(databaseUrl, (client) => {
    let lastAt = 0
    return (chunk) => {
      const at = Math.max(lastAt, performance.now() + delayMs)
      lastAt = at
      if (delayMs === 0 && at <= performance.now()) client.write(chunk)
      else setTimeout(() => client.write(chunk), at - performance.now())
    }
  })
  return {
    ...proxy,
    delay: (milliseconds) => {
      delayMs = milliseconds
    },
  }
}
