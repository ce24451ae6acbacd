import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { LEVELS } from '../../../src/engine/content.ts'
import { useBench } from '../context.ts'
import { dayAndTime } from '../moments.ts'
import { newId } from '../visit/connection.ts'
import { numberOf } from './hero.tsx'
import { LevelMark } from './why.tsx'

const LONGEST_REASON = 1_000

/** "I would have said Level N because …" */
export function JudgementForm({ onDone }: { onDone: () => void }) {
  const { words, picture, connection, refresh, say } = useBench()
  const [level, setLevel] = useState('')
  const [reason, setReason] = useState('')
  const [fault, setFault] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [id] = useState(() => newId())
  const first = useRef<HTMLSelectElement>(null)
  useLayoutEffect(() => {
    const before = document.activeElement
    first.current?.focus()
    return () => {
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])

  const save = async (event: Event) => {
    event.preventDefault()
    const urgency = LEVELS.find((one) => one === level)
    if (!urgency || reason.trim() === '') return setFault(words.judgeMissing)
    setBusy(true)
    try {
      await connection.post('/judgements', { id, urgency, reason })
      await refresh()
      say(words.judgeSaved)
      onDone()
    } catch {
      setFault(words.judgeFailed)
      setBusy(false)
    }
  }

  return (
    <form
      class="card judging"
      aria-labelledby="judging"
      noValidate
      onSubmit={save}
      onKeyDown={(event) => event.key === 'Escape' && onDone()}
    >
      <h2 id="judging">{words.judge}</h2>
      <p class="card-note">{words.judgeLead}</p>
      {fault && (
        <p class="fault" role="alert">
          {fault}
        </p>
      )}
      <label class="labelled">
        <span>{words.judgeLevel}</span>
        <select
          class="field"
          ref={first}
          value={level}
          required
          aria-invalid={fault !== '' && level === ''}
          onChange={(event) => setLevel(event.currentTarget.value)}
        >
          <option value="">{words.judgeChoose}</option>
          {picture.levels
            .filter((one) => one.level !== picture.urgency.level)
            .map((one) => (
              <option key={one.level} value={one.level}>
                {words.level(numberOf(one.level))}: {one.title}
              </option>
            ))}
        </select>
      </label>
      <label class="labelled">
        <span>{words.judgeReason}</span>
        <textarea
          class="field"
          rows={3}
          maxLength={LONGEST_REASON}
          value={reason}
          required
          aria-describedby="judging-hint"
          aria-invalid={fault !== '' && reason.trim() === ''}
          onInput={(event) => setReason(event.currentTarget.value)}
        />
      </label>
      <p class="card-note" id="judging-hint">
        {words.judgeReasonHint}
      </p>
      <div class="form-buttons">
        <button type="submit" class="button strong" disabled={isBusy}>
          {words.judgeSave}
        </button>
        <button type="button" class="button" onClick={onDone}>
          {words.cancel}
        </button>
      </div>
    </form>
  )
}

/** What clinicians judged differently, oldest first. */
export function Judgements() {
  const { words, picture } = useBench()
  if (picture.judgements.length === 0) return null
  return (
    <section class="card" aria-labelledby="judgements">
      <h2 id="judgements">{words.judgements}</h2>
      <ul class="judgements">
        {picture.judgements.map(
          ({ judgementId, urgency, sessionUrgency, reason, auditUserIdentifier, judgedTimestamp }) => (
            <li key={judgementId}>
              <p>
                <LevelMark level={urgency} words={words} />{' '}
                <strong>{picture.levels.find(({ level }) => level === urgency)?.title}</strong>{' '}
                {sessionUrgency && <span class="of">{words.insteadOf(words.level(numberOf(sessionUrgency)))}</span>}
              </p>
              <blockquote dir="auto">{reason}</blockquote>
              <p class="of">
                {auditUserIdentifier} · {dayAndTime(words, picture, judgedTimestamp)}
              </p>
            </li>
          ),
        )}
      </ul>
    </section>
  )
}
