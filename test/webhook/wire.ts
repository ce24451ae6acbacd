import { connect, createServer, type Socket } from 'node:net'

type Target = { path: string } | { host: string; port: number }

/** A stretch of wire whose messages are counted, and which can be cut at any of them. */
export type Wire = { port: number; cut: () => void; close: () => void }

/** `pass` is asked before each piece of data goes on, in either direction; false: it never arrives. */
export async function startWire(target: Target, pass: () => boolean): Promise<Wire> {
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(target)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('data', (piece) => {
        if (pass()) to.write(piece)
      })
      from.on('error', () => {})
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    cut: () => {
      for (const socket of sockets) socket.destroy()
    },
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

/** Where a database address leads: a socket file or a port. */
export function targetOf(databaseUrl: string): Target {
  const url = new URL(databaseUrl)
  const folder = url.searchParams.get('host')
  const port = Number(url.port || 5432)
  return folder?.startsWith('/') ? { path: `${folder}/.s.PGSQL.${port}` } : { host: url.hostname, port }
}
