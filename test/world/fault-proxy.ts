import { createServer, type IncomingMessage, request as outgoing, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * What goes wrong with a request: `busy`, it is refused with 503 SlowDown; `cut`, the connection ends in the middle of
 * its body, or of the answer's if it has none; `unanswered`, it is done and nobody is told; `silent`, it is never
 * answered.
 */
export type RequestFault = 'busy' | 'cut' | 'unanswered' | 'silent'

/** The fault of a request, by its place among them; null is none, and a promise is waited for before it goes on. */
export type Planting = (at: number, method: string) => RequestFault | Promise<void> | null

export type FaultProxy = {
  url: string
  /** How many requests came since the last planting. */
  seen: () => number
  /** What is done to requests from now on. */
  plant: (planting: Planting) => void
  close: () => Promise<void>
}

/** Passes requests on to a port of this machine, with the address that they were made for, and does to them what was planted. */
export async function faultProxy(port: number): Promise<FaultProxy> {
  let [planting, seen]: [Planting, number] = [() => null, 0]
  const proxy = createServer(async (request, reply) => {
    const method = request.method ?? ''
    const planted = await planting(seen++, method)
    if (planted === 'busy') return busy(request, reply)
    if (planted === 'silent') return void request.resume()
    const { url: path, headers } = request
    const upstream = outgoing({ host: '127.0.0.1', port, method, path, headers, agent: false })
    const cut = () => {
      upstream.destroy()
      request.socket.destroy()
    }
    upstream.on('error', cut)
    request.on('error', cut)
    const hasBody = Number(headers['content-length'] ?? 0) > 0
    if (planted === 'cut' && hasBody) {
      request.once('data', (chunk: Buffer) => {
        request.pause()
        upstream.write(chunk.subarray(0, chunk.length / 2), () => setTimeout(cut, 50))
      })
      return
    }
    request.pipe(upstream)
    upstream.on('response', (answer) => {
      if (planted === 'unanswered') return cut()
      reply.writeHead(answer.statusCode ?? 500, answer.headers)
      if (planted !== 'cut') return void answer.pipe(reply)
      answer.once('end', cut) // had it no body
      answer.once('data', (chunk: Buffer) => {
        answer.pause()
        reply.write(chunk.subarray(0, chunk.length / 2), () => setTimeout(cut, 50))
      })
    })
  })
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    seen: () => seen,
    plant: (given) => {
      ;[planting, seen] = [given, 0]
    },
    close: async () => {
      proxy.closeAllConnections()
      await new Promise((done) => proxy.close(done))
    },
  }
}

/** As Amazon's store says it. */
function busy(request: IncomingMessage, reply: ServerResponse): void {
  request.resume()
  request.once('end', () =>
    reply
      .writeHead(503, { 'content-type': 'application/xml' })
      .end('<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>'),
  )
}
