import type { ContentFile } from '../../../compile/document.ts'
import type { CompiledRelease, Language } from '../../../content.ts'
import { listedIn, readInAll } from '../../lists/danger.ts'
import { LANGUAGE_RULES } from '../../rules.ts'
import { type Example, examplesHash, examplesIn } from './examples.ts'
import { type HeldOut, holdOut } from './hold-out.ts'
import { readExamples, train } from './train.ts'

/** Trains the reader of one language on the examples of a content folder; undefined when there is no danger or nothing harmless among them. */
export function trainReader(
  files: readonly ContentFile[],
  release: CompiledRelease,
  language: Language,
): { bytes: Uint8Array; figures: HeldOut } | undefined {
  const likely = new Map(release.dangers.map(({ id, complaint }) => [id, complaint]))
  const examples = examplesIn(files, language).map((example): Example => {
    const complaint = example.kind === undefined ? undefined : likely.get(example.kind)
    return complaint === undefined ? example : { ...example, likely: complaint }
  })
  if (!examples.some(({ kind }) => kind !== undefined) || !examples.some(({ isDanger }) => isDanger === false))
    return undefined
  const listed = release.danger[language].map((text): Example => ({ text, isDanger: true, isListed: true }))
  const senses = release.senses[language]
  const read = readExamples([...examples, ...listed], LANGUAGE_RULES[language], senses, (text) =>
    listedIn(release, readInAll(release, text), language),
  )
  const { thresholds, figures } = holdOut(read, language, senses)
  return { bytes: train(read, examplesHash(files, release, language), thresholds), figures }
}
