import type { TSchema } from 'typebox'
import { type ContentProblem, type Located, readDocument } from '../../engine/compile/document.ts'
import { choiceFor, type PlacedFault, type Pointer, type SchemaPart, shapeFaults } from '../shape-faults.ts'
import { ClinicFile } from './clinic-file.ts'
import { asFarAsItFits } from './fitting.ts'

export type FileFault = { line: number; path: string; message: string }

/** The file cannot be applied as it is; each fault has its line and its path. */
export class FileFaults extends Error {
  readonly faults: readonly FileFault[]

  constructor(faults: readonly FileFault[]) {
    super('The file has faults.')
    this.faults = faults.toSorted((a, b) => a.line - b.line)
  }
}

/** What a file says as far as it has the right form, where it does not, and a way to tell faults by their place in it. */
export type ReadFile = {
  file: ClinicFile
  faults: readonly PlacedFault[]
  faultAt: (fault: PlacedFault) => FileFault
}

/** Reads a file of accounts, in YAML or JSON, or throws FileFaults where it is neither. */
export function readClinicFile(text: string): ReadFile {
  const unreadable: ContentProblem[] = []
  const root = readDocument({ path: '', text }, unreadable)
  if (!root || unreadable.length > 0)
    throw new FileFaults(unreadable.map(({ line, message }) => ({ line, path: '', message })))
  const schema: TSchema = ClinicFile
  const value = plainOf(root, schema)
  const faults = shapeFaults(schema, value)
  return {
    file: asFarAsItFits(value, faults),
    faults,
    faultAt: ({ at, message }) => ({ line: lineOf(root, at), path: pathText(at), message }),
  }
}

/** The plain value of a piece. A number becomes the text it was written as where only text is taken: 112 is whom to call. */
function plainOf(node: Located, part: SchemaPart): unknown {
  switch (node.kind) {
    case 'scalar': {
      const isText = typeof node.value === 'number' && !choiceFor(part, node.value) && choiceFor(part, node.source)
      return isText ? node.source : node.value
    }
    case 'list': {
      const { items = {} } = choiceFor(part, []) ?? {}
      return node.items.map((item) => plainOf(item, items))
    }
    case 'map': {
      const known = new Map(Object.entries(choiceFor(part, {})?.properties ?? {}))
      return Object.fromEntries([...node.entries].map(([name, inner]) => [name, plainOf(inner, known.get(name) ?? {})]))
    }
  }
}

/** /accounts/0/name as accounts, 0, name. */
export const pointerOf = (path: string): Pointer =>
  path
    .split('/')
    .slice(1)
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part.replaceAll('~1', '/').replaceAll('~0', '~')))

const pathText = (pointer: Pointer): string =>
  pointer.map((part, at) => (typeof part === 'number' ? `[${part}]` : at === 0 ? part : `.${part}`)).join('')

/** The line of a place, or of the nearest that is there around it. */
function lineOf(root: Located, pointer: Pointer): number {
  let node = root
  for (const part of pointer) {
    const inner =
      node.kind === 'map' ? node.entries.get(String(part)) : node.kind === 'list' ? node.items[Number(part)] : undefined
    if (!inner) break
    node = inner
  }
  return node.place[1]
}
