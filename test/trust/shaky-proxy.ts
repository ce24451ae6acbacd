import type { Socket } from 'node:net'
import { databaseProxy } from './database-proxy.ts'

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
  let seen = 0
  let broken = 0
  const proxy = await databaseProxy(databaseUrl, (client: Socket) => {
    const breaks = ++seen <= 10 && seen % 2 === 0
    let isReady = false
    return (chunk) => {
      const becomesReady = !isReady && chunk.includes(READY)
      isReady ||= becomesReady
      if (!becomesReady || !breaks) return void client.write(chunk)
      broken++
      client.end(Buffer.concat([chunk, TERMINATED]))
    }
  })
  return { ...proxy, broken: () => broken }
}
