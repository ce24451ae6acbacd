import { tagOf } from '../../../src/engine/languages.ts'
import type { PictureBody } from '../../../src/http/decision-support/schemas.ts'
import { Icon } from '../../ui/icons.tsx'
import { useBench } from '../context.ts'
import { Sign } from '../signs.tsx'

type Flag = PictureBody['redFlags'][number]
/** The most flags of those that are not there shown at a glance; the most pertinent come first. */
const AT_A_GLANCE = 8
const STATES = ['present', 'unsure', 'denied', 'not-asked'] as const

/** Red flags in four states. Not asked is not the same as denied, and looks different. */
export function RedFlags() {
  const { words, picture } = useBench()
  const { redFlags } = picture
  const said = {
    present: words.present,
    unsure: words.unsure,
    denied: words.denied,
    'not-asked': words.notAsked,
  }
  return (
    <section class="card" aria-labelledby="red-flags">
      <h2 id="red-flags">{words.redFlags}</h2>
      {redFlags.length === 0 && <p class="nothing">{words.noRedFlags}</p>}
      {redFlags.length > 0 && !redFlags.some(({ state }) => state === 'present') && (
        <p class="none-present">{words.nonePresent}</p>
      )}
      {picture.unconfirmed.length > 0 && <Unconfirmed />}
      {STATES.map((state) => {
        const flags = redFlags.filter((flag) => flag.state === state)
        if (flags.length === 0) return null
        const shown = state === 'denied' || state === 'not-asked' ? flags.slice(0, AT_A_GLANCE) : flags
        const folded = flags.slice(shown.length)
        return (
          <div key={state} class={`flags flags-${state}`}>
            <h3>
              <Sign name={state} size={16} />
              {said[state]} <span class="count">{flags.length}</span>
            </h3>
            <Groups flags={shown} />
            {folded.length > 0 && (
              <details class="more">
                <summary>
                  <Icon name="down" size={16} />
                  {state === 'denied' ? words.moreDenied(folded.length) : words.moreNotAsked(folded.length)}
                </summary>
                <Groups flags={folded} />
              </details>
            )}
          </div>
        )
      })}
    </section>
  )
}

/** Danger that the own words told of: heard, and not confirmed by any sign. */
function Unconfirmed() {
  const { words, picture } = useBench()
  const lang = tagOf(picture.session.language)
  const quotes = new Set(picture.unconfirmed.map((one) => one.words)) // one sentence may tell of two dangers
  return (
    <div class="flags flags-unsure">
      <h3>
        <Sign name="unsure" size={16} />
        {words.unconfirmed}
      </h3>
      <ul class="groups">
        {[...quotes].map((told) => (
          <li key={told}>
            <q lang={lang} dir="auto">
              {told}
            </q>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Flags under the question they belong to, so that "Central" is read as a site and not as a word. */
function Groups({ flags }: { flags: readonly Flag[] }) {
  const groups = new Map<string, string[]>()
  for (const { label, of } of flags) {
    const name = of ?? ''
    groups.set(name, [...(groups.get(name) ?? []), label])
  }
  return (
    <ul class="groups">
      {[...groups].map(([name, labels]) => (
        <li key={name}>
          {name && <span class="of">{name}: </span>}
          {labels.map((label, at) => (
            <span key={label}>
              {at > 0 && <span class="dot"> · </span>}
              <span class="sign-label">{label}</span>
            </span>
          ))}
        </li>
      ))}
    </ul>
  )
}
