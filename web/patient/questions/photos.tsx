import { useJourney } from '../context.ts'
import { looseFiles, namedFiles, type Upload, uploadOf } from '../upload.ts'
import type { ControlProps } from './control.ts'
import { FilesField } from './files-field.tsx'

const MOST = 3

/** A question that is answered with pictures; none is an answer too. */
export function Photos({ question, words, onRead, view }: ControlProps) {
  const { journey, state } = useJourney()
  const { given } = question
  const before = Array.isArray(given) ? (view?.files ?? []).filter(({ id }) => given.includes(id)).map(uploadOf) : null
  const read = (uploads: readonly Upload[]) => {
    const ready = uploads.filter((one) => one.state === 'ready').map(({ id }) => id)
    if (uploads.some((one) => one.state === 'sending')) onRead({ fault: words.faults.uploading })
    else onRead({ value: ready, ...(ready.length === 0 && { label: words.photos.none }) })
  }
  return (
    <FilesField
      first={() => before ?? looseFiles(view).slice(0, MOST)}
      most={MOST}
      addLabel={words.photos.add}
      words={words}
      onChange={read}
      {...(state.editing?.id === question.id && { standing: () => namedFiles(journey, question.id) })}
    />
  )
}
