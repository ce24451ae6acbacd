import { Notice } from '../../ui/notice.tsx'
import { useJourney } from '../context.ts'

/** What the last change did, said once. */
export function SaidNotice() {
  const { state, words } = useJourney()
  const { said } = state
  return (
    <div role="status">
      {said?.kind === 'elsewhere' && (
        <Notice tone="quiet">
          <p>{words.chat.elsewhere}</p>
        </Notice>
      )}
      {said?.kind === 'unsaved' && (
        <Notice tone="warning">
          <p>
            {said.elsewhere && words.chat.elsewhere} {words.chat.unsaved(said.question)} {words.chat.again}
          </p>
        </Notice>
      )}
      {said?.kind === 'changed' && (
        <Notice tone="quiet" icon="check">
          <p>
            {[words.chat.changed, said.more && words.chat.more, said.dropped.length > 0 && words.chat.dropped]
              .filter(Boolean)
              .join(' ')}
          </p>
          {said.dropped.length > 0 && (
            <ul>
              {said.dropped.map((text) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
          )}
        </Notice>
      )}
    </div>
  )
}
