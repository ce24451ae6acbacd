import { expect, test } from 'vitest'
import { compare, PATTERNS, ZONES } from './reference.ts'

for (const zone of ZONES)
  for (const [name, hours] of Object.entries(PATTERNS))
    test(`F28 open and closed are as the reference has them at every minute of three years: ${zone}, ${name}`, async () => {
      let minutes = 0
      for (const year of [2026, 2027, 2028])
        minutes += await compare(zone, hours, `${year}-01-01T00:00:00Z`, `${year + 1}-01-01T00:00:00Z`)
      expect(minutes).toBe((3 * 365 + 1) * 1_440)
    })
