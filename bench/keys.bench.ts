import { randomBytes } from 'node:crypto'
import { keyOf, newApiKey } from '../src/account/key.ts'
import { median, type Row } from './rows.ts'
import { setStage } from './stage.ts'

const TRIES = 5_000

/** A07: refusing a key that begins like a real one takes as long as refusing any other. */
export async function rows(): Promise<Row[]> {
  const stage = await setStage()
  try {
    const times: Record<'alike' | 'random', number[]> = { alike: [], random: [] }
    for (let at = -200; at < TRIES; at++) {
      for (const kind of ['alike', 'random'] as const) {
        const tail = randomBytes(4).toString('hex').slice(0, 6)
        const key = kind === 'random' ? newApiKey() : keyOf(`${stage.key.slice(4, 30)}${tail}`)
        const startedAt = performance.now()
        const reply = await fetch(`http://127.0.0.1:${stage.port}/api/v1/accessControl`, {
          headers: { 'x-service-api-key': key },
        })
        await reply.arrayBuffer()
        if (reply.status !== 403) throw new Error(`A made-up key was answered ${reply.status}.`)
        if (at >= 0) times[kind].push(performance.now() - startedAt)
      }
    }
    const [alike, random] = [median(times.alike), median(times.random)]
    return [
      { name: 'a random key is refused', value: random, unit: 'ms' },
      {
        name: 'a key that begins like a real one',
        value: alike,
        unit: 'ms',
        against: 'a random key',
        ratio: Math.max(alike / random, random / alike),
        bar: 1.05,
        atMost: true,
      },
    ]
  } finally {
    await stage.strike()
  }
}
