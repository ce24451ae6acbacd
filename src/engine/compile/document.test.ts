import { expect, test } from 'vitest'
import { filesOf } from '../../../test/world/content.ts'
import { type ContentProblem, type Located, readDocument } from './document.ts'

/** A tree with the line of each part: `[line, value]`. */
function shape(node: Located | undefined): unknown {
  if (!node) return undefined
  const [, line] = node.place
  if (node.kind === 'scalar') return [line, node.value]
  if (node.kind === 'list') return [line, node.items.map(shape)]
  return [line, Object.fromEntries([...node.entries].map(([key, value]) => [key, shape(value)]))]
}

function read(text: string): { tree: unknown; problems: [line: number, message: string][] } {
  const problems: ContentProblem[] = []
  const tree = shape(readDocument({ path: 'a.yaml', text }, problems))
  return { tree, problems: problems.map(({ line, message }) => [line, message]) }
}

test('every part knows the line of its key, or its own in a list', () => {
  const text = `# a remark
name: Fever
long: >-
  one
  two
below:
  a text
list:
  - first
  -
  - |
    third
  - { flow: [a,
             b], other: 'it''s' }
empty:
`
  expect(read(text)).toEqual({
    tree: [
      2,
      {
        name: [2, 'Fever'],
        long: [3, 'one two'],
        below: [6, 'a text'],
        list: [
          8,
          [
            [9, 'first'],
            [9, null],
            [11, 'third\n'],
            [
              13,
              {
                flow: [
                  13,
                  [
                    [13, 'a'],
                    [14, 'b'],
                  ],
                ],
                other: [14, "it's"],
              },
            ],
          ],
        ],
        empty: [15, null],
      },
    ],
    problems: [],
  })
})

test.each([
  ['1.50', 1.5],
  ['-3', -3],
  ['.inf', Number.POSITIVE_INFINITY],
  ['true', true],
  ['~', null],
  ['yes', 'yes'],
  ['2026-11-15', '2026-11-15'],
  ["'1'", '1'],
  ['"a\\nb"', 'a\nb'],
])('%s is what YAML’s core schema says', (written, value) => {
  expect(read(`key: ${written}\r\nnext: line\r\n`).tree).toEqual([1, { key: [1, value], next: [2, 'line'] }])
})

test.each([
  ['a: b\nc: d\na: e\n', 3, /stands here twice/],
  ['a: &x b\nc: *x\n', 1, /anchors, aliases and tags are not used/],
  ['a: !!str 5\n', 1, /anchors, aliases and tags are not used/],
  ['a: b\n? [c]\n: d\n', 2, /must be a word/],
  ['a: b\n---\nc: d\n', 2, /second document/],
  ['a: b\nc: \0\n', 2, /not valid YAML/],
])('%j is refused on its line', (text, line, says) => {
  expect(read(text).problems[0]).toEqual([line, expect.stringMatching(says)])
})

/** Typing mistakes in a line of a content file; null where one does not fit. */
const SLIPS: Record<string, (line: string) => string | null> = {
  'a quote that is never closed': (line) => (/: '[^']*'$/.test(line) ? line.slice(0, -1) : null),
  'a quote that is never opened': (line) => (/: '[^']*'$/.test(line) ? line.replace(": '", ': ') : null),
  'a bracket that is never closed': (line) => (/[\]}]$/.test(line) && /[[{]/.test(line) ? line.slice(0, -1) : null),
  'a bracket that is never opened': (line) => (/[-:] \{.*\}$/.test(line) ? line.replace('{', '') : null),
  'a tab': (line) => (/^ {2}/.test(line) ? line.replace('  ', '\t') : null),
  'a colon without a space': (line) => (/^\s*[a-z_]+: /.test(line) ? line.replace(': ', ':') : null),
  'a missing colon': (line) => (/^\s*[a-z_]+: /.test(line) ? line.replace(': ', ' ') : null),
  'a colon in a text': (line) => (/^\s*[a-z_]+: [A-Za-z]/.test(line) ? `${line} see: this` : null),
}

test.each(Object.keys(SLIPS))('B26 %s is named on the line where it is to be mended', async (name) => {
  const files = (await filesOf('sore-throat')).filter(({ path }) => /sore-throat\/(complaint|en|fi)\.yaml$/.test(path))
  const wrong: string[] = []
  let refused = 0
  for (const { path, text } of files) {
    const lines = text.split('\n')
    lines.forEach((line, at) => {
      const slipped = at % 5 === 0 ? SLIPS[name]?.(line) : null
      if (!slipped) return
      const { problems } = read(lines.with(at, slipped).join('\n'))
      if (problems.length > 0) refused++
      if (problems[0] && problems[0][0] !== at + 1) wrong.push(`${path}:${at + 1} is told as ${problems[0].join(': ')}`)
    })
  }
  expect(wrong).toEqual([])
  expect(refused).toBeGreaterThan(0)
})
