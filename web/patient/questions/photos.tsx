import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../../ui/icons.tsx'
import type { SessionView } from '../api.ts'
import { useJourney } from '../context.ts'
import { newId } from '../new-id.ts'
import { sendFile, type Upload, uploadOf } from '../upload.ts'
import type { ControlProps } from './control.ts'

const MOST = 3
const KINDS = 'image/jpeg,image/png,image/webp,application/pdf'

/** Pictures and papers: sent as soon as they are chosen, shown, and removable until the end. */
export function Photos({ question, words, onRead, view }: ControlProps) {
  const { journey, state } = useJourney()
  const [uploads, setUploads] = useState<readonly Upload[]>(() => filesOf(question.id, view))
  const stops = useRef(new Map<string, AbortController>())
  const change = (id: string, next: Partial<Upload>) =>
    setUploads((all) => all.map((one) => (one.id === id ? { ...one, ...next } : one)))

  useLayoutEffect(() => {
    const isSending = uploads.some((one) => one.state === 'sending')
    const ready = uploads.filter((one) => one.state === 'ready').map(({ id }) => id)
    if (isSending) onRead({ fault: words.faults.uploading })
    else onRead({ value: ready, ...(ready.length === 0 && { label: words.photos.none }) })
  }, [uploads, words])
  useEffect(() => {
    return () => {
      for (const stop of stops.current.values()) stop.abort()
    }
  }, [])

  const add = async (file: File) => {
    const id = newId()
    const stop = new AbortController()
    stops.current.set(id, stop)
    const preview = file.type.startsWith('image/') ? URL.createObjectURL(file) : null
    const upload: Upload = { id, name: file.name, size: file.size, sent: 0, state: 'sending', fault: null, preview }
    setUploads((all) => [...all, upload])
    const fault = await sendFile(journey, file, id, (sent) => change(id, { sent }), stop.signal)
    if (!stop.signal.aborted) change(id, fault ? { state: 'failed', fault } : { state: 'ready', sent: file.size })
  }
  const remove = async (upload: Upload) => {
    stops.current.get(upload.id)?.abort()
    if (upload.preview) URL.revokeObjectURL(upload.preview)
    setUploads((all) => all.filter((one) => one.id !== upload.id))
    await journey.patience.untilAnswered(() => journey.call('DELETE', `/session/files/${upload.id}`)).catch(() => {}) // it was never there, or is gone already
  }
  const room = MOST - uploads.filter((one) => one.state !== 'failed').length
  return (
    <div class="photos">
      <ul class="uploads">
        {uploads.map((upload) => (
          <UploadItem
            key={upload.id}
            upload={upload}
            words={words}
            isPaused={state.waiting !== null}
            onRemove={() => remove(upload)}
            onUnseen={() => change(upload.id, { preview: null })}
          />
        ))}
      </ul>
      {room > 0 && (
        <label class="add-file">
          <Icon name="camera" />
          <span>{uploads.length === 0 ? words.photos.add : words.photos.another}</span>
          <input
            type="file"
            accept={KINDS}
            multiple
            onChange={(event) => {
              for (const file of [...(event.currentTarget.files ?? [])].slice(0, room)) void add(file)
              event.currentTarget.value = ''
            }}
          />
        </label>
      )}
      <p class="hint">{words.photos.hint(MOST)}</p>
    </div>
  )
}

/** The files of this question: all of the session but those that belong to another answer. */
function filesOf(question: string, view: SessionView | null): Upload[] {
  const taken = new Set(
    (view?.ledger ?? [])
      .filter((entry) => entry.kind === 'photo' && entry.question !== question)
      .flatMap(({ value }) => (Array.isArray(value) ? value : [])),
  )
  return (view?.files ?? []).filter(({ id }) => !taken.has(id)).map(uploadOf)
}

function UploadItem({
  upload,
  words,
  isPaused,
  onRemove,
  onUnseen,
}: {
  upload: Upload
  words: ControlProps['words']
  isPaused: boolean
  onRemove: () => void
  /** The picture cannot be shown here; a sign takes its place. */
  onUnseen: () => void
}) {
  const { name, size, sent, state, fault, preview } = upload
  const percent = Math.floor((sent / Math.max(size, 1)) * 100)
  const status =
    state === 'ready'
      ? words.photos.ready
      : state === 'unfinished'
        ? words.photos.unfinished
        : state === 'failed'
          ? words.photos[fault ?? 'failed']
          : isPaused
            ? words.photos.paused
            : percent === 100
              ? words.photos.checking
              : words.photos.sending(percent)
  return (
    <li class="upload" data-state={state}>
      {preview ? (
        <img class="upload-picture" src={preview} alt="" onError={onUnseen} />
      ) : (
        <span class="upload-picture">
          <Icon name="file" />
        </span>
      )}
      <div class="upload-text">
        <span class="upload-name">{name}</span>
        {state === 'sending' && <progress max={100} value={percent} aria-label={words.photos.sendingOf(name)} />}
        <span class="hint" role={state === 'failed' ? 'alert' : undefined}>
          {status}
        </span>
      </div>
      <button type="button" class="round" aria-label={words.photos.removeOf(name)} onClick={onRemove}>
        <Icon name="cross" />
      </button>
    </li>
  )
}
