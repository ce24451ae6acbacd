import { useEffect, useRef, useState } from 'preact/hooks'
import type { Language } from '../../../src/engine/content.ts'
import { Icon } from '../../ui/icons.tsx'
import { useBench } from '../context.ts'
import { Sign } from '../signs.tsx'
import type { Copying } from './copy.tsx'
import { saveAs } from './saving.ts'

type Props = { language: Language; copying: Copying; isJudging: boolean; onJudge: () => void }

/** The actions that clinicians use a hundred times a day. */
export function Actions({ language, copying, isJudging, onJudge }: Props) {
  const { words, connection, picture, say } = useBench()
  const [failed, setFailed] = useState(false)
  const save = async (kind: 'pdf' | 'fhir') => {
    setFailed(false)
    try {
      const reply = await connection.get(`/${kind}?language=${language}`)
      const ending = kind === 'pdf' ? 'pdf' : 'fhir.json'
      saveAs(await reply.blob(), `triage-${picture.session.sessionId.slice(0, 8)}.${ending}`)
    } catch {
      setFailed(true)
      say(words.fileFailed)
    }
  }
  return (
    <div class="actions-place">
      <div class="actions" role="toolbar" aria-label={words.title}>
        <button type="button" class="button strong" onClick={copying.copy} aria-keyshortcuts="c">
          <Sign name="copy" />
          {words.copy}
          <kbd>c</kbd>
        </button>
        <button type="button" class="button" onClick={() => window.print()} aria-keyshortcuts="p">
          <Icon name="print" size={18} />
          {words.print}
          <kbd>p</kbd>
        </button>
        <button type="button" class="button" onClick={() => void save('pdf')}>
          <Icon name="save" size={18} />
          {words.pdf}
        </button>
        <button type="button" class="button" onClick={() => void save('fhir')}>
          <Icon name="save" size={18} />
          {words.fhir}
        </button>
        <button type="button" class="button" onClick={onJudge} aria-expanded={isJudging} aria-keyshortcuts="j">
          <Sign name="judge" />
          {words.judge}
          <kbd>j</kbd>
        </button>
      </div>
      {failed && <p class="fault">{words.fileFailed}</p>}
      <Copied copying={copying} />
    </div>
  )
}

/** Confirms that it is on the clipboard, or offers the text to copy by hand. */
function Copied({ copying }: { copying: Copying }) {
  const { words } = useBench()
  const area = useRef<HTMLTextAreaElement>(null)
  const { outcome, byHand, forget } = copying
  useEffect(() => {
    area.current?.focus()
    area.current?.select()
  }, [byHand])
  if (outcome === 'copied')
    return (
      <p class="copied">
        <Icon name="check" size={18} />
        {words.copied}
      </p>
    )
  if (outcome !== 'failed') return null
  if (byHand === null) return <p class="fault">{words.copyFailed}</p>
  return (
    <div class="by-hand">
      <label>
        <span>{words.copyByHand}</span>
        <textarea class="field" readOnly rows={10} ref={area} value={byHand} />
      </label>
      <button type="button" class="button" onClick={forget}>
        {words.close}
      </button>
    </div>
  )
}
