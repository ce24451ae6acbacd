import { type ContentFile, type Located, type Problems, readDocument } from '../../../compile/document.ts'
import type { CompiledRelease, Language } from '../../../content.ts'
import { LANGUAGE_RULES } from '../../rules.ts'

/** Something a patient may write, and what is known of it. What is left out is not known: it may be so or not. */
export interface Example {
  readonly text: string
  readonly isDanger?: boolean
  readonly kind?: string
  readonly complaints?: readonly string[]
  /** What an example of danger most likely is an example of as well. */
  readonly likely?: string
  /** From the lists of danger: trained on, never held out. */
  readonly isListed?: true
}

/** Where the examples of a language stand; `phrases` are those whose hearing the tests hold. */
const PLACE =
  /(?:^|\/)(?:own-words\/(en|fi|no|sv)\/(?:(dangers|complaints)\/([a-z0-9-]+)|(harmless))\.txt|own-words\/(en|fi|no|sv)\/senses\.yaml|phrases\/(en|fi|no|sv)\.yaml)$/

/** All examples of a language, in the order of their files and lines. */
export function examplesIn(files: readonly ContentFile[], language: Language): Example[] {
  return ofLanguage(files, language).flatMap(({ path, text }) => {
    const [, , folder, id = ''] = PLACE.exec(path) ?? []
    if (path.endsWith('senses.yaml')) return []
    if (path.endsWith('.yaml')) return phrasesIn({ path, text })
    const lines = text.split('\n').map((line) => line.trim())
    return lines
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line): Example => {
        if (folder === 'dangers') return { text: line, isDanger: true, kind: id }
        return folder === 'complaints' ? { text: line, complaints: [id] } : { text: line, isDanger: false }
      })
  })
}

/**
 * What tells one state of all that a reader is trained by from every other: examples, senses, grammar, and the words that tell of danger or of a sign. Those of
 * every language, since an international word is found in the lists of another.
 */
export function examplesHash(
  files: readonly ContentFile[],
  release: Pick<CompiledRelease, 'danger' | 'dangers' | 'heard'>,
  language: Language,
): string {
  // Of the kinds of danger only what is learned: which signs are asked about one is free to change.
  const kinds = release.dangers.map(({ id, complaint }) => [id, complaint])
  const grammar = {
    path: language,
    text: JSON.stringify([LANGUAGE_RULES, release.danger, release.heard, kinds], inFull),
  }
  let [a, b] = [0x811c9dc5, 0x1b873593]
  for (const { path, text } of [grammar, ...ofLanguage(files, language)]) {
    const all = `${path}\n${text}\0`
    for (let at = 0; at < all.length; at++) {
      const code = all.charCodeAt(at)
      a = Math.imul(a ^ code, 0x01000193)
      b = Math.imul((b ^ code) + (b << 7), 0xcc9e2d51) ^ (b >>> 15)
    }
  }
  const hex = (number: number) => (number >>> 0).toString(16).padStart(8, '0')
  return hex(a) + hex(b)
}

const inFull = (_: string, value: unknown) => (value instanceof Map || value instanceof Set ? [...value] : value)

function ofLanguage(files: readonly ContentFile[], language: Language): ContentFile[] {
  return files
    .filter(({ path }) => {
      const [, own, , , , senses, phrases] = PLACE.exec(path) ?? []
      return (own ?? senses ?? phrases) === language
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1))
}

function phrasesIn(file: ContentFile): Example[] {
  const problems: Problems = []
  const root = readDocument(file, problems)
  const list = root?.kind === 'map' ? root.entries.get('phrases') : undefined
  return (list?.kind === 'list' ? list.items : []).flatMap((item) => {
    const say = textsIn(item, 'say')[0]
    const is = textsIn(item, 'is')
    if (say === undefined) return []
    if (is.includes('danger')) return { text: say, isDanger: true }
    const isEither = textsIn(item, 'danger').includes('either')
    const known = is.filter((id) => id !== 'harmless' && id !== 'general')
    return { text: say, ...(!isEither && { isDanger: false }), ...(known.length > 0 && { complaints: known }) }
  })
}

function textsIn(node: Located, key: string): string[] {
  const value = node.kind === 'map' ? node.entries.get(key) : undefined
  const parts = value?.kind === 'list' ? value.items : value ? [value] : []
  return parts.flatMap((part) => (part.kind === 'scalar' ? String(part.value) : []))
}
