import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Served = { html: string; headers?: Record<string, string> }

/** A host page's server: another origin than ours, whose pages may be as strict or as hostile as a test wants. */
export type Host = {
  port: number
  /** `localhost` is the same site as our pages, `127.0.0.1` is another one. */
  origin: (name?: 'localhost' | '127.0.0.1') => string
  serve: (path: string, page: Served) => void
  close: () => Promise<void>
}

export async function newHost(): Promise<Host> {
  const pages = new Map<string, Served>()
  const server = createServer((request, response) => {
    const page = pages.get((request.url ?? '/').replace(/[?#].*$/, ''))
    if (!page) return void response.writeHead(404).end()
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...page.headers }).end(page.html)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    port,
    origin: (name = 'localhost') => `http://${name}:${port}`,
    serve: (path, page) => void pages.set(path, page),
    close: () =>
      new Promise((done) => {
        server.closeAllConnections()
        server.close(() => done())
      }),
  }
}
