import { expect, test } from 'vitest'
import { importsOf, namesIn } from './imports.ts'
import { isTest, sourcesBelow, withoutComments } from './sources.ts'
import { writersIn, writes } from './writers.ts'

/** Who may import whom among the parts of src; the order of the list is the direction. */
const LAYERS = ['engine', 'store', 'events', 'account', 'session', 'http', 'app', 'main'] as const
/** Single files that everyone but the engine may use. They use only each other. */
const GROUND = ['problems', 'root', 'setting-values', 'settings', 'log', 'version']
const ENGINE_PACKAGES = ['@marcbachmann/cel-js', 'js-yaml']
/** The command line is an entry of its own: `fyr serve` starts what `npm start` starts. */
const ENTRIES = ['src/main.ts', 'src/cli/main.ts']

const sources = sourcesBelow('src').filter(({ path }) => !isTest(path))
const imports = sources.flatMap(importsOf)

function partOf(path: string): string {
  const [, part = ''] = path.split('/')
  return part.replace(/\.ts$/, '')
}

const rankOf = (part: string): number => LAYERS.findIndex((layer) => layer === (part === 'cli' ? 'http' : part))

test('parts of src import only parts before them: engine ← store ← events ← account ← session ← http, cli ← app ← main', () => {
  const wrong = imports.filter(({ from, to, isOurs }) => {
    const [own, other] = [partOf(from), partOf(to)]
    if (!isOurs || !to.startsWith('src/') || own === other || ENTRIES.includes(from)) return false
    if (own === 'client') return to !== 'src/http/v1/schemas.ts'
    if (GROUND.includes(other)) return own === 'engine'
    if (GROUND.includes(own)) return true
    return rankOf(own) < 0 || rankOf(other) < 0 || rankOf(other) >= rankOf(own)
  })
  expect(wrong.map(({ from, to }) => `${from} → ${to}`)).toEqual([])
})

test('the engine imports nothing of Node and only the CEL and YAML parsers', () => {
  const wrong = imports.filter(({ from, to, isOurs }) => {
    return partOf(from) === 'engine' && !isOurs && !ENGINE_PACKAGES.includes(to)
  })
  expect(wrong.map(({ from, to }) => `${from} → ${to}`)).toEqual([])
})

test('the pages import only the engine and the types of the interface', () => {
  const wrong = sourcesBelow('web')
    .filter(({ path }) => !isTest(path))
    .flatMap(importsOf)
    .filter(({ to, isOurs, isType }) => {
      if (!isOurs || !to.startsWith('src/')) return false
      return !to.startsWith('src/engine/') && !(isType && /^src\/(http|client)\//.test(to))
    })
  expect(wrong.map(({ from, to }) => `${from} → ${to}`)).toEqual([])
})

test('http and cli import nothing of the store whose SQL writes: every change goes through session or account', () => {
  const writers = writersIn(sources.filter(({ path }) => /^src\/store\/(?!database\/)/.test(path)))
  const wrong = imports
    .filter(({ from, to }) => ['http', 'cli'].includes(partOf(from)) && to.startsWith('src/store/'))
    .flatMap(({ from, to, names, isType }) => {
      if (isType) return []
      if (!names.includes('{')) return [`${from}: everything of ${to}`]
      return namesIn(names)
        .filter(({ name }) => writers.get(to)?.has(name))
        .map(({ name }) => `${from}: ${name}`)
    })
  expect(wrong).toEqual([])
})

test('this test knows by the SQL which function of the store writes, whatever its name', () => {
  const store = [
    {
      path: 'src/store/a.ts',
      text: [
        "const TOUCH = sql('touch', `update things t set at = now() where account_id = $1`)",
        "const READ = sql('read', `select updated, deleted from things where account_id = $1`)",
        'export const findThing = (db: Db) => db.query(TOUCH)',
        'export const listThings = (db: Db) => db.query(READ)',
        'async function both(db: Db) {',
        '  await findThing(db)',
        '}',
        'export class Things {',
        '  read = both',
        '}',
      ].join('\n'),
    },
    {
      path: 'src/store/b.ts',
      text: "import { findThing as find } from './a.ts'\nexport const seeThing = () => find()",
    },
  ]
  const writers = writersIn(store)
  expect([...(writers.get('src/store/a.ts') ?? [])].sort()).toEqual(['TOUCH', 'Things', 'both', 'findThing'])
  expect([...(writers.get('src/store/b.ts') ?? [])]).toEqual(['seeThing'])
  for (const text of [
    'insert into a (b) values (1)',
    'delete from a',
    'select 1 from a for update',
    'select pg_notify(1)',
  ])
    expect(writes(`\`${text}\``), text).toBe(true)
  expect(writes("'update the page'")).toBe(false)
})

test('every statement of the store that writes is known to write', () => {
  const store = sources.filter(({ path }) => /^src\/store\/(?!database\/)/.test(path))
  const known = [...writersIn(store).values()].flatMap((names) => [...names])
  expect(known).toEqual(expect.arrayContaining(['INSERT_SESSION', 'PASS_GATE', 'claimDeliveries', 'answerWriter']))
  for (const reading of ['findSession', 'listSessions', 'findKeptUpload', 'statusReader']) {
    expect(known).not.toContain(reading)
  }
})

test('SQL is only in the store', () => {
  const SQL =
    /\b(select\b[^'"`]{0,200}\bfrom\s+\w|insert\s+into\s+\w|update\s+\w+\s+(\w+\s+)?set\s|delete\s+from\s+\w)/i
  const wrong = sources.filter(({ path, text }) => {
    const literals = [...withoutComments(text).matchAll(/`(?:[^`\\]|\\.)*`|'(?:[^'\\\n]|\\.)*'/g)]
    return !path.startsWith('src/store/') && literals.some(([literal]) => SQL.test(literal))
  })
  expect(wrong.map(({ path }) => path)).toEqual([])
})

test('no file imports itself through others', () => {
  const next = new Map<string, string[]>()
  for (const { from, to, isOurs, isType } of imports) {
    if (isOurs && !isType && !ENTRIES.includes(from)) next.set(from, [...(next.get(from) ?? []), to])
  }
  const done = new Set<string>()
  const circles: string[] = []
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) circles.push([...trail.slice(trail.indexOf(path)), path].join(' → '))
    if (done.has(path) || trail.includes(path)) return
    for (const to of next.get(path) ?? []) visit(to, [...trail, path])
    done.add(path)
  }
  for (const path of next.keys()) visit(path, [])
  expect(circles).toEqual([])
})
