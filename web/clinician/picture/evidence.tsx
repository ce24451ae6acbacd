import type { PictureBody } from '../../../src/http/decision-support/schemas.ts'
import { useBench } from '../context.ts'
import { Sign } from '../signs.tsx'

export type Evidence = PictureBody['reasons'][number]['answers'][number]
type Line = { of: string | null; state: Evidence['state']; labels: string[] }

/** Signs of one question in the same state share a line; values have their own. */
function linesOf(items: readonly Evidence[]): Line[] {
  const lines = new Map<string, Line>()
  for (const { label, of, value, state } of items) {
    const [name, text] = value === null ? [of, label] : [label, value]
    const line = lines.get(`${name} ${state}`) ?? { of: name, state, labels: [] }
    line.labels.push(text)
    lines.set(`${name} ${state}`, line)
  }
  return [...lines.values()]
}

/** The evidence behind something: each sign with its state as icon and word. */
export function EvidenceList({ items }: { items: readonly Evidence[] }) {
  const { words } = useBench()
  const said = { present: words.present, denied: words.denied, unsure: words.unsure }
  return (
    <ul class="evidence">
      {linesOf(items).map(({ of, state, labels }) => (
        <li key={`${of} ${state}`} class={`evidence-${state}`}>
          <Sign name={state} size={16} />
          <span>
            {of !== null && <span class="of">{of}: </span>}
            {state !== 'present' && <span class="said">{said[state].toLocaleLowerCase(words.locale)} </span>}
            {labels.map((label, at) => (
              <span key={label}>
                {at > 0 && <span class="dot"> · </span>}
                <span class="sign-label">{label}</span>
              </span>
            ))}
          </span>
        </li>
      ))}
    </ul>
  )
}
