import fc from 'fast-check'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { readContentFolder } from '../../store/content-files.ts'
import { type Located, readAnyYaml } from './document.ts'
import { readPlainYaml } from './plain-yaml.ts'

/** Without the source text, which only conditions use and which is compared apart. */
function shape(node: Located | undefined): unknown {
  if (!node) return undefined
  if (node.kind === 'scalar') return [node.place, node.value]
  if (node.kind === 'list') return [node.place, node.items.map(shape)]
  return [node.place, [...node.entries].map(([key, value]) => [key, shape(value)])]
}

test('every content file reads the same as with the full parser', async () => {
  const files = await readContentFolder(new URL('../../../content', import.meta.url).pathname)
  let plain = 0
  for (const file of files) {
    const quick = readPlainYaml(file.path, file.text)
    if (!quick) continue
    plain++
    expect(shape(quick), file.path).toEqual(shape(readAnyYaml(file, [])))
  }
  expect(plain).toBeGreaterThan(files.length * 0.8)
})

const texts = fc.string({ unit: fc.constantFrom(...'abc :#-\'"{}[],&*!|>%@?0.1~\n') })
const values = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    texts,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.stringMatching(/^[a-z][a-z0-9_-]{0,6}$/), tie('value'), { maxKeys: 4 }),
  ),
})).value

test('whatever the plain reader takes, it reads as the full parser does', () => {
  fc.assert(
    fc.property(values, (value) => {
      const text = stringify(value)
      const quick = readPlainYaml('a.yaml', text)
      if (quick) expect(shape(quick)).toEqual(shape(readAnyYaml({ path: 'a.yaml', text }, [])))
    }),
    { numRuns: 2000, examples: [[{ a: 'a\n \na' }]] },
  )
})

test('whatever the full parser refuses, the plain reader does not take', () => {
  const lines = fc.array(
    fc.constantFrom(
      'a: b',
      '  c: d',
      '- e',
      '  - f: g',
      'a: [b, c',
      ' d]',
      'h: {i: j}',
      "k: 'l",
      'm: >-',
      '    n',
      '# o',
      '',
      'a:',
      'p: q: r',
    ),
    { maxLength: 8 },
  )
  fc.assert(
    fc.property(lines, (some) => {
      const text = some.join('\n')
      const quick = readPlainYaml('a.yaml', text)
      const problems: never[] = []
      const full = readAnyYaml({ path: 'a.yaml', text }, problems)
      if (quick) {
        expect(problems, text).toEqual([])
        expect(shape(quick), text).toEqual(shape(full))
      }
    }),
    { numRuns: 5000 },
  )
})
