import { createServer } from 'node:net'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { connectWithin, endClient } from './connection.ts'

/** Keeps this process from doing anything else, as compiling a large release does. */
const beBusy = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

test('time in which this process was too busy to listen does not count against the database', async () => {
  const client = new pg.Client({ connectionString: inject('serverUrl') })
  const connecting = connectWithin(client, 500)
  setImmediate(() => beBusy(2_500))
  await connecting
  expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  await endClient(client)
})

test('a server that takes the connection and says nothing is given up', async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1')
  await new Promise((done) => silent.once('listening', done))
  const { port } = silent.address() as { port: number }
  const client = new pg.Client({ host: '127.0.0.1', port })
  client.on('error', () => {})
  await expect(connectWithin(client, 500)).rejects.toThrow('did not answer in time')
  silent.close()
})
