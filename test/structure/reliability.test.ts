import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test('every fault of docs/reliability.md names a test, which names the fault', () => {
  const rows = [...readFileSync('docs/reliability.md', 'utf8').matchAll(/^\| (?:(F\d\d) \| )?.*\| `(test\/\S+)` \|$/gm)]
  expect(rows.length).toBeGreaterThan(15)
  for (const [, id = '', file = ''] of rows) expect(readFileSync(file, 'utf8'), `${id} in ${file}`).toContain(id)
})
