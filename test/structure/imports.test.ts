import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { isTest, type Source, sourcesBelow, withoutComments } from './sources.ts'

/** Who may import whom among the parts of src; the order of the list is the direction. */
const LAYERS = ['engine', 'store', 'events', 'account', 'session', 'http', 'app', 'main'] as const
/** Single files that everyone but the engine may use. They use only each other. */
const GROUND = ['problems', 'settings', 'log', 'version']
const ENGINE_PACKAGES = ['@marcbachmann/cel-js', 'js-yaml']
/** The command line is an entry of its own: `fyr serve` starts what `npm start` starts. */
const ENTRIES = ['src/main.ts', 'src/cli/main.ts']

type Import = { from: string; to: string; names: string; isType: boolean; isOurs: boolean }

function importsOf({ path, text }: Source): Import[] {
  const found = [...withoutComments(text).matchAll(/\b(?:import|export)\s+(type\s+)?([^'";]*?)\s*from\s+'([^']+)'/g)]
  const others = [...withoutComments(text).matchAll(/\bimport\s*\(?\s*'([^']+)'/g)]
  return [
    ...found.map(([, type, names = '', to = '']) => ({ to, names, isType: type !== undefined })),
    ...others.map(([, to = '']) => ({ to, names: '', isType: false })),
  ].map(({ to, names, isType }) => {
    const isOurs = to.startsWith('.')
    return { from: path, to: isOurs ? join(dirname(path), to) : to, names, isType, isOurs }
  })
}

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
    if (own === 'client') return to !== 'src/http/v1/api.ts'
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

test('http and cli read from the store; every change goes through session or account', () => {
  const CHANGES =
    /\b(?:(?:insert|update|delete|erase|forget|mark|add|publish|append|move|lock|claim)[A-Z]\w*|(?:INSERT|UPDATE|DELETE|ERASE|END|ADD|MOVE|MARK|SET|CLAIM)_\w+)\b/
  const wrong = imports.filter(({ from, to, names }) => {
    return ['http', 'cli'].includes(partOf(from)) && to.startsWith('src/store/') && CHANGES.test(names)
  })
  expect(wrong.map(({ from, names }) => `${from}: ${names.replace(/\s+/g, ' ')}`)).toEqual([])
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
