import { useBench } from '../context.ts'
import { type Evidence, EvidenceList } from './evidence.tsx'

/** Conditions that the answers point to, with what speaks for and against each. */
export function Considerations() {
  const { words, picture } = useBench()
  const { considerations, session } = picture
  if (session.startedTimestamp === null) return null
  const shown = considerations.filter(({ for: pro, against }) => pro.length + against.length > 0)
  return (
    <section class="card" aria-labelledby="considerations">
      <h2 id="considerations">{words.considerations}</h2>
      <p class="card-note">{shown.length > 0 ? words.considerationsNote : words.considerationsNone}</p>
      <ul class="conditions">
        {shown.map(({ label, complaint, for: pro, against }) => (
          <li key={`${complaint} ${label}`}>
            <p class="condition">{label}</p>
            <div class="speaks">
              <Speaking name={words.for} items={pro} />
              <Speaking name={words.against} items={against} />
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The evidence on one side; nothing is shown where there is none. */
function Speaking({ name, items }: { name: string; items: readonly Evidence[] }) {
  if (items.length === 0) return null
  return (
    <>
      <p class="quiet-label">{name}</p>
      <EvidenceList items={items} />
    </>
  )
}
