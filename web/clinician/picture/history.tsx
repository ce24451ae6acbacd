import { tagOf } from '../../../src/engine/languages.ts'
import type { PictureBody } from '../../../src/http/decision-support/schemas.ts'
import { useBench } from '../context.ts'
import { Sign } from '../signs.tsx'

type Section = PictureBody['history'][number]
type Name = Section['section']

const ORDER: readonly Name[] = ['matter', 'findings', 'timing', 'medicines', 'allergies', 'history', 'note']
/** For these, a clinician must not take silence for "none". */
const NEVER_SILENT: readonly Name[] = ['medicines', 'allergies']

/** The history: what is there first, then what was denied, then what is not known. */
export function History() {
  const { words, picture } = useBench()
  const sections = new Map(picture.history.map((section) => [section.section, section]))
  if (picture.session.startedTimestamp === null) return null
  return (
    <section class="card history" aria-labelledby="history">
      <h2 id="history">{words.history}</h2>
      {ORDER.map((name) => {
        const section = sections.get(name)
        if (!section && !NEVER_SILENT.includes(name)) return null
        return (
          <div key={name} class="section">
            <h3>{words.sections[name]}</h3>
            {section ? <SectionBody section={section} /> : <p class="nothing">{words.sectionNotAsked}</p>}
          </div>
        )
      })}
    </section>
  )
}

function SectionBody({ section }: { section: Section }) {
  const { words, picture } = useBench()
  const { present, denied, unknown } = section
  const lang = tagOf(picture.session.language)
  return (
    <>
      {present.length > 0 && (
        <dl class="findings">
          {present.map(({ label, values, words: isFree, redFlag }) => (
            <div key={label} class={redFlag ? 'finding flagged' : 'finding'}>
              <dt>
                {label}
                {redFlag && <Sign name="flag" size={14} />}
              </dt>
              <dd
                lang={isFree ? lang : undefined}
                dir={isFree ? 'auto' : undefined}
                class={isFree ? 'free' : undefined}
              >
                {values.length > 0 ? values.join(' · ') : words.present}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {denied.length > 0 && (
        <p class="denied-line">
          <span class="quiet-label">{words.denied}</span> {denied.join('; ')}
        </p>
      )}
      {unknown.length > 0 && (
        <p class="unknown-line">
          <span class="quiet-label">
            <Sign name="unsure" size={14} />
            {words.unknown}
          </span>{' '}
          {unknown.join('; ')}
        </p>
      )}
    </>
  )
}
