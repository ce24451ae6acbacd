import { connect } from 'node:net'

/** Sends bytes as they are and answers everything that came back until the other side closed or grew quiet. */
export function exchange(url: string, bytes: string | Buffer, quietMs = 1_500): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((done, failed) => {
    const socket = connect(Number(port), hostname)
    let heard = ''
    socket.setTimeout(quietMs, () => socket.destroy())
    socket.on('data', (chunk) => {
      heard += chunk.toString('latin1')
    })
    socket.on('error', (error) => (heard ? done(heard) : failed(error)))
    socket.on('close', () => done(heard))
    socket.on('connect', () => socket.write(bytes))
  })
}

/** The statuses of all answers in what was heard. */
export const statusesIn = (heard: string): number[] =>
  [...heard.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status))

/** The body of the first answer, which is a problem. */
export function problemIn(heard: string): { type: string; status: number; requestId: string } {
  const body = /\r\n\r\n(?:[0-9a-f]+\r\n)?(\{.*\})/s.exec(heard)?.[1] ?? '{}'
  return JSON.parse(body)
}
