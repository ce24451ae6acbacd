import { expect, test } from 'vitest'
import { inTime } from './health.ts'

const after = (ms: number) => new Promise<string>((done) => setTimeout(() => done('answered'), ms))

test('a database that does not answer is away', async () => {
  await expect(inTime(after(5_000), 50)).rejects.toMatchObject({ code: 'database-away' })
})

test('a machine that stood still for a moment has not waited: the answer counts that lay there meanwhile', async () => {
  const answer = inTime(after(60), 50)
  const end = performance.now() + 200
  while (performance.now() < end);
  expect(await answer).toBe('answered')
})
