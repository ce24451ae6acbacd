import type { ContentFile } from '../../compile/document.ts'
import type { CompiledRelease, Language } from '../../content.ts'
import { dangersIn, readInAll, signsIn } from '../danger.ts'
import { cutUp } from '../read.ts'
import { LANGUAGE_RULES } from '../rules.ts'
import { examplesHash, examplesIn } from './examples.ts'
import { type HeldOut, holdOut } from './hold-out.ts'
import { readExamples, train } from './train.ts'

/** Trains the reader of one language on the examples of a content folder; undefined when there is no danger or nothing harmless among them. */
export function trainReader(
  files: readonly ContentFile[],
  release: CompiledRelease,
  language: Language,
): { bytes: Uint8Array; figures: HeldOut } | undefined {
  const examples = examplesIn(files, language)
  if (!examples.some(({ kind }) => kind !== undefined) || !examples.some(({ isDanger }) => isDanger === false))
    return undefined
  const read = readExamples(examples, LANGUAGE_RULES[language])
  const isListed = (text: string) => {
    const readings = readInAll(cutUp(text))
    return signsIn(release, readings, language).length + dangersIn(release, readings, language).length > 0
  }
  const { thresholds, figures } = holdOut(read, language, isListed)
  return { bytes: train(read, examplesHash(files, language), thresholds), figures }
}
