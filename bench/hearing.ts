// Hears texts as a service does: in a process that has loaded a compiled release and not compiled it.
import { readFileSync } from 'node:fs'
import type { Language } from '../src/engine/content.ts'
import { loadContent } from '../src/engine/load.ts'
import { hear } from '../src/engine/own-words/hear.ts'

/** The compiled release is in a file; each text is heard once, in this order. */
export type Job = { releaseFile: string; texts: { language: Language; text: string }[] }
/** How long each text took. */
export type Report = { times: number[] }

process.once('message', ({ releaseFile, texts }: Job) => {
  const { release } = loadContent(JSON.parse(readFileSync(releaseFile, 'utf8')))
  const times = texts.map(({ language, text }) => {
    const start = performance.now()
    hear(release, text, language, () => true)
    return performance.now() - start
  })
  process.send?.({ times } satisfies Report)
  process.disconnect?.()
})
