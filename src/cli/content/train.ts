import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LANGUAGES, type Language } from '../../engine/content.ts'
import { headerOf } from '../../engine/own-words/reader/model.ts'
import { examplesHash } from '../../engine/own-words/reader/train/examples.ts'
import type { HeldOut } from '../../engine/own-words/reader/train/hold-out.ts'
import { trainReader } from '../../engine/own-words/reader/train/trainer.ts'
import { filesIn, folderAt, releaseIn } from './open.ts'

/** What came of training one language. */
export type Trained =
  | { language: Language; result: 'none' }
  | { language: Language; result: 'current' }
  | { language: Language; result: 'trained'; kilobytes: number; seconds: number; figures: HeldOut }

/** Trains the reader of each language whose examples changed, and writes it beside them. Each is written at once: who stops goes on with the next. */
export async function trainReaders(
  folder: string | undefined,
  again: boolean,
  tell: (one: Trained) => void,
): Promise<Trained[]> {
  const files = await filesIn(folder)
  const release = await releaseIn(folder)
  const done: Trained[] = []
  for (const language of LANGUAGES) {
    const one = await trainOne(language)
    done.push(one)
    tell(one)
  }
  return done

  async function trainOne(language: Language): Promise<Trained> {
    const before = release.readers[language]
    const header = before === undefined ? undefined : headerOf(Uint8Array.fromBase64(before))
    if (!again && header?.trainedOn === examplesHash(files, release, language)) return { language, result: 'current' }
    const startedAt = performance.now()
    const trained = trainReader(files, release, language)
    if (!trained) return { language, result: 'none' }
    await writeFile(join(folderAt(folder), 'own-words', `${language}.model`), trained.bytes)
    return {
      language,
      result: 'trained',
      kilobytes: Math.round(trained.bytes.length / 1000),
      seconds: Math.round((performance.now() - startedAt) / 1000),
      figures: trained.figures,
    }
  }
}

const percent = (share: number) => `${(share * 100).toFixed(1)} %`

/** What came of it, for reading: on examples that were held out, each once. */
export function trainedText(one: Trained): string {
  if (one.result === 'none') return `${one.language}: there are no examples of danger and of the harmless to train on`
  if (one.result === 'current') return `${one.language}: trained on these examples already`
  const { figures } = one
  return [
    `${one.language}: ${one.kilobytes} kB in ${one.seconds} s; of examples held out:`,
    `  of ${figures.dangers} dangers led with ${percent(figures.led)}, asked about first ${percent(figures.asked)}, of the right kind ${percent(figures.rightKind)}`,
    `  of ${figures.harmless} harmless ones led with ${percent(figures.falselyLed)}, asked about first ${percent(figures.falselyAsked)}`,
    `  of ${figures.complaints} complaints the right one first ${percent(figures.first)}, among three ${percent(figures.amongThree)}`,
  ].join('\n')
}
