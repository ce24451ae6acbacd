import { importsOf, namesIn } from './imports.ts'
import { type Source, withoutComments } from './sources.ts'

/** SQL that changes something, holds others up, or tells them of a change. */
const WRITES = new RegExp(
  [
    'insert\\s+into\\s+\\w',
    'update\\s+\\w+\\s+(\\w+\\s+)?set\\s',
    'delete\\s+from\\s+\\w',
    'merge\\s+into\\s',
    'truncate\\s+\\w',
    'for\\s+(no\\s+key\\s+)?(update|share)\\b',
    '(nextval|setval|pg_notify|pg_(try_)?advisory\\w*)\\s*\\(',
  ]
    .map((part) => `\\b${part}`)
    .join('|'),
  'i',
)

type Declaration = { name: string; text: string }

/** Whether a piece of code holds SQL that writes. */
export function writes(code: string): boolean {
  return [...code.matchAll(/`(?:[^`\\]|\\.)*`|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g)].some(([text]) =>
    WRITES.test(text),
  )
}

/** What a file declares at its top, each from its first line to the next one. */
function declarationsIn(text: string): Declaration[] {
  const begin = /^(?:export\s+)?(?:async\s+)?(const|let|function|class|type|interface)\s+(\w+)/gm
  const found = [...text.matchAll(begin)]
  return found.flatMap((match, at) => {
    const [, kind = '', name = ''] = match
    return kind === 'type' || kind === 'interface'
      ? []
      : [{ name, text: text.slice(match.index, found[at + 1]?.index) }]
  })
}

/** For each file, the names whose SQL writes, or that use one of those, here or in another of the files. */
export function writersIn(sources: readonly Source[]): ReadonlyMap<string, ReadonlySet<string>> {
  const writers = new Map(sources.map(({ path }) => [path, new Set<string>()]))
  const files = sources.map((source) => ({
    path: source.path,
    declared: declarationsIn(withoutComments(source.text)),
    taken: importsOf(source).flatMap(({ to, names }) => namesIn(names).map((one) => ({ to, ...one }))),
  }))
  let before = -1
  for (let count = 0; count !== before; count = [...writers.values()].reduce((sum, names) => sum + names.size, 0)) {
    before = count
    for (const { path, declared, taken } of files) {
      const own = writers.get(path) ?? new Set()
      const imported = taken.filter(({ to, name }) => writers.get(to)?.has(name)).map(({ local }) => local)
      for (const { name, text } of declared) {
        const uses = new Set(text.match(/\b[A-Za-z_]\w*\b/g))
        if (writes(text) || [...own, ...imported].some((writer) => uses.has(writer))) own.add(name)
      }
    }
  }
  return writers
}
