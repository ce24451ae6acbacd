import { useEffect, useRef, useState } from 'preact/hooks'
import type { PictureBody } from '../../../src/http/decision-support/schemas.ts'
import { Icon } from '../../ui/icons.tsx'
import { useBench } from '../context.ts'
import { Viewer } from './viewer.tsx'

export type FileView = PictureBody['files'][number]
type Props = { viewed: string | null; onView: (id: string | null) => void }

export const isPicture = ({ mimeType }: FileView): boolean => mimeType.startsWith('image/')

/** Thumbnails of what the patient added; each is read once, when it comes into view. */
export function Files({ viewed, onView }: Props) {
  const { words, picture } = useBench()
  const { files, session } = picture
  if (session.startedTimestamp === null) return null
  return (
    <section class="card" aria-labelledby="files">
      <h2 id="files">
        {words.files} {files.length > 0 && <span class="count">{files.length}</span>}
      </h2>
      {files.length === 0 && <p class="nothing">{words.filesNone}</p>}
      <ul class="thumbs">
        {files.map((file) => (
          <li key={file.id}>
            <button type="button" class="thumb" onClick={() => onView(file.id)} aria-label={words.openFile(file.name)}>
              {isPicture(file) ? <Small file={file} /> : <Icon name="file" size={36} />}
              <span class="thumb-name">{file.name}</span>
            </button>
          </li>
        ))}
      </ul>
      {viewed !== null && files.some(({ id }) => id === viewed) && (
        <Viewer files={files} viewed={viewed} onView={onView} />
      )}
    </section>
  )
}

function Small({ file }: { file: FileView }) {
  const { connection } = useBench()
  const place = useRef<HTMLSpanElement>(null)
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    let made: string | null = null
    let isGone = false
    const load = async () => {
      const blob = await connection
        .get(`/files/${file.id}?size=small`)
        .then((reply) => reply.blob())
        .catch(() => null)
      if (!blob || isGone) return
      made = URL.createObjectURL(blob)
      setUrl(made)
    }
    const seen = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return
        seen.disconnect()
        void load()
      },
      { rootMargin: '800px' },
    )
    if (place.current) seen.observe(place.current)
    return () => {
      isGone = true
      seen.disconnect()
      if (made) URL.revokeObjectURL(made)
    }
  }, [file.id])
  return <span ref={place}>{url ? <img src={url} alt="" /> : <Icon name="camera" size={36} />}</span>
}
