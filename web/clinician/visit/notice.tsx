import { useEffect, useRef } from 'preact/hooks'
import { Sign } from '../signs.tsx'
import type { Words } from '../words/words.ts'
import type { Sight } from './sight.ts'

type Props = { sight: Sight; words: Words; onRetry: () => void }

/** Everything the page says when no patient is shown. */
export function Notice({ sight, words, onRetry }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  const said = saidOf(sight, words)
  useEffect(() => {
    if (sight.kind !== 'opening') heading.current?.focus({ preventScroll: true })
  }, [sight.kind])
  return (
    <main class="notice" aria-busy={sight.kind === 'opening'}>
      <Sign name="lighthouse" size={40} />
      <h1 ref={heading} tabIndex={-1}>
        {said.title}
      </h1>
      {said.text && <p>{said.text}</p>}
      {sight.kind === 'away' && (
        <button type="button" class="button" onClick={onRetry}>
          {words.retry}
        </button>
      )}
    </main>
  )
}

function saidOf(sight: Sight, words: Words): { title: string; text: string } {
  switch (sight.kind) {
    case 'opening':
    case 'showing':
      return { title: words.title, text: words.opening }
    case 'away':
      return { title: words.awayTitle, text: words.awayText }
    case 'ended':
      return { title: words.endedTitle, text: words.endedText }
    case 'refused':
      if (sight.why === 'expired') return { title: words.expiredTitle, text: words.expiredText }
      if (sight.why === 'missing') return { title: words.missingTitle, text: words.missingText }
      return { title: words.noLinkTitle, text: words.noLinkText }
  }
}
