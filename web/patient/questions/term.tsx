import { useState } from 'preact/hooks'
import type { QuestionView } from '../api.ts'
import { Later } from './later.tsx'

const drawings = () => import('./drawings.tsx')

/** What a word in a row means, for whoever asks; with a drawing where words describe it badly. */
export function Term({ summary, sign }: { summary: string; sign: QuestionView }) {
  const [isOpen, open] = useState(false)
  const { help, drawing, text } = sign
  if (!help && !drawing) return null
  return (
    <details class="term" onToggle={(event) => open(event.currentTarget.open)}>
      <summary aria-label={`${summary} ${text}`}>{summary}</summary>
      <div class="term-body">
        {help && <p>{help}</p>}
        {isOpen && drawing && (
          <Later load={drawings}>
            {({ DRAWINGS }) => {
              const Drawing = DRAWINGS[drawing]
              return <Drawing />
            }}
          </Later>
        )}
      </div>
    </details>
  )
}
