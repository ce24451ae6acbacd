import { expect, test, vi } from 'vitest'
import { ShareSpent, StatementTimeout } from '../database/db.ts'
import { Shares } from './shares.ts'

const LIMITS = { atOnce: 3, perOne: 2, waitingPerOne: 3, longestWaitMs: 60_000 }

/** Work that is started and finished by hand, and a list of what is running. */
function stage(limits = LIMITS) {
  const shares = new Shares(limits)
  const running = new Map<string, () => void>()
  const ask = (who: string, name: string): Promise<string> =>
    shares.run(
      who,
      () =>
        new Promise<string>((done) =>
          running.set(name, () => {
            running.delete(name)
            done(name)
          }),
        ),
    )
  const turn = () => new Promise((done) => setImmediate(done))
  return { ask, turn, now: () => [...running.keys()], end: (name: string) => running.get(name)?.() }
}

test('one who asks for much gets his share, waits for himself, and is refused what is beyond his line', async () => {
  const { ask, turn, now, end } = stage()
  const mine = ['a1', 'a2', 'a3', 'a4', 'a5'].map((name) => ask('a', name))
  await expect(ask('a', 'a6')).rejects.toThrow(ShareSpent)
  expect(now()).toEqual(['a1', 'a2'])
  const other = ask('b', 'b1')
  expect(now()).toEqual(['a1', 'a2', 'b1'])
  end('b1')
  await other
  await turn()
  expect(now()).toEqual(['a1', 'a2'])
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) {
    end(name)
    await turn()
  }
  expect(await Promise.all(mine)).toEqual(['a1', 'a2', 'a3', 'a4', 'a5'])
})

test('free places go round among those who wait', async () => {
  const { ask, turn, now, end } = stage({ ...LIMITS, atOnce: 2, perOne: 2 })
  const all = [
    ...['a1', 'a2', 'a3', 'a4'].map((name) => ask('a', name)),
    ask('b', 'b1'),
    ask('c', 'c1'),
    ask('b', 'b2'),
  ]
  const order: string[] = []
  while (now().length > 0) {
    const [next = ''] = now()
    order.push(next)
    end(next)
    await turn()
  }
  await Promise.all(all)
  expect(order.slice(0, 2)).toEqual(['a1', 'a2'])
  expect(order.slice(2, 5).toSorted()).toEqual(['a3', 'b1', 'c1'])
  expect(order.slice(5).toSorted()).toEqual(['a4', 'b2'])
})

test('work that fails gives its place back, and who has waited too long is told so', async () => {
  const { ask, turn, now, end } = stage({ ...LIMITS, atOnce: 1, longestWaitMs: 20 })
  const shares = new Shares({ ...LIMITS, atOnce: 1 })
  await expect(shares.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await shares.run('b', async () => 'yes')).toBe('yes')
  const [first, late] = [ask('a', 'a1'), ask('b', 'b1')]
  await expect(late).rejects.toThrow(StatementTimeout)
  end('a1')
  await first
  await turn()
  expect(now()).toEqual([])
  void ask('b', 'b2')
  await vi.waitFor(() => expect(now()).toEqual(['b2']))
  end('b2')
})
