import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml'
import type { SourceLine } from '../content.ts'
import { readPlainYaml } from './plain-yaml.ts'

export interface ContentFile {
  readonly path: string
  readonly text: string
}

/** What is wrong in the content, where, and what to do about it. */
export interface ContentProblem {
  readonly file: string
  readonly line: number
  readonly message: string
}

export type Problems = ContentProblem[]

/** A piece of a YAML file that still knows where it was written. */
export type Located =
  | { readonly kind: 'map'; readonly place: SourceLine; readonly entries: ReadonlyMap<string, Located> }
  | { readonly kind: 'list'; readonly place: SourceLine; readonly items: readonly Located[] }
  | { readonly kind: 'scalar'; readonly place: SourceLine; readonly value: unknown; readonly source: string }

/** Reads one YAML file; what cannot be read is a problem and gives `undefined`. */
export function readDocument(file: ContentFile, problems: Problems): Located | undefined {
  return readPlainYaml(file.path, file.text) ?? readAnyYaml(file, problems)
}

/** Reads with the full parser: all of YAML, and every mistake with its line. */
export function readAnyYaml(file: ContentFile, problems: Problems): Located | undefined {
  const lines = new LineCounter()
  const document = parseDocument(file.text, { lineCounter: lines, prettyErrors: false })
  for (const error of document.errors) {
    const opening = error.message.includes('Missing closing') ? lineOfOpenQuote(file.text) : undefined
    const line = opening ?? lines.linePos(error.pos[0]).line
    problems.push({ file: file.path, line, message: yamlMessage(error.code, error.message) })
  }
  if (document.errors.length > 0) return undefined
  const lineOf = (offset: number | undefined) => (offset === undefined ? 1 : lines.linePos(offset).line)

  const locate = (node: unknown, fallback: number): Located => {
    if (isMap(node)) {
      const line = lineOf(node.range?.[0]) || fallback
      const entries = new Map<string, Located>()
      for (const pair of node.items) {
        const key = isScalar(pair.key) ? String(pair.key.value) : String(pair.key)
        const keyLine = isScalar(pair.key) ? lineOf(pair.key.range?.[0]) : line
        entries.set(key, atLine(locate(pair.value, keyLine), keyLine))
      }
      return { kind: 'map', place: [file.path, line], entries }
    }
    if (isSeq(node)) {
      const line = lineOf(node.range?.[0]) || fallback
      return { kind: 'list', place: [file.path, line], items: node.items.map((item) => locate(item, line)) }
    }
    if (isScalar(node)) {
      const line = lineOf(node.range?.[0]) || fallback
      const source = node.range ? file.text.slice(node.range[0], node.range[1]) : ''
      return { kind: 'scalar', place: [file.path, line], value: node.value, source }
    }
    if (isAlias(node)) {
      const line = lineOf(node.range?.[0])
      problems.push({
        file: file.path,
        line,
        message: 'Write the text out: YAML anchors and aliases are not used in content.',
      })
    }
    return { kind: 'scalar', place: [file.path, fallback], value: null, source: '' }
  }
  return locate(document.contents, 1)
}

/** A value is best named by the line of its key, which is where the author looks. */
function atLine(node: Located, line: number): Located {
  return node.place[1] === line ? node : { ...node, place: [node.place[0], line] }
}

/** The parser names the end of the file when a quote is never closed; the author looks for the line where it opens. */
function lineOfOpenQuote(text: string): number | undefined {
  const at = text.split('\n').findIndex((line) => /(?:^|[:,[{-])\s+(["'])(?:(?!\1).)*$/.test(line.replace(/''/g, '')))
  return at < 0 ? undefined : at + 1
}

function yamlMessage(code: string, message: string): string {
  if (code === 'DUPLICATE_KEY') return 'This key stands here twice: remove one or rename it.'
  return `This is not valid YAML: ${message} Check quotes, colons and indentation (a text with ": " or a leading quote needs quotes around it).`
}
