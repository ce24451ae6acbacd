import { useState } from 'preact/hooks'
import type { Language } from '../../../src/engine/content.ts'
import { useBench } from '../context.ts'
import { tellHost } from '../host.ts'

export type Copying = {
  copy: () => void
  /** The result of the last copy. */
  outcome: 'none' | 'busy' | 'copied' | 'failed'
  /** The text itself, when the browser does not let a page copy. */
  byHand: string | null
  forget: () => void
}

/** Puts the summary on the clipboard: exactly the text that the interface gives. */
export function useCopy(language: Language): Copying {
  const { words, connection, say } = useBench()
  const [outcome, setOutcome] = useState<Copying['outcome']>('none')
  const [byHand, setByHand] = useState<string | null>(null)

  const copy = async () => {
    setOutcome('busy')
    setByHand(null)
    // Started before the text is there: some browsers allow writing to the clipboard only from a key press or click.
    const text = connection.read<{ data: string }>(`/summary?language=${language}`).then(({ data }) => data)
    try {
      await write(text)
      setOutcome('copied')
      say(words.copied)
      tellHost('copied')
    } catch {
      const fetched = await text.catch(() => null)
      setByHand(fetched)
      setOutcome('failed')
      say(fetched === null ? words.copyFailed : words.copyByHand)
    }
  }
  return { copy: () => void copy(), outcome, byHand, forget: () => setByHand(null) }
}

async function write(text: Promise<string>): Promise<void> {
  if (typeof ClipboardItem === 'function' && navigator.clipboard?.write) {
    const blob = text.then((plain) => new Blob([plain], { type: 'text/plain' }))
    try {
      return await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
    } catch {
      await text // if fetching it failed too, that is the error to report
    }
  }
  writeTheOldWay(await text)
}

/** For frames and pages without https, which have no clipboard API. */
function writeTheOldWay(text: string): void {
  const area = document.createElement('textarea')
  const before = document.activeElement
  area.value = text
  area.className = 'unseen'
  document.body.append(area)
  area.select()
  const isDone = document.execCommand('copy')
  area.remove()
  if (before instanceof HTMLElement) before.focus({ preventScroll: true })
  if (!isDone) throw new Error('not allowed')
}
