import { createSocket } from 'node:dgram'

const TYPE_A = 1
const NAME_ERROR = 3

export type NameServer = {
  address: string
  /** From now on this name has these IPv4 addresses; none at all: it does not exist. */
  set: (name: string, ...addresses: string[]) => void
  asked: () => number
  close: () => void
}

/** A DNS server that says what the test wants, and says it anew every time: nothing may be kept (TTL 0). */
export async function startNameServer(): Promise<NameServer> {
  const names = new Map<string, string[]>()
  let asked = 0
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => {
    asked++
    const { name, type, end } = questionOf(query)
    const known = names.get(name)
    const addresses = type === TYPE_A ? (known ?? []) : []
    const header = Buffer.from(query.subarray(0, 12))
    header.writeUInt16BE(0x8180 | (known ? 0 : NAME_ERROR), 2)
    header.writeUInt16BE(addresses.length, 6)
    header.writeUInt32BE(0, 8)
    const answers = addresses.map((address) =>
      Buffer.from([0xc0, 12, 0, TYPE_A, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
    )
    socket.send(Buffer.concat([header, query.subarray(12, end), ...answers]), from.port, from.address)
  })
  await new Promise<void>((done) => socket.bind(0, '127.0.0.1', done))
  return {
    address: `127.0.0.1:${socket.address().port}`,
    set: (name, ...addresses) => {
      if (addresses.length === 0) names.delete(name)
      else names.set(name, addresses)
    },
    asked: () => asked,
    close: () => socket.close(),
  }
}

function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.subarray(at + 1, at + 1 + length).toString())
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}
