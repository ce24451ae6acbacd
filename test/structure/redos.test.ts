import { readFileSync } from 'node:fs'
import ts from 'typescript'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LANGUAGES } from '../../src/engine/content.ts'
import { hear } from '../../src/engine/own-words/hear.ts'
import { search } from '../../src/engine/own-words/propose.ts'
import { send } from '../world/call.ts'
import { realContent } from '../world/content.ts'
import { Patient } from '../world/patient.ts'
import { newWorld, type World } from '../world/world.ts'
import { isTest, type Source, sourcesBelow } from './sources.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})
afterAll(() => world.close())

/** The longer input is so many times as long. Work that grows with the length grows as much, work that grows with its square by 256. */
const TIMES = 16
const MOST_GROWTH = 64

/** Whether the work explodes: the best of three each, and what takes a moment anyway says nothing. */
async function explodes(work: (length: number) => unknown, longest: number, aMomentMs: number): Promise<boolean> {
  const best = async (length: number) => {
    let least = Number.POSITIVE_INFINITY
    for (let round = 0; round < 3; round++) {
      const startedAt = performance.now()
      await work(length)
      least = Math.min(least, performance.now() - startedAt)
      if (least < aMomentMs) break
    }
    return Math.max(least, aMomentMs)
  }
  // What explodes does so each time; a machine that was busy for a moment does not.
  for (let attempt = 0; attempt < 4; attempt++) {
    const long = await best(longest)
    if (long <= aMomentMs * MOST_GROWTH || long <= MOST_GROWTH * (await best(longest / TIMES))) return false
  }
  return true
}

/** As much as all headers together may have; a square of it is seen. */
const LONGEST = 16_384

type Found = { where: string; pattern: RegExp }

/** Every regular expression of the service: written as one, or as a `pattern` of a schema. */
function patternsIn({ path, text }: Source): Found[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const found: Found[] = []
  const visit = (node: ts.Node): void => {
    const where = () => `${path}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/')
      found.push({ where: where(), pattern: new RegExp(node.text.slice(1, end), node.text.slice(end + 1)) })
    } else if (
      ts.isPropertyAssignment(node) &&
      node.name.getText() === 'pattern' &&
      ts.isStringLiteral(node.initializer)
    ) {
      found.push({ where: where(), pattern: new RegExp(node.initializer.text, 'u') })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

const EVERYWHERE = [...' a0/#%.-:"\n?', 'é', '\u0301']

/** Inputs that make an expression go back over what it has read: much of what it looks for, after its own beginnings, and an end that does not fit. */
function inputsFor({ source }: RegExp): ((length: number) => string)[] {
  const plain = source.replace(/\\(.)/g, '$1')
  const words = [...new Set(plain.match(/[\p{L}\p{N}/;:=._#%-]{2,}/gu) ?? [])].slice(0, 2)
  const pumps = [...new Set([...plain, ...EVERYWHERE, ...words, 'a ', 'a0', '/a', '#4'])]
  return ['', ...words].flatMap((begin) =>
    pumps.flatMap((pump) =>
      ['!', '\n'].map((end) => (length: number) => begin + pump.repeat(Math.ceil(length / pump.length)) + end),
    ),
  )
}

const use = (pattern: RegExp, text: string): unknown =>
  pattern.global ? text.replace(pattern, '') : pattern.test(text)

/** One that repeats nothing cannot. */
const repeats = ({ pattern }: Found): boolean => /[+*]|\{\d+,\d*\}/.test(pattern.source)

test('A55: no regular expression of the service goes over its input again and again', async () => {
  const sources = sourcesBelow('src').filter(({ path }) => !isTest(path))
  const all = sources.flatMap(patternsIn)
  expect(all.length).toBeGreaterThan(80)
  const exploding: string[] = []
  for (const { where, pattern } of all.filter(repeats))
    for (const input of inputsFor(pattern))
      if (await explodes((length) => use(pattern, input(length)), LONGEST, 0.25)) {
        exploding.push(`${where} ${pattern} ${JSON.stringify(input(8))}`)
        break
      }
  expect(exploding).toEqual([])
})

test('this test sees an expression that does', { tags: 'thorough' }, async () => {
  const goesBack = async (pattern: RegExp) => {
    for (const input of inputsFor(pattern))
      if (await explodes((length) => use(pattern, input(length)), LONGEST / 2, 0.1)) return true
    return false
  }
  for (const pattern of [/\s+$/, /#.*$/, /a{0,9}b/])
    expect([pattern, await goesBack(pattern)]).toEqual([pattern, pattern.source !== 'a{0,9}b'])
})

test('A55: content holds no regular expressions, and reading own words grows with their length', async () => {
  const files = ts.sys.readDirectory('content', ['.yaml'])
  expect(files.length).toBeGreaterThan(20)
  expect(files.filter((path) => /\bmatches\(/.test(readFileSync(path, 'utf8')))).toEqual([])
  const { content } = await realContent()
  const pumps = ['a', ' ', 'a ', 'not ', 'pain ', 'en ', '.', 'é', 'e\u0301', '-', 'aa-', '0 ', '\n', 'chest pain and ']
  for (const language of LANGUAGES)
    for (const pump of pumps) {
      const read = (length: number) => {
        const text = pump.repeat(Math.ceil(length / pump.length))
        hear(content.release, text, language, () => true)
        search(content, text, language)
      }
      expect([language, pump, await explodes(read, 32_000, 5)]).toEqual([language, pump, false])
    }
})

type Operation = { parameters?: { name: string; in: string }[]; requestBody?: unknown }

test('A55: no route takes much longer for long input than for short', async () => {
  const { key, slug } = await world.clinic()
  const patient = new Patient(world.url)
  await patient.enterOpen(slug)
  const { paths } = (await (await fetch(`${world.url}/api/openapi.json`)).json()) as {
    paths: Record<string, Record<string, Operation>>
  }
  const headers = { cookie: patient.cookie ?? '', 'sec-fetch-site': 'same-origin' }
  const operations = Object.entries(paths).flatMap(([path, byMethod]) =>
    Object.entries(byMethod).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  expect(operations.length).toBeGreaterThan(25)
  const slow: string[] = []
  for (const { path, method, operation } of operations)
    for (const pump of ['a', '-', '0', '/', '%20', '%C3%A4', '.']) {
      const ask = async (length: number) => {
        const long = (most: number) => pump.repeat(Math.ceil(Math.min(length, most) / pump.length))
        const query = operation.parameters
          ?.filter((one) => one.in === 'query')
          .map(({ name }) => `${name}=${long(1_000)}`)
        const url = `${world.url}${path.replace(/\{\w+\}/g, long(2_000))}${query?.length ? `?${query.join('&')}` : ''}`
        const text = long(60_000)
        const json = operation.requestBody ? { id: text, text, value: text, question: text, name: text } : undefined
        const more = { traceparent: long(1_000), 'accept-language': long(2_000), 'if-none-match': long(1_000) }
        await send(url, method, { key, headers: { ...headers, ...more }, json })
      }
      if (await explodes(ask, 64_000, 10)) slow.push(`${method} ${path} ${pump}`)
    }
  expect(slow).toEqual([])
})
