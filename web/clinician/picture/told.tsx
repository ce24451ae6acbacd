import { Icon } from '../../ui/icons.tsx'
import { useBench } from '../context.ts'

/** What the patient was told to do, so that the clinician need not guess. */
export function Told() {
  const { words, picture } = useBench()
  const { told } = picture
  if (!told) return null
  return (
    <section class="card" aria-labelledby="told">
      <h2 id="told">{words.told}</h2>
      <p>
        <strong>{told.title}.</strong> {told.text}
      </p>
      {told.advice.length + told.safetyNet.length > 0 && (
        <details class="more">
          <summary>
            <Icon name="down" size={16} />
            {words.advice}, {words.safetyNet.toLocaleLowerCase(words.locale)} …
          </summary>
          {told.advice.length > 0 && <h3>{words.advice}</h3>}
          <ul class="plain-list">
            {told.advice.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
          {told.safetyNet.length > 0 && <h3>{words.safetyNet}</h3>}
          <ul class="plain-list">
            {told.safetyNet.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}
