import {
  boolCoreTag,
  EVENT_ID,
  type Event,
  floatCoreTag,
  getScalarValue,
  intCoreTag,
  NOT_RESOLVED,
  nullCoreTag,
  parseEvents,
  SCALAR_STYLE,
  type ScalarEvent,
  YAMLException,
} from 'js-yaml'
import type { SourceLine } from '../content.ts'
import { lineToMend } from './faulty-line.ts'

export interface ContentFile {
  readonly path: string
  readonly text: string
}

/** A fault in the content: what, where, and what to do about it. */
export interface ContentProblem {
  readonly file: string
  readonly line: number
  readonly message: string
}

export type Problems = ContentProblem[]

/** A piece of a YAML file with its position: the line of its key, where the author looks. */
export type Located =
  | { readonly kind: 'map'; readonly place: SourceLine; readonly entries: ReadonlyMap<string, Located> }
  | { readonly kind: 'list'; readonly place: SourceLine; readonly items: readonly Located[] }
  | {
      readonly kind: 'scalar'
      readonly place: SourceLine
      readonly value: unknown
      /** As written, and the line on which that begins. */
      readonly source: string
      readonly sourceLine: number
    }

type Tell = (line: number, message: string) => void

/** Reads one YAML file; an unreadable one is reported as a problem and gives `undefined`. */
export function readDocument({ path, text }: ContentFile, problems: Problems): Located | undefined {
  const tell: Tell = (line, message) => problems.push({ file: path, line, message })
  const events = eventsOf(text, tell)
  if (!events) return undefined
  const lineOf = lineCounter(text)
  let at = 1 // the first event opens the document

  /** The next node. Its line is its own or that of its key; a node without text takes the line of its container. */
  const node = (outer: number, isKeyLine = false): Located => {
    const event = events[at++]
    const place = (own: number): SourceLine => [path, isKeyLine ? outer : own]
    if (event?.type === EVENT_ID.MAPPING) {
      const line = lineOf(event.start)
      return { kind: 'map', place: place(line), entries: entries(line) }
    }
    if (event?.type === EVENT_ID.SEQUENCE) {
      const line = lineOf(event.start)
      const items: Located[] = []
      while (isInside()) items.push(node(line))
      at++
      return { kind: 'list', place: place(line), items }
    }
    if (event?.type === EVENT_ID.SCALAR && event.valueStart >= 0) {
      const line = lineOf(event.valueStart)
      const source = text.slice(event.valueStart, event.valueEnd)
      return {
        kind: 'scalar',
        place: place(isBlock(event) ? line - 1 : line),
        value: typedValue(text, event),
        source,
        sourceLine: line,
      }
    }
    return { kind: 'scalar', place: place(outer), value: null, source: '', sourceLine: outer }
  }
  const entries = (outer: number): Map<string, Located> => {
    const found = new Map<string, Located>()
    while (isInside()) {
      const key = events[at]
      const isWord = key?.type === EVENT_ID.SCALAR && key.valueStart >= 0
      const line = isWord ? lineOf(key.valueStart) : key && 'start' in key ? lineOf(key.start) : outer
      const name = isWord ? getScalarValue(text, key) : ''
      if (isWord) at++
      else node(outer)
      const value = node(line, true)
      if (!isWord) tell(line, 'A key must be a word.')
      else if (found.has(name)) tell(line, 'This key stands here twice: remove one or rename it.')
      else found.set(name, value)
    }
    at++
    return found
  }
  const isInside = () => at < events.length && events[at]?.type !== EVENT_ID.POP
  return node(1)
}

/** The parser's events, in order; YAML features that content does not use are reported. */
function eventsOf(text: string, tell: Tell): Event[] | undefined {
  let events: Event[]
  try {
    events = parseEvents(text, {})
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    const line = lineToMend(text.split('\n'), error.mark?.line ?? 0, error.reason) + 1
    tell(
      line,
      `This is not valid YAML: ${error.reason}. Check quotes, colons and indentation (a text with ": " or a leading quote needs quotes around it).`,
    )
    return undefined
  }
  const lineOf = lineCounter(text)
  for (const event of events) {
    if (!('anchorStart' in event)) continue
    const start = Math.max(event.anchorStart, 'tagStart' in event ? event.tagStart : -1)
    if (start >= 0) tell(lineOf(start), 'Write the text out: YAML anchors, aliases and tags are not used here.')
  }
  if (events.filter(({ type }) => type === EVENT_ID.DOCUMENT).length < 2) return events
  tell(lineOf(text.lastIndexOf('\n---') + 1), 'This begins a second document: a file has one. Remove the "---".')
  return undefined
}

const TYPED = [nullCoreTag, boolCoreTag, intCoreTag, floatCoreTag]
/** Certainly text: no number, boolean or null. The first letter or the first space decides for nearly every text. */
const SURELY_TEXT = /^[^-+.~\dntf]|\s/i

/** Unquoted text may be a number, true, false or null, by YAML's core schema. */
function typedValue(text: string, event: ScalarEvent): unknown {
  const value = getScalarValue(text, event)
  if (event.style !== SCALAR_STYLE.PLAIN || SURELY_TEXT.test(value)) return value
  for (const tag of TYPED) {
    const typed = tag.resolve(value, false, tag.tagName)
    if (typed !== NOT_RESOLVED) return typed
  }
  return value
}

const isBlock = ({ style }: ScalarEvent): boolean =>
  style === SCALAR_STYLE.LITERAL_BLOCK || style === SCALAR_STYLE.FOLDED_BLOCK

/** Returns the line of an offset in the text, counted from 1; offsets must be asked for in ascending order. */
function lineCounter(text: string): (offset: number) => number {
  let line = 1
  let end = text.indexOf('\n')
  return (offset) => {
    for (; end >= 0 && end < offset; end = text.indexOf('\n', end + 1)) line++
    return line
  }
}
