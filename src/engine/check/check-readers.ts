import type { ContentFile, ContentProblem } from '../compile/document.ts'
import { type CompiledRelease, LANGUAGES } from '../content.ts'
import { headerOf } from '../own-words/reader/model.ts'
import { examplesHash, examplesIn } from '../own-words/reader/train/examples.ts'

const TRAIN = 'run fyr content train'

/** Whether each trained reader is of exactly the examples beside it, and hears what the release knows. */
export function checkReaders(files: readonly ContentFile[], release: CompiledRelease): ContentProblem[] {
  const kinds = new Set(release.dangers.map(({ id }) => id))
  return LANGUAGES.flatMap((language) => {
    const file = `content/own-words/${language}.model`
    const examples = examplesIn(files, language)
    const reader = release.readers[language]
    const problems: string[] = []
    const header = reader === undefined ? undefined : headerOf(Uint8Array.fromBase64(reader))
    const isWritten = examples.some(({ kind }) => kind !== undefined)
    if (!header && isWritten) problems.push(`The examples in ${language} have no trained reader: ${TRAIN}.`)
    if (header && header.trainedOn !== examplesHash(files, release, language))
      problems.push(`The reader was not trained on the examples in ${language} as they are now: ${TRAIN}.`)
    for (const kind of new Set(examples.flatMap(({ kind }) => kind ?? []))) {
      if (!kinds.has(kind))
        problems.push(`There are examples of "${kind}", which own-words/dangers.yaml does not know: add it there.`)
    }
    return problems.map((message) => ({ file, line: 1, message }))
  })
}
