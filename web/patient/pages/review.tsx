import { useState } from 'preact/hooks'
import { Icon } from '../../ui/icons.tsx'
import type { LedgerEntry, SessionView } from '../api.ts'
import { useJourney } from '../context.ts'
import { useFocusOn } from '../focus.ts'
import { LedgerRows } from '../ledger.tsx'
import { useDraft } from '../questions/draft.ts'
import { FilesField } from '../questions/files-field.tsx'
import { useSlow } from '../slow.ts'
import { looseFiles } from '../upload.ts'
import { ContactFields, contactFault, useContact } from './contact-fields.tsx'
import { SaidNotice } from './said-notice.tsx'
import { Strips } from './strips.tsx'

const LAST_WORDS = 'anything_else'
const MOST_FILES = 5
const MATTER = new Set(['issue_type', 'matter', 'complaints'])

/** All answers, to be reviewed and changed; room for what was forgotten; then it is sent. */
export function Review({ view }: { view: SessionView }) {
  const { journey, state, words } = useJourney()
  const { review } = words
  const name = state.configuration?.name ?? ''
  const heading = useFocusOn<HTMLHeadingElement>('review', !state.editing)
  const asked = view.step.kind === 'ask' ? (view.step.questions[0] ?? null) : null
  // Asked here, it stays here while it is sent; asked before, it is an answer like the others.
  const [hasLastWords] = useState(asked !== null)
  const before = view.ledger.find(({ question }) => question === LAST_WORDS)
  const rows = hasLastWords ? view.ledger.filter((entry) => entry !== before) : view.ledger
  const [text, write] = useDraft(LAST_WORDS, undefined, true)
  // Whoever was asked for pictures can add to them there.
  const takesFiles = looseFiles(view).length > 0 || view.ledger.every(({ kind }) => kind !== 'photo')
  const most = asked?.maxLength ?? 1000
  const [hasTried, setTried] = useState(false)
  const [isUploading, setUploading] = useState(false)
  const contact = useContact(view)
  const excess = text.length - most
  const missing =
    excess > 0
      ? words.faults.tooLong(excess)
      : isUploading
        ? words.faults.uploading
        : contactFault(contact, words, name)
  const fault = (hasTried && missing) || (state.said?.kind === 'refused' ? words.faults.refused : null)
  const isBusy = state.sending !== null
  const { said } = state
  const isSaidBelow = said?.kind === 'changed' && view.ledger.some(({ question }) => question === said.row)
  const isSlow = useSlow(isBusy)

  const send = async (event: SubmitEvent) => {
    event.preventDefault()
    setTried(true)
    if (isBusy || missing) return
    const value = text.trim() || null
    if (hasLastWords && (asked || before?.value !== value)) {
      if (!(await journey.answer([{ question: LAST_WORDS, value }]))) return
    }
    if (contact.isChanged && !(await journey.giveContact(contact.given))) return
    await journey.finish()
  }
  return (
    <main class="page review">
      <div data-top>
        <Strips view={view} />
        <h1 class="question" tabIndex={-1} ref={heading}>
          {review.title}
        </h1>
      </div>
      <p class="lead">{review.lead(name)}</p>
      {!isSaidBelow && <SaidNotice />}
      {groupsOf(rows, words.review).map(([title, entries]) => (
        <section key={title} class="review-group">
          <h2>{title}</h2>
          <LedgerRows entries={entries} view={view} level="h2" inFull />
        </section>
      ))}
      {/* Hidden, not removed, while an answer is changed, so that an upload in progress continues. */}
      <form class="ask" noValidate onSubmit={send} hidden={state.editing !== null}>
        {hasLastWords && (
          <label class="labelled">
            <span>{asked?.text ?? before?.text}</span>
            <textarea class="field text" rows={3} value={text} onInput={(event) => write(event.currentTarget.value)} />
          </label>
        )}
        {contact.asked && <ContactFields contact={contact} name={name} />}
        {takesFiles && (
          <fieldset class="extra-files">
            <legend>{review.files}</legend>
            <p class="hint">{review.filesHint}</p>
            <FilesField
              first={() => looseFiles(view)}
              most={MOST_FILES}
              addLabel={words.photos.addFile}
              words={words}
              onChange={(uploads) => setUploading(uploads.some((one) => one.state === 'sending'))}
            />
          </fieldset>
        )}
        <div class="actions">
          <div role="alert">
            {fault && (
              <p class="fault">
                <Icon name="warning" size={20} />
                {fault}
              </p>
            )}
          </div>
          <button type="submit" class="primary" aria-disabled={isBusy}>
            {isSlow ? review.sending : review.send(name)}
          </button>
          <div class="actions-quiet">
            <button type="button" class="quiet" aria-disabled={isBusy} onClick={() => void journey.back()}>
              {words.chat.back}
            </button>
          </div>
        </div>
      </form>
    </main>
  )
}

type Titles = { who: string; matter: string; safety: string; details: string }

/** The answers under the headings of the interview, in the order they were given. */
function groupsOf(ledger: readonly LedgerEntry[], titles: Titles): (readonly [string, readonly LedgerEntry[]])[] {
  const titleOf = ({ question, stage }: LedgerEntry) =>
    stage === 'intake'
      ? MATTER.has(question)
        ? titles.matter
        : titles.who
      : stage === 'emergency'
        ? titles.safety
        : titles.details
  return [titles.who, titles.matter, titles.safety, titles.details]
    .map((title) => [title, ledger.filter((entry) => titleOf(entry) === title)] as const)
    .filter(([, entries]) => entries.length > 0)
}
