import { useEffect, useState } from 'preact/hooks'
import { useBench } from '../context.ts'
import { exactTime } from '../moments.ts'

/** Whoever has not answered for so long has perhaps gone. */
const QUIET_MS = 120_000
const LOOK_AGAIN_MS = 15_000

/** Whether nothing was heard for a while; the clock goes on where nothing else happens. */
function useQuiet(since: string | null): boolean {
  const [, lookAgain] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => lookAgain((looks) => looks + 1), LOOK_AGAIN_MS)
    return () => clearInterval(timer)
  }, [])
  return since !== null && Date.now() - Date.parse(since) > QUIET_MS
}

/** While the patient is still answering: where they are, and a beam of light that grows with the interview. */
export function Following() {
  const { words, picture } = useBench()
  const { now, session, interview } = picture
  const isQuiet = useQuiet(now?.lastTimestamp ?? null)
  if (!now || !session.ongoing) return null
  const answered = interview.filter(({ counts }) => counts).length
  const share = Math.round((100 * answered) / Math.max(1, answered + now.left))
  const parts = [
    now.question ? words.nowAt(now.question) : words.reading,
    now.question && now.left > 0 ? words.left(now.left) : null,
    now.lastTimestamp ? words.lastAnswer(exactTime(words, picture, now.lastTimestamp)) : null,
  ]
  const state = isQuiet ? words.unfinished : words.answering
  return (
    <div class={isQuiet ? 'following quiet' : 'following'}>
      <progress class="beam" max={100} value={share} aria-label={state} />
      <p>
        <strong>
          <span class="lamp" aria-hidden="true" />
          {state}
        </strong>
        <span>{parts.filter(Boolean).join(' · ')}</span>
      </p>
    </div>
  )
}
