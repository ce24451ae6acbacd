import { expect, test } from 'vitest'
import { changesIn, compare, PATTERNS, ZONES } from './reference.ts'

for (const zone of ZONES)
  test(`F28 open and closed are as the reference has them at every minute around both changes of the clock: ${zone}`, async () => {
    const changes = await changesIn(zone, 2027)
    expect(changes).toHaveLength(2)
    for (const hours of Object.values(PATTERNS))
      for (const [from, to] of changes) expect(await compare(zone, hours, from, to)).toBe(2 * 1_440)
  })

test('F28 the same at every minute around Christmas, New Year and the leap day', async () => {
  for (const hours of Object.values(PATTERNS)) {
    await compare('Europe/Helsinki', hours, '2026-12-23T21:00Z', '2026-12-26T00:00Z')
    await compare('Europe/Helsinki', hours, '2026-12-31T18:00Z', '2027-01-02T00:00Z')
    await compare('Europe/Helsinki', hours, '2028-02-28T20:00Z', '2028-03-01T00:00Z')
  }
})
