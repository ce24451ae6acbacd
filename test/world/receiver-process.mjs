// A receiver as an integrator would run it: its own process, TLS, and the standardwebhooks package. It reports to the
// test what arrived, and misbehaves as told.
import { createServer } from 'node:https'
import { Webhook } from 'standardwebhooks'

const secrets = new Map() // name → list of secrets to try
const behaviours = new Map() // name → behaviour
const alternations = new Map()

const server = createServer({ cert: process.env.RECEIVER_CERT, key: process.env.RECEIVER_KEY }, (request, response) => {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const name = new URL(request.url, 'https://receiver').pathname.slice(1)
    const body = Buffer.concat(chunks)
    const arrived = {
      name,
      url: request.url,
      headers: request.headers,
      body: body.toString(),
      verifiedBy: (secrets.get(name) ?? []).filter((secret) => isVerified(secret, body, request.headers)),
    }
    process.send({ kind: 'arrived', arrived }, () => answer(behaviours.get(name) ?? 'ok', name, request, response))
  })
})

function isVerified(secret, body, headers) {
  try {
    new Webhook(secret).verify(body, headers)
    return true
  } catch {
    return false
  }
}

function answer(behaviour, name, request, response) {
  const [kind, ...rest] = behaviour.split(' ')
  const given = rest.join(' ')
  switch (kind) {
    case 'ok':
      return response.writeHead(200, { 'content-type': 'text/plain' }).end('thank you')
    case 'status':
      return response.writeHead(Number(given)).end(`status ${given}`)
    case 'say':
      return response.writeHead(400).end(given)
    case 'after':
      return response.writeHead(Number(given.slice(0, 3)), { 'retry-after': given.slice(4) }).end()
    case 'redirect':
      return response.writeHead(307, { location: given }).end()
    case 'hang':
      return
    case 'reset':
      return request.socket.destroy()
    case 'alternate': {
      const turn = alternations.get(name) ?? 0
      alternations.set(name, turn + 1)
      return response.writeHead(turn % 2 === 0 ? 500 : 200).end()
    }
    case 'endless': {
      response.writeHead(200)
      const block = Buffer.alloc(16_384, 120)
      let sent = 0
      const pour = () => {
        while (!response.destroyed) {
          sent += block.length
          if (!response.write(block)) return response.once('drain', pour)
        }
      }
      response.on('close', () => process.send({ kind: 'poured', name, sent }))
      return pour()
    }
    case 'drip': {
      response.writeHead(200)
      const timer = setInterval(() => response.write('.'), 100)
      return response.on('close', () => clearInterval(timer))
    }
    case 'headers': {
      for (let at = 0; at < 1_000; at++) response.setHeader(`x-filler-${at}`, 'x'.repeat(60))
      return response.writeHead(200).end()
    }
    case 'garbage':
      return response.writeHead(200).end(Buffer.from([0xff, 0xfe, 0xc3, 0x28, 0x00, 0x1b, 0x5b, 0x33, 0x31, 0x6d]))
  }
}

process.on('message', (message) => {
  if (message.kind === 'secrets') secrets.set(message.name, message.secrets)
  if (message.kind === 'behaviour') behaviours.set(message.name, message.behaviour)
  process.send({ kind: 'done', id: message.id })
})
server.on('connection', () => process.send({ kind: 'connected' }))
process.on('disconnect', () => process.exit(0))
server.listen(0, '127.0.0.1', () => process.send({ kind: 'listening', port: server.address().port }))
