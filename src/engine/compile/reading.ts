import type { SourceLine } from '../content.ts'
import { differences } from '../text/differences.ts'
import type { Located, Problems } from './document.ts'

/** Reads typed values from a located tree; anything invalid becomes a problem with its place. */
export interface Reading {
  readonly problems: Problems
  problem(place: SourceLine, message: string): void
  /** The map's entries; keys outside `known` are reported with the nearest known one. */
  map(node: Located | undefined, what: string, known?: readonly string[]): ReadonlyMap<string, Located>
  list(node: Located | undefined, what: string): readonly Located[]
  text(node: Located | undefined, what: string): string | undefined
  number(node: Located | undefined, what: string): number | undefined
  flag(node: Located | undefined, what: string): boolean
  choice<T extends string>(node: Located | undefined, what: string, among: readonly T[]): T | undefined
  id(node: Located | undefined, what: string, shape: 'kebab' | 'snake'): string | undefined
}

const SHAPES = {
  kebab: [/^[a-z0-9]+(-[a-z0-9]+)*$/, 'small letters, digits and hyphens'],
  snake: [/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/, 'small letters, digits and underscores'],
} as const

export function createReading(problems: Problems): Reading {
  const problem = (place: SourceLine, message: string) => {
    problems.push({ file: place[0], line: place[1], message })
  }
  const scalar = <T>(node: Located | undefined, what: string, is: (value: unknown) => value is T, expected: string) => {
    if (node === undefined) return undefined
    if (node.kind === 'scalar' && is(node.value)) return node.value
    problem(node.place, `${what} must be ${expected}.`)
    return undefined
  }
  const reading: Reading = {
    problems,
    problem,
    map(node, what, known) {
      if (node === undefined || (node.kind === 'scalar' && node.value === null)) return new Map()
      if (node.kind !== 'map') {
        problem(node.place, `${what} must be a block of "key: value" lines.`)
        return new Map()
      }
      if (known) {
        for (const [key, value] of node.entries) {
          if (known.includes(key)) continue
          const near = nearest(key, known)
          problem(
            value.place,
            `${what} has no key "${key}". ${near ? `Did you mean "${near}"?` : `It may have: ${known.join(', ')}.`}`,
          )
        }
      }
      return node.entries
    },
    list(node, what) {
      if (node === undefined || (node.kind === 'scalar' && node.value === null)) return []
      if (node.kind === 'list') return node.items
      problem(node.place, `${what} must be a list (lines that begin with "- ").`)
      return []
    },
    text(node, what) {
      if (node?.kind === 'scalar' && typeof node.value === 'number') return node.source
      return scalar(node, what, (value) => typeof value === 'string', 'a text')
    },
    number: (node, what) => scalar(node, what, (value) => typeof value === 'number', 'a number'),
    flag: (node, what) => scalar(node, what, (value) => typeof value === 'boolean', 'true or false') ?? false,
    choice(node, what, among) {
      const value = reading.text(node, what)
      if (node === undefined || value === undefined) return undefined
      const found = among.find((one) => one === value)
      if (found === undefined) {
        const near = nearest(value, among)
        problem(
          node.place,
          `${what} "${value}" is not known. ${near ? `Did you mean "${near}"?` : `It is one of: ${among.join(', ')}.`}`,
        )
      }
      return found
    },
    id(node, what, shape) {
      const value = reading.text(node, what)
      if (node === undefined || value === undefined) return undefined
      const [pattern, meaning] = SHAPES[shape]
      if (!pattern.test(value)) problem(node.place, `${what} "${value}" must be written with ${meaning}.`)
      return value
    },
  }
  return reading
}

/** The closest known word, if it is close enough to be a typing mistake. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  let best: string | undefined
  let most = Math.max(2, Math.floor(word.length / 3))
  for (const candidate of known) {
    const distance = differences(word, candidate, most)
    if (distance > most) continue
    best = candidate
    most = distance - 1
  }
  return best
}
