import type { Ref } from 'preact'
import { tagOf } from '../../../src/engine/languages.ts'
import type { PictureBody } from '../../../src/http/decision-support/schemas.ts'
import { Icon } from '../../ui/icons.tsx'
import { useBench } from '../context.ts'
import { exactTime } from '../moments.ts'

type Entry = PictureBody['interview'][number]

/** Everything the patient answered, in order, including changes and withdrawals. */
export function Interview({ details }: { details: Ref<HTMLDetailsElement> }) {
  const { words, picture } = useBench()
  const { interview, session } = picture
  if (session.startedTimestamp === null) return null
  return (
    <details class="card interview" ref={details}>
      <summary>
        <h2>
          <Icon name="down" size={20} />
          {words.interview} <span class="count">{interview.length}</span>
        </h2>
      </summary>
      {interview.length === 0 ? (
        <p class="nothing">{words.interviewNone}</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">{words.time}</th>
              <th scope="col">{words.question}</th>
              <th scope="col">{words.answer}</th>
            </tr>
          </thead>
          <tbody>
            {rowsOf(interview).map(([entry, ...same], at) => (
              <Row key={`${entry.at} ${at}`} entry={entry} same={same} />
            ))}
          </tbody>
        </table>
      )}
    </details>
  )
}

/** Joins what was answered alike at one moment: a list of signs of which none is present is one line, not seven. */
function rowsOf(interview: readonly Entry[]): [Entry, ...Entry[]][] {
  const rows: [Entry, ...Entry[]][] = []
  for (const entry of interview) {
    const [first] = rows.at(-1) ?? []
    const isAlike =
      first &&
      entry.at === first.at &&
      entry.kind === 'answered' &&
      first.kind === 'answered' &&
      entry.answer === first.answer &&
      entry.counts === first.counts &&
      entry.from === first.from &&
      !entry.words
    if (isAlike) rows.at(-1)?.push(entry)
    else rows.push([entry])
  }
  return rows
}

function Row({ entry, same }: { entry: Entry; same: readonly Entry[] }) {
  const { words, picture } = useBench()
  const { at, kind, answer, before, counts } = entry
  const all = [entry, ...same]
  const free = entry.words ? { lang: tagOf(picture.session.language), dir: 'auto' as const, class: 'free' } : {}
  return (
    <tr class={counts ? undefined : 'past'}>
      <td class="when">
        <time dateTime={at}>{exactTime(words, picture, at)}</time>
      </td>
      <td>
        <span class="asked">{all.map(({ asked }) => asked).join(' · ')}</span>
        <span class="of">{all.map(({ label }) => label).join(' · ')}</span>
      </td>
      <td>
        {answer !== null && <span {...free}>{answer}</span>}
        {kind === 'withdrawn' && <span class="edit">{words.withdrawn}</span>}
        {kind === 'changed' && before !== null && (
          <span class="edit">
            {words.changed}, {words.changedFrom} <del {...free}>{before}</del>
          </span>
        )}
        {kind === 'withdrawn' && before !== null && <del {...free}>{before}</del>}
        {entry.from && <span class="edit">{entry.from === 'own-words' ? words.fromWords : words.fromIntegrator}</span>}
        {!counts && kind !== 'withdrawn' && <span class="edit">{words.obsolete}</span>}
      </td>
    </tr>
  )
}
