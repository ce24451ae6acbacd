import { Notice } from '../../ui/notice.tsx'
import { useJourney } from '../context.ts'
import { Uncounted } from './uncounted.tsx'

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
      {said?.kind === 'uncounted' && (
        <Uncounted
          told={said.told}
          ledger={state.place.at === 'session' ? state.place.view.ledger : []}
          before={said.elsewhere ? words.chat.elsewhere : undefined}
        >
          {words.chat.again(said.told.length)}
        </Uncounted>
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
