import ts from 'typescript'

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
  lib: ['lib.es5.d.ts'],
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
}

const FILE = new URL('../../r4-resources.ts', import.meta.url).pathname
const kept = new Map<string, ts.SourceFile | undefined>()

/**
 * Holds resources against the R4 definitions as @types/fhir has them, by writing each as a literal of its type for the
 * compiler: unknown elements, missing required ones, wrong kinds and codes outside a required value set are errors.
 */
export function typeFaults(resources: readonly { resourceType: string }[]): string[][] {
  const shapes = new Map(resources.map((resource) => [shapeOf(resource), resource]))
  const found = compiledFaults([...shapes.values()])
  const faults = new Map([...shapes.keys()].map((shape, at) => [shape, found[at] ?? []]))
  return resources.map((resource) => faults.get(shapeOf(resource)) ?? [])
}

/** Two resources that differ only in free text are the same to a type. What could be a code stays as it is. */
const shapeOf = (resource: object): string =>
  JSON.stringify(resource, (_name, value) =>
    typeof value === 'number' ? 0 : typeof value === 'string' && !/^[A-Za-z-]{1,40}$/.test(value) ? ' ' : value,
  )

function compiledFaults(resources: readonly { resourceType: string }[]): string[][] {
  const lines = ["import type * as R4 from 'fhir/r4.js'", ...resources.map(lineOf)]
  const file = ts.createSourceFile(FILE, lines.join('\n'), ts.ScriptTarget.ESNext)
  const host = ts.createCompilerHost(OPTIONS)
  const read = host.getSourceFile.bind(host)
  host.fileExists = (path) => path === FILE || ts.sys.fileExists(path)
  host.getSourceFile = (path, options) => {
    if (path === FILE) return file
    if (!kept.has(path)) kept.set(path, read(path, options))
    return kept.get(path)
  }
  const program = ts.createProgram([FILE], OPTIONS, host)
  const faults = resources.map((): string[] => [])
  for (const { messageText, start = 0 } of [
    ...program.getSyntacticDiagnostics(file),
    ...program.getSemanticDiagnostics(file),
  ]) {
    const line = file.getLineAndCharacterOfPosition(start).line
    faults[line - 1]?.push(ts.flattenDiagnosticMessageText(messageText, ' ').slice(0, 300))
    if (line === 0) throw new Error('The R4 definitions are not there.')
  }
  return faults
}

/** One line for each; what a bundle holds is looked at piece by piece, so that each is named by its own type. */
function lineOf(resource: { resourceType: string; entry?: unknown }, at: number): string {
  const { resourceType: type } = resource
  const isBundle = type === 'Bundle' && Array.isArray(resource.entry)
  const plain = isBundle ? { ...resource, entry: withoutResources(resource.entry) } : resource
  const named = isBundle ? 'R4.Bundle<{ resourceType: string }>' : `R4.${type}`
  return `export const resource${at}: ${named} = ${JSON.stringify(plain)}`
}

const withoutResources = (entries: unknown): unknown[] =>
  (entries as { resource?: { resourceType: string } }[]).map(({ resource, ...entry }) => ({
    ...entry,
    ...(resource && { resource: { resourceType: resource.resourceType } }),
  }))
