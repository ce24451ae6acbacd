import { useBench } from '../context.ts'
import { EvidenceList } from './evidence.tsx'

/** Conditions that the answers point to, with what speaks for and against each. */
export function Considerations() {
  const { words, picture } = useBench()
  const { considerations, session } = picture
  if (session.startedTimestamp === null) return null
  return (
    <section class="card" aria-labelledby="considerations">
      <h2 id="considerations">{words.considerations}</h2>
      <p class="card-note">{considerations.length > 0 ? words.considerationsNote : words.considerationsNone}</p>
      <ul class="conditions">
        {considerations.map(({ label, complaint, for: pro, against }) => (
          <li key={`${complaint} ${label}`}>
            <p class="condition">{label}</p>
            <div class="speaks">
              <p class="quiet-label">{words.for}</p>
              {pro.length > 0 ? <EvidenceList items={pro} /> : <p class="nothing">{words.nothing}</p>}
              <p class="quiet-label">{words.against}</p>
              {against.length > 0 ? <EvidenceList items={against} /> : <p class="nothing">{words.nothing}</p>}
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
