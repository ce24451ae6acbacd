import { useBench } from '../context.ts'
import { exactTime } from '../moments.ts'

/** While the patient is still answering: where they are, and a beam of light that grows with the interview. */
export function Following() {
  const { words, picture } = useBench()
  const { now, session, interview } = picture
  if (!now || !session.ongoing) return null
  const answered = interview.filter(({ counts }) => counts).length
  const share = Math.round((100 * answered) / Math.max(1, answered + now.left))
  const parts = [
    now.question ? words.nowAt(now.question) : words.reading,
    now.question && now.left > 0 ? words.left(now.left) : null,
    now.lastTimestamp ? exactTime(words, picture, now.lastTimestamp) : null,
  ]
  return (
    <div class="following">
      <progress class="beam" max={100} value={share} aria-label={words.answering} />
      <p>
        <strong>
          <span class="lamp" aria-hidden="true" />
          {words.answering}
        </strong>
        <span>{parts.filter(Boolean).join(' · ')}</span>
      </p>
    </div>
  )
}
