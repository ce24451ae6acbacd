import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../../ui/icons.tsx'
import { useJourney } from '../context.ts'
import { newId } from '../new-id.ts'
import { discardFile, sendFile, type Upload } from '../upload.ts'
import type { Words } from '../words/words.ts'

const KINDS = 'image/jpeg,image/png,image/webp,application/pdf'

type Props = {
  /** The files that were there before, read once. */
  first: () => readonly Upload[]
  most: number
  addLabel: string
  words: Words
  /** Called at every change. */
  onChange: (uploads: readonly Upload[]) => void
  /**
   * While an answer is changed: the files it names as it stands, null when there is none. They stay until the change is
   * saved; files that the answer does not name when the field is left are removed.
   */
  standing?: () => readonly string[] | null
}

/** Pictures and documents: sent as soon as they are chosen, shown, and removable until the end. */
export function FilesField({ first, most, addLabel, words, onChange, standing }: Props) {
  const { journey, state } = useJourney()
  const [uploads, setUploads] = useState(first)
  const [hasLeftOut, setLeftOut] = useState(false)
  const stops = useRef(new Map<string, AbortController>())
  const held = useRef(new Set(uploads.map(({ id }) => id)))
  const change = (id: string, next: Partial<Upload>) =>
    setUploads((all) => all.map((one) => (one.id === id ? { ...one, ...next } : one)))

  useLayoutEffect(() => onChange(uploads), [uploads, words])
  useEffect(() => {
    return () => {
      for (const stop of stops.current.values()) stop.abort()
      const named = standing?.()
      if (named) for (const id of held.current) if (!named.includes(id)) void discardFile(journey, id)
    }
  }, [])

  const add = async (file: File) => {
    const id = newId()
    const stop = new AbortController()
    stops.current.set(id, stop)
    held.current.add(id)
    const preview = file.type.startsWith('image/') ? URL.createObjectURL(file) : null
    const upload: Upload = { id, name: file.name, size: file.size, sent: 0, state: 'sending', fault: null, preview }
    setUploads((all) => [...all, upload])
    const fault = await sendFile(journey, file, id, (sent) => change(id, { sent }), stop.signal)
    if (stop.signal.aborted) return
    change(id, fault ? { state: 'failed', fault } : { state: 'ready', sent: file.size })
    if (fault) return
    const added = { id, name: file.name, mimeType: null, size: file.size, received: file.size, ready: true }
    journey.setFiles((files) => [...files, added])
  }
  const remove = async (upload: Upload) => {
    stops.current.get(upload.id)?.abort()
    if (upload.preview) URL.revokeObjectURL(upload.preview)
    setUploads((all) => all.filter((one) => one.id !== upload.id))
    setLeftOut(false)
    if (standing?.()?.includes(upload.id)) return
    held.current.delete(upload.id)
    await discardFile(journey, upload.id)
  }
  const room = most - uploads.filter((one) => one.state !== 'failed').length
  const choose = (files: readonly File[]) => {
    for (const file of files.slice(0, room)) void add(file)
    setLeftOut(files.length > room)
  }
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
      <div role="alert">{hasLeftOut && <p class="fault">{words.photos.over(most)}</p>}</div>
      {room > 0 && (
        <label class="add-file">
          <Icon name="camera" />
          <span>{uploads.length === 0 ? addLabel : words.photos.another}</span>
          <input
            type="file"
            accept={KINDS}
            multiple
            onChange={(event) => {
              choose([...(event.currentTarget.files ?? [])])
              event.currentTarget.value = ''
            }}
          />
        </label>
      )}
      <p class="hint">{words.photos.hint(most)}</p>
    </div>
  )
}

type ItemProps = {
  upload: Upload
  words: Words
  isPaused: boolean
  onRemove: () => void
  /** The picture cannot be shown here; an icon takes its place. */
  onUnseen: () => void
}

function UploadItem({ upload, words, isPaused, onRemove, onUnseen }: ItemProps) {
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
