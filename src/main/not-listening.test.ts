import { createServer, type Server } from 'node:net'
import { expect, test } from 'vitest'
import { whyNotListening } from './not-listening.ts'

const failure = (server: Server) => new Promise((done) => server.once('error', done))

test('what cannot be listened on is told with the setting to change', async () => {
  const first = createServer()
  const port = await new Promise<number>((done) =>
    first.listen(0, '127.0.0.1', () => done(Number(Object(first.address()).port))),
  )
  const taken = await failure(createServer().listen(port, '127.0.0.1'))
  first.close()
  expect(whyNotListening(taken, { PORT: String(port) })).toMatch(new RegExp(`^Port ${port} is taken. Set PORT`))
  const elsewhere = await failure(createServer().listen(0, '192.0.2.1'))
  expect(whyNotListening(elsewhere, { HOST: '192.0.2.1' })).toMatch(
    /^192.0.2.1 is no address of this machine. Set HOST/,
  )
  const unknown = await failure(createServer().listen(0, 'nowhere.invalid'))
  expect(whyNotListening(unknown, { HOST: 'nowhere.invalid' })).toMatch(
    /^nowhere.invalid is no address of this machine/,
  )
  const reserved = Object.assign(new Error('bind EACCES'), { code: 'EACCES', syscall: 'bind' })
  expect(whyNotListening(reserved, {})).toMatch(/^Port 8080 may not be used by this user/)
})

test('what fails on the way to somebody else is not blamed on PORT or HOST', () => {
  for (const code of ['EADDRINUSE', 'EADDRNOTAVAIL', 'EACCES'])
    expect(whyNotListening(Object.assign(new Error(code), { code, syscall: 'connect' }), {})).toBeNull()
  const database = { code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: 'db.invalid' }
  expect(whyNotListening(Object.assign(new Error('ENOTFOUND'), database), { HOST: '0.0.0.0' })).toBeNull()
  expect(whyNotListening(new Error('of another kind'), {})).toBeNull()
})
