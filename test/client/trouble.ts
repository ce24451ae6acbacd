import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Trouble = (request: IncomingMessage, response: ServerResponse, forward: () => Promise<Response>) => void

/** Something between a client and Fyr that makes trouble, one kind for each request, then lets everything through. */
export async function behindTrouble(
  fyrUrl: string,
  ...troubles: (Trouble | null)[]
): Promise<{ url: string; requests: IncomingMessage[]; stop: () => void }> {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const headers = Object.fromEntries(
        Object.entries(request.headers).filter(([name]) => /^(x-|idem|content-type|authorization|upload-)/.test(name)),
      )
      const body = Buffer.concat(chunks)
      const forward = () =>
        fetch(`${fyrUrl}${request.url}`, {
          method: request.method ?? 'GET',
          headers: headers as Record<string, string>,
          ...(body.length > 0 && { body }),
        })
      const trouble = troubles.shift()
      if (trouble) return trouble(request, response, forward)
      void forward().then(async (reply) =>
        response.writeHead(reply.status, { 'content-type': 'application/json' }).end(await reply.text()),
      )
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${port}/`, requests, stop }
}

/** Fyr did what was asked, and its reply got lost. */
export const lost: Trouble = (_request, response, forward) => void forward().then(() => response.destroy())

/** The reply begins well and breaks off in its body. */
export const cutOff: Trouble = (_request, response, forward) =>
  void forward().then(async (reply) => {
    const text = await reply.text()
    response.writeHead(reply.status, { 'content-type': 'application/json', 'content-length': text.length })
    response.write(text.slice(0, 1), () => response.destroy())
  })

export const refusing =
  (status: number, headers: Record<string, string> = {}): Trouble =>
  (_request, response) => {
    const problem = {
      type: 'https://fyr.example/problems/overloaded',
      title: 'Busy',
      status,
      detail: '',
      requestId: 'x',
    }
    response.writeHead(status, { 'content-type': 'application/problem+json', ...headers }).end(JSON.stringify(problem))
  }
