// @module-tag thorough
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { send } from '../world/call.ts'
import { newWorld, type World } from '../world/world.ts'
import { problemIn } from './wire.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})
afterAll(() => world.close())

type Slow = { heard: string; afterMs: number }

/** Sends a beginning, then one byte a second and never an end; answers when the other side has cut the line. */
function drip(beginning: string, drop: string): Promise<Slow> {
  const startedAt = performance.now()
  return new Promise((done) => {
    const socket = connect(Number(new URL(world.url).port), '127.0.0.1')
    let heard = ''
    let timer: NodeJS.Timeout
    socket.on('connect', () => {
      socket.write(beginning)
      timer = setInterval(() => socket.write(drop), 1_000)
    })
    socket.on('data', (chunk) => {
      heard += chunk.toString('latin1')
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      clearInterval(timer)
      done({ heard, afterMs: performance.now() - startedAt })
    })
  })
}

test('F13 connections that never finish their headers or body are cut, and others are answered meanwhile', async () => {
  const { key } = await world.clinic()
  const idle = Number(process.env.FYR_IDLE ?? 100)
  const sockets = Array.from({ length: idle }, () =>
    connect(Number(new URL(world.url).port), '127.0.0.1').on('error', () => {}),
  )
  const headers = Array.from({ length: 40 }, () => drip('GET /healthz HTTP/1.1\r\nHost: x\r\nX-', 'a'))
  const bodies = Array.from({ length: 10 }, () =>
    drip(
      `POST /api/v1/session HTTP/1.1\r\nHost: x\r\nX-Service-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"text":"`,
      'a',
    ),
  )
  const asked = []
  for (let second = 0; second < 8; second++) {
    asked.push(send(`${world.url}/api/v1/session`, 'POST', { key }), send(`${world.url}/healthz`, 'GET'))
    await new Promise((done) => setTimeout(done, 1_000))
  }
  expect((await Promise.all(asked)).every(({ status }) => status === 201 || status === 200)).toBe(true)
  for (const { heard, afterMs } of await Promise.all(headers)) {
    expect(problemIn(heard)).toMatchObject({ status: 408 })
    expect(afterMs).toBeGreaterThan(9_000)
    expect(afterMs).toBeLessThan(25_000)
  }
  for (const { heard, afterMs } of await Promise.all(bodies)) {
    expect(problemIn(heard)).toMatchObject({ status: 408 })
    expect(afterMs).toBeGreaterThan(29_000)
    expect(afterMs).toBeLessThan(50_000)
  }
  for (const socket of sockets) socket.destroy()
  expect((await send(`${world.url}/healthz`, 'GET')).status).toBe(200)
})
