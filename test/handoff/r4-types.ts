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

const FOLDER = new URL('../../', import.meta.url).pathname
const kept = new Map<string, ts.SourceFile | undefined>()

/**
 * Holds resources against the R4 definitions as @types/fhir has them, by writing each as a literal of its type for the
 * compiler: unknown elements, missing required ones, wrong kinds and codes outside a required value set are errors.
 */
export function typeFaults(resources: readonly { resourceType: string }[]): string[][] {
  const files = new Map(resources.map((resource, at) => [`${FOLDER}r4-${at}.ts`, sourceOf(resource)]))
  const host = ts.createCompilerHost(OPTIONS)
  const read = host.getSourceFile.bind(host)
  const isOurs = (path: string) => files.has(path)
  host.fileExists = (path) => isOurs(path) || ts.sys.fileExists(path)
  host.getSourceFile = (path, options) => {
    const text = files.get(path)
    if (text !== undefined) return ts.createSourceFile(path, text, options)
    if (!kept.has(path)) kept.set(path, read(path, options))
    return kept.get(path)
  }
  const program = ts.createProgram([...files.keys()], OPTIONS, host)
  return [...files.keys()].map((path) => {
    const file = program.getSourceFile(path)
    return [...program.getSemanticDiagnostics(file), ...program.getSyntacticDiagnostics(file)].map(({ messageText }) =>
      ts.flattenDiagnosticMessageText(messageText, ' ').slice(0, 300),
    )
  })
}

/** What a bundle holds is looked at piece by piece, so that each is named by its own type. */
function sourceOf(resource: { resourceType: string; entry?: unknown }): string {
  const type = /^[A-Z]\w+$/.test(resource.resourceType) ? resource.resourceType : 'unknownType'
  const isBundle = type === 'Bundle' && Array.isArray(resource.entry)
  const plain = isBundle ? { ...resource, entry: withoutResources(resource.entry) } : resource
  const named = isBundle ? 'Bundle<{ resourceType: string }>' : type
  return `import type { ${type} } from 'fhir/r4.js'\nexport const resource: ${named} = ${JSON.stringify(plain, null, 1)}\n`
}

const withoutResources = (entries: unknown): unknown[] =>
  (entries as { resource?: { resourceType: string } }[]).map(({ resource, ...entry }) => ({
    ...entry,
    ...(resource && { resource: { resourceType: resource.resourceType } }),
  }))
