import { dirname, join } from 'node:path'
import { type Source, withoutComments } from './sources.ts'

export type Import = { from: string; to: string; names: string; isType: boolean; isOurs: boolean }

/** What a file imports: ours by its path from the root, packages by their name. */
export function importsOf({ path, text }: Source): Import[] {
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

/** The names that an import takes, and what they are called where they come from. A type is nothing that can be run. */
export function namesIn(names: string): { local: string; name: string }[] {
  const inBraces = /\{([\s\S]*)\}/.exec(names)?.[1] ?? ''
  return inBraces
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '' && !part.startsWith('type '))
    .map((part) => {
      const [name = '', local = name] = part.split(/\s+as\s+/)
      return { local, name }
    })
}
