import { useEffect, useState } from 'preact/hooks'
import { Icon } from '../../ui/icons.tsx'
import { useBench } from '../context.ts'
import { Dialog } from '../dialog.tsx'
import { saveAs } from '../handoff/saving.ts'
import { Sign, type SignName } from '../signs.tsx'
import { type FileView, isPicture } from './files.tsx'

type Props = { files: readonly FileView[]; viewed: string; onView: (id: string | null) => void }

const ZOOMS = [1, 1.5, 2, 3, 4, 6]

/** Shows one file after the other: zoomed, rotated, saved where that is allowed. */
export function Viewer({ files, viewed, onView }: Props) {
  const { words, mayDownload } = useBench()
  const at = Math.max(
    0,
    files.findIndex(({ id }) => id === viewed),
  )
  const file = files[at]
  const [zoom, setZoom] = useState(0)
  const [turn, setTurn] = useState(0)
  const loaded = useWhole(file)

  const go = (by: number) => {
    setZoom(0)
    setTurn(0)
    onView(files[(at + by + files.length) % files.length]?.id ?? null)
  }
  const larger = (by: number) => setZoom((now) => Math.min(ZOOMS.length - 1, Math.max(0, now + by)))
  const act: Record<string, () => void> = {
    ArrowRight: () => files.length > 1 && zoom === 0 && go(1),
    ArrowLeft: () => files.length > 1 && zoom === 0 && go(-1),
    '+': () => larger(1),
    '-': () => larger(-1),
    '0': () => setZoom(0),
    r: () => setTurn((now) => (now + 90) % 360),
  }
  if (!file) return null
  const picture = isPicture(file)
  const close = () => onView(null)
  return (
    <Dialog label={file.name} kind="viewer" onClose={close}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys of the dialog, beside its buttons */}
      <div class="viewer-in" onKeyDown={(event) => act[event.key]?.()}>
        <div class="viewer-bar">
          <p class="viewer-name">
            <span>{file.name}</span>
            {files.length > 1 && <span class="viewer-count">{words.fileOf(at + 1, files.length)}</span>}
          </p>
          {picture && (
            <>
              <Tool sign="zoom-out" label={words.zoomOut} disabled={zoom === 0} onClick={() => larger(-1)} />
              <Tool
                sign="zoom-in"
                label={words.zoomIn}
                disabled={zoom === ZOOMS.length - 1}
                onClick={() => larger(1)}
              />
              <Tool sign="rotate" label={words.rotate} onClick={() => act.r?.()} />
            </>
          )}
          {files.length > 1 && <Tool sign="previous" label={words.previous} onClick={() => go(-1)} />}
          {files.length > 1 && <Tool sign="next" label={words.next} onClick={() => go(1)} />}
          {mayDownload && loaded.blob && (
            <button
              type="button"
              class="viewer-tool"
              aria-label={words.download}
              title={words.download}
              onClick={() => loaded.blob && saveAs(loaded.blob, file.name)}
            >
              <Icon name="save" size={22} />
            </button>
          )}
          <button type="button" class="viewer-tool" aria-label={words.close} title={words.close} onClick={close}>
            <Icon name="cross" size={22} />
          </button>
        </div>
        <div class="viewer-stage" data-zoomed={zoom > 0 || undefined} tabIndex={zoom > 0 ? 0 : undefined}>
          {loaded.failed && <p class="viewer-words">{words.fileFailed}</p>}
          {!loaded.failed && !loaded.url && <p class="viewer-words">{words.loading}</p>}
          {picture && loaded.url && <Turned url={loaded.url} name={file.name} zoom={ZOOMS[zoom] ?? 1} turn={turn} />}
          {!picture && loaded.url && <DocumentNote file={file} />}
        </div>
      </div>
    </Dialog>
  )
}

function Tool({ sign, label, ...rest }: { sign: SignName; label: string; disabled?: boolean; onClick: () => void }) {
  return (
    <button type="button" class="viewer-tool" aria-label={label} title={label} {...rest}>
      <Sign name={sign} size={22} />
    </button>
  )
}

/** A picture in a box with its shape after rotation, as large as its place allows, times the zoom. */
function Turned({ url, name, zoom, turn }: { url: string; name: string; zoom: number; turn: number }) {
  const [size, setSize] = useState({ width: 1, height: 1 })
  const isOnSide = turn % 180 !== 0
  const ratio = isOnSide ? size.height / size.width : size.width / size.height
  return (
    <div class="turned" style={{ '--ratio': String(ratio), '--zoom': String(zoom) }}>
      <img
        src={url}
        alt={name}
        style={{ rotate: `${turn}deg`, width: isOnSide ? `${100 / ratio}%` : '100%' }}
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
          setSize({ width: naturalWidth || 1, height: naturalHeight || 1 })
        }
      />
    </div>
  )
}

/** A document is never opened inside the page: we do not run what it contains. */
function DocumentNote({ file }: { file: FileView }) {
  const { words, mayDownload } = useBench()
  return (
    <div class="viewer-words">
      <Icon name="file" size={48} />
      <p>{mayDownload ? words.document : words.documentClosed}</p>
      {file.flags.includes('active-content') && <p class="fault">{words.active}</p>}
      {file.flags.includes('encrypted') && <p>{words.encrypted}</p>}
    </div>
  )
}

type Loaded = { url: string | null; blob: Blob | null; failed: boolean }

function useWhole(file: FileView | undefined): Loaded {
  const { connection } = useBench()
  const [loaded, setLoaded] = useState<Loaded>({ url: null, blob: null, failed: false })
  useEffect(() => {
    let url: string | null = null
    let isGone = false
    setLoaded({ url: null, blob: null, failed: false })
    const load = async () => {
      const blob = file && (await (await connection.get(`/files/${file.id}`)).blob())
      if (!blob || isGone) return
      url = URL.createObjectURL(blob)
      setLoaded({ url, blob, failed: false })
    }
    load().catch(() => setLoaded({ url: null, blob: null, failed: true }))
    return () => {
      isGone = true
      if (url) URL.revokeObjectURL(url)
    }
  }, [file?.id])
  return loaded
}
