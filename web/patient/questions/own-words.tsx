import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { CallButton } from '../../ui/call.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { Proposals } from '../api.ts'
import { useJourney } from '../context.ts'
import type { ControlProps } from './control.ts'
import { useDraft } from './draft.ts'

const PAUSE_MS = 700
const WARN_BELOW = 200

/** Free text. While the matter is being written, words that mean danger show the number to call at once. */
export function OwnWords({ question, words, onRead, describedBy, labelledBy, isInvalid, view }: ControlProps) {
  const { given, maxLength = 1000 } = question
  const isAsked = view?.step.kind === 'ask' && view.step.questions.some(({ id }) => id === question.id)
  const [text, write] = useDraft(question.id, given, isAsked)
  const left = maxLength - text.length
  useLayoutEffect(() => {
    if (text.trim() === '') onRead({ fault: words.faults.text, isEmpty: true })
    else onRead(left < 0 ? { fault: words.faults.tooLong(-left) } : { value: text.trim() })
  }, [text, words])
  const isDangerous = useDanger(question.id === 'matter' ? text : '')
  const alert = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isDangerous) alert.current?.scrollIntoView({ block: 'nearest' })
  }, [isDangerous])
  return (
    <>
      <textarea
        class="field text"
        rows={3}
        aria-labelledby={labelledBy}
        aria-describedby={describedBy}
        aria-invalid={isInvalid}
        value={text}
        onInput={(event) => write(event.currentTarget.value)}
      />
      <div role="alert" ref={alert}>
        {isDangerous && <DangerNotice />}
      </div>
      {left < WARN_BELOW && (
        <p class="hint" role="status">
          {left < 0 ? words.faults.tooLong(-left) : words.field.charactersLeft(left)}
        </p>
      )}
    </>
  )
}

export function DangerNotice() {
  const { journey, words } = useJourney()
  const number = journey.facts.emergencyNumber
  return (
    <Notice tone="emergency">
      <p>{words.complaints.danger}</p>
      <CallButton number={number} label={words.call(number)} />
    </Notice>
  )
}

/** Whether the service recognises danger in these words, asked when the writing pauses. No answer counts as no. */
function useDanger(text: string): boolean {
  const { journey } = useJourney()
  const [isDangerous, tell] = useState(false)
  useEffect(() => {
    if (text.trim().length < 4) return tell(false)
    let isCurrent = true
    const timer = setTimeout(async () => {
      try {
        const { danger } = await journey.call<Proposals>('POST', '/session/proposals', { text: text.slice(0, 2000) })
        if (isCurrent) tell(danger)
      } catch {
        // The emergency check follows in any case.
      }
    }, PAUSE_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [text])
  return isDangerous
}
