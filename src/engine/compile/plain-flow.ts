import type { Located } from './document.ts'
import { outside, quoted, resolve, scalarAt } from './plain-scalars.ts'

export interface FlowEnd {
  readonly node: Located
  readonly line: number
  readonly column: number
}

/** Reads `[a, b]` and `{ a: b }`, over several lines if need be, each indented further than `parent`. */
export function readFlow(
  path: string,
  lines: readonly string[],
  line: number,
  column: number,
  parent: number,
): FlowEnd {
  const opening = line
  const skip = () => {
    for (;;) {
      const text = lines[line]
      if (text === undefined) throw outside
      while (text[column] === ' ') column++
      if (column < text.length && !(text[column] === '#' && (column === 0 || text[column - 1] === ' '))) {
        if (line > opening && text.length - text.trimStart().length <= parent) throw outside
        return
      }
      line++
      column = 0
    }
  }
  const char = () => lines[line]?.[column]
  const rest = () => (lines[line] ?? '').slice(column)

  const item = (): Located => {
    skip()
    if (char() === '[') return list()
    if (char() === '{') return map()
    const start = line + 1
    const first = char()
    if (first === "'" || first === '"') {
      const [raw, value] = quoted(rest())
      column += raw.length
      return scalarAt(path, start, value, raw)
    }
    let raw = plain(/^[^,[\]{}#&*!|>%@`'"?:-][^,[\]{}]*/)
    for (let last = line; ; last = line) {
      skip()
      if (char() === ',' || char() === ']' || char() === '}') break
      if (line !== last + 1) throw outside
      raw += ` ${plain(/^[^,[\]{}#][^,[\]{}]*/)}`
    }
    return scalarAt(path, start, resolve(raw), raw)
  }

  /** One line's worth of an unquoted text; further lines are joined with a space, as YAML does. */
  const plain = (shape: RegExp): string => {
    const raw = shape.exec(rest())?.[0].trimEnd() ?? ''
    if (raw === '' || /:(?:\s|$)|\s#/.test(raw)) throw outside
    column += raw.length
    return raw
  }

  const list = (): Located => {
    const start = line + 1
    const items: Located[] = []
    column++
    for (skip(); char() !== ']'; skip()) {
      items.push(item())
      next(']')
    }
    column++
    return { kind: 'list', place: [path, start], items }
  }

  const map = (): Located => {
    const start = line + 1
    const entries = new Map<string, Located>()
    column++
    for (skip(); char() !== '}'; skip()) {
      const keyLine = line + 1
      const found = /^(?:([A-Za-z0-9_][\w./-]*)|'([^']*)'|"([^"\\]*)"):(?= )/.exec(rest())
      const key = found?.[1] ?? found?.[2] ?? found?.[3]
      if (!found || key === undefined || entries.has(key)) throw outside
      column += found[0].length
      const value = item()
      entries.set(key, { ...value, place: [path, keyLine] })
      next('}')
    }
    column++
    return { kind: 'map', place: [path, start], entries }
  }

  const next = (closing: string) => {
    skip()
    if (char() === ',') column++
    else if (char() !== closing) throw outside
  }

  const node = char() === '[' ? list() : map()
  return { node, line, column }
}
