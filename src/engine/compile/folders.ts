import { LANGUAGES, type Language } from '../content.ts'
import { type ContentFile, type Located, readDocument } from './document.ts'
import type { Reading } from './reading.ts'
import type { WordsFile } from './words.ts'

export interface Folder {
  readonly root: Located | undefined
  readonly words: readonly WordsFile[]
  /** Languages whose file exists but cannot be read; already reported. */
  readonly unreadable: readonly Language[]
}

export interface Folders {
  readonly release: Located | undefined
  readonly shared: Folder | undefined
  /** What names of medicines tell. */
  readonly medicines: Located | undefined
  readonly signs: Folder | undefined
  /** What can be heard in own words. */
  readonly ownWords: Folder | undefined
  /** Words that point the same way for the trained readers. */
  readonly senses: ReadonlyMap<Language, Located>
  /** The trained readers of own words, in base64. */
  readonly readers: ReadonlyMap<Language, ContentFile>
  readonly complaints: ReadonlyMap<string, Folder>
  readonly cases: ReadonlyMap<string, Located>
}

const PLACES =
  /(?:^|\/)(?:(release)|(shared|signs|own-words)\/(questions|medicines|signs|dangers|en|fi|no|sv)|complaints\/([^/]+)\/(complaint|cases|en|fi|no|sv))\.yaml$/

/** Examples of what patients write; only training reads them. */
const EXAMPLES =
  /(?:^|\/)(?:own-words\/(?:en|fi|no|sv)\/(?:(?:dangers|complaints)\/[a-z0-9-]+|harmless)\.txt|phrases\/(?:en|fi|no|sv)\.yaml)$/
const SENSES = /(?:^|\/)own-words\/(en|fi|no|sv)\/senses\.yaml$/
const READER = /(?:^|\/)own-words\/(en|fi|no|sv)\.model$/

/** Assigns every file of the content folder to its complaint or shared folder; complaints are ordered by name. */
export function sortFiles(files: readonly ContentFile[], reading: Reading): Folders {
  let release: Located | undefined
  let medicines: Located | undefined
  const folders = new Map<string, { root: Located | undefined; words: WordsFile[]; unreadable: Language[] }>()
  const cases = new Map<string, Located>()
  const readers = new Map<Language, ContentFile>()
  const senses = new Map<Language, Located>()
  for (const file of [...files].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const reader = READER.exec(file.path)?.[1]
    if (reader) readers.set(reader as Language, file)
    const sensed = SENSES.exec(file.path)?.[1]
    const read = sensed && readDocument(file, reading.problems)
    if (read) senses.set(sensed as Language, read)
    if (reader || sensed || EXAMPLES.test(file.path)) continue
    const place = PLACES.exec(file.path)
    if (!place) {
      reading.problem(
        [file.path, 1],
        'This file has no place in the content folder: see "Where things are" in docs/content.md.',
      )
      continue
    }
    const root = readDocument(file, reading.problems)
    const [, isRelease, sharedFolder, sharedName, complaint, complaintName] = place
    const name = sharedName ?? complaintName ?? ''
    // A complaint's name has no slash, so the two cannot collide.
    const at = complaint ?? `${sharedFolder}/`
    const folder = folders.get(at) ?? { root: undefined, words: [], unreadable: [] }
    const language = LANGUAGES.find((one) => one === name)
    if (isRelease) release = root
    else folders.set(at, folder)
    if (!root && language) folder.unreadable.push(language)
    if (isRelease || !root) continue
    if (name === 'cases') cases.set(complaint ?? '', root)
    else if (name === 'medicines') medicines = root
    else if (language) folder.words.push({ language, file: file.path, root })
    else folder.root = root
  }
  const take = (folder: string) => {
    const taken = folders.get(folder)
    folders.delete(folder)
    return taken
  }
  const [shared, signs, ownWords] = [take('shared/'), take('signs/'), take('own-words/')]
  return { release, shared, medicines, signs, ownWords, senses, readers, complaints: folders, cases }
}
