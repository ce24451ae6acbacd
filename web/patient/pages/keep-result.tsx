import { useState } from 'preact/hooks'
import { Icon } from '../../ui/icons.tsx'
import { credentialHeaders } from '../api.ts'
import { useJourney } from '../context.ts'
import { referenceOf, resultText, type Told } from '../result-text.ts'

/** Ways to take the result along: as a PDF, to someone else, on paper. */
export function KeepResult({ told }: { told: Told }) {
  const { journey, words } = useJourney()
  const { result } = words
  const [said, say] = useState('')
  const trying = async (work: () => Promise<string>) => {
    say('')
    try {
      say(await work())
    } catch {
      say(result.failed)
    }
  }
  const save = async () => {
    const reply = await fetch('/api/triage/v1/session/pdf', { headers: credentialHeaders(journey.credential) })
    if (!reply.ok) throw new Error(`refused with ${reply.status}`)
    handOver(await reply.blob(), `fyr-${referenceOf(told.view.sessionId).replace(' ', '-')}.pdf`)
    return ''
  }
  const share = async () => {
    const text = resultText(told)
    try {
      await navigator.share({ title: told.outcome.title, text })
      return ''
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') return '' // the user thought better of it
      // This browser cannot share, or not here: then it is copied.
      await navigator.clipboard.writeText(text)
      return result.copied
    }
  }
  return (
    <>
      <div class="leaving-row">
        <button type="button" class="secondary" onClick={() => void trying(save)}>
          <Icon name="save" />
          {result.pdf}
        </button>
        <button type="button" class="secondary" onClick={() => void trying(share)}>
          <Icon name="share" />
          {result.share}
        </button>
        <button type="button" class="secondary" onClick={() => print()}>
          <Icon name="print" />
          {result.print}
        </button>
      </div>
      <p class="hint" role="status">
        {said}
      </p>
    </>
  )
}

/** Hands bytes over as a file. */
function handOver(bytes: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(bytes)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
