import type { Located } from './document.ts'
import { type FlowEnd, readFlow } from './plain-flow.ts'
import { outside, plainValue, quoted, scalarAt } from './plain-scalars.ts'

const KEY = /^(?:([A-Za-z0-9_][\w./-]*)|'([^']*)'|"([^"\\]*)"):(?= |$)/
const BLANK = /^\s*(?:#.*)?$/
const AFTER = /^\s*(?:\s#.*)?$/
const HEADER = /^([|>])(-?)(?:\s+#.*)?$/

/**
 * Reads the plain part of YAML that content is written in, some ten times faster than the full parser: maps and lists by indentation,
 * one-line texts, folded and literal blocks, and flow collections. Anything beyond gives `undefined`, and the full parser reads the file.
 */
export function readPlainYaml(path: string, text: string): Located | undefined {
  if (/[\t\r]|^(?:---|\.\.\.|%)/m.test(text)) return undefined
  try {
    const reader = new Reader(path, text)
    const root = reader.block(0)
    return reader.atEnd() ? root : undefined
  } catch (error) {
    if (error === outside) return undefined
    throw error
  }
}

class Reader {
  readonly path: string
  readonly lines: string[]
  /** The line being read, counted from 0. */
  at = 0

  constructor(path: string, text: string) {
    this.path = path
    this.lines = text.split('\n')
    this.skipBlank()
  }

  atEnd(): boolean {
    this.skipBlank()
    return this.at >= this.lines.length
  }

  skipBlank(): void {
    while (this.at < this.lines.length && BLANK.test(this.lines[this.at] ?? '')) this.at++
  }

  indent(): number {
    const line = this.lines[this.at]
    return line === undefined ? -1 : line.length - line.trimStart().length
  }

  /** The map, list or text that begins on this line, which is indented at least so far. */
  block(least: number): Located {
    const indent = this.indent()
    if (indent < least) throw outside
    const rest = (this.lines[this.at] ?? '').slice(indent)
    if (rest === '-' || rest.startsWith('- ')) return this.list(indent)
    return KEY.test(rest) ? this.map(indent) : this.value(rest, indent, least - 1)
  }

  map(indent: number): Located {
    const first = this.at + 1
    const entries = new Map<string, Located>()
    for (; this.at < this.lines.length && this.indent() === indent; this.skipBlank()) {
      const line = this.lines[this.at] ?? ''
      const found = KEY.exec(line.slice(indent))
      const key = found?.[1] ?? found?.[2] ?? found?.[3]
      if (!found || key === undefined || entries.has(key)) throw outside
      const keyLine = this.at + 1
      const column = indent + found[0].length
      const value = this.value(
        line.slice(column).trimStart(),
        line.length - line.slice(column).trimStart().length,
        indent,
      )
      entries.set(key, { ...value, place: [this.path, keyLine] })
    }
    if (this.at < this.lines.length && this.indent() > indent) throw outside
    return { kind: 'map', place: [this.path, first], entries }
  }

  list(indent: number): Located {
    const first = this.at + 1
    const items: Located[] = []
    for (; this.at < this.lines.length && this.indent() === indent; this.skipBlank()) {
      const line = this.lines[this.at] ?? ''
      if (line[indent] !== '-' || (line.length > indent + 1 && line[indent + 1] !== ' ')) break
      // Without its dash the item reads like any block that is indented further.
      this.lines[this.at] = `${' '.repeat(indent + 1)}${line.slice(indent + 1)}`
      this.skipBlank()
      items.push(this.block(indent + 1))
    }
    return { kind: 'list', place: [this.path, first], items }
  }

  /** What stands after a key or a dash; `parent` is the indentation it has to exceed on further lines. */
  value(rest: string, column: number, parent: number): Located {
    const line = this.at + 1
    if (rest === '' || rest.startsWith('#')) return this.nested(parent, line)
    const header = HEADER.exec(rest)
    if (header) return this.literal(header[1] === '>', header[2] === '-', parent, rest)
    if (rest[0] === '[' || rest[0] === '{') return this.flow(column, parent)
    const [raw, value] = rest[0] === "'" || rest[0] === '"' ? quoted(rest) : plainValue(rest)
    if (!AFTER.test(rest.slice(raw.length))) throw outside
    this.at++
    const next = this.lines[this.at]
    if (next !== undefined && !BLANK.test(next) && this.indent() > parent) throw outside
    this.skipBlank()
    if (this.at < this.lines.length && this.indent() > parent) throw outside
    return scalarAt(this.path, line, value, raw)
  }

  nested(parent: number, line: number): Located {
    this.at++
    this.skipBlank()
    const indent = this.indent()
    if (indent > parent) return this.block(parent + 1)
    const isList = indent === parent && /^-(?: |$)/.test((this.lines[this.at] ?? '').slice(indent))
    return isList ? this.list(indent) : scalarAt(this.path, line, null, '')
  }

  literal(isFolded: boolean, strip: boolean, parent: number, header: string): Located {
    const line = this.at + 1
    const texts: string[] = []
    let indent = -1
    for (this.at++; this.at < this.lines.length; this.at++) {
      const text = this.lines[this.at] ?? ''
      if (text.trim() === '') {
        texts.push(text === '' ? '' : outsideNow()) // spaces beyond the indentation would be part of the text
        continue
      }
      const depth = this.indent()
      if (indent < 0) indent = depth
      if (depth < indent || depth <= parent) break
      if (depth > indent) throw outside
      texts.push(text.slice(indent).trimEnd() === text.slice(indent) ? text.slice(indent) : outsideNow())
    }
    while (texts.at(-1) === '') texts.pop()
    if (texts.length === 0 || texts[0] === '' || (isFolded && texts.includes(''))) throw outside
    const value = texts.join(isFolded ? ' ' : '\n') + (strip ? '' : '\n')
    this.skipBlank()
    return scalarAt(this.path, line, value, [header, ...texts].join('\n'))
  }

  flow(column: number, parent: number): Located {
    const end: FlowEnd = readFlow(this.path, this.lines, this.at, column, parent)
    if (!AFTER.test((this.lines[end.line] ?? '').slice(end.column))) throw outside
    this.at = end.line + 1
    this.skipBlank()
    return end.node
  }
}

function outsideNow(): never {
  throw outside
}
