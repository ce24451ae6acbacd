import type { PictureBody } from '../../../src/http/decision-support/schemas.ts'
import { Icon } from '../../ui/icons.tsx'
import { useBench } from '../context.ts'
import { Sign } from '../signs.tsx'
import type { Words } from '../words/words.ts'
import { EvidenceList } from './evidence.tsx'
import { numberOf, toneOf } from './hero.tsx'

type Reason = PictureBody['reasons'][number]
type Change = PictureBody['changes'][number]

const FIRST_CHANGES = 4
const MOST_ALTERNATIVES = 5

/** The rules that decide the level, the answers they rest on, and where each rule comes from. */
export function Why() {
  const { words, picture } = useBench()
  const { reasons, alsoTrue, urgency } = picture
  return (
    <section class="card" aria-labelledby="why">
      <h2 id="why">{words.why}</h2>
      {reasons.length === 0 && <p class="nothing">{words.whyNothing}</p>}
      <ul class="reasons">
        {reasons.map((reason) => (
          <Rule key={`${reason.complaint} ${reason.label}`} reason={reason} />
        ))}
      </ul>
      {alsoTrue.length > 0 && (
        <>
          <h3>{urgency.isFinal ? words.alsoTrue : words.trueSoFar}</h3>
          <ul class="also">
            {alsoTrue.map((reason) => (
              <li key={`${reason.complaint} ${reason.label}`}>
                <details>
                  <summary>
                    <LevelMark level={reason.level} words={words} />
                    <span>{reason.label}</span>
                    <Icon name="down" size={16} />
                  </summary>
                  <EvidenceList items={reason.answers} />
                  <SourceList sources={reason.sources} words={words} />
                </details>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

function Rule({ reason }: { reason: Reason }) {
  const { words } = useBench()
  const { label, answers, sources, unsure } = reason
  return (
    <li>
      <p class="rule">{label}</p>
      {unsure && <p class="rule-note">{words.unsureRule}</p>}
      {reason.otherwise && <p class="rule-note">{words.otherwise}</p>}
      {answers.length > 0 && (
        <>
          <p class="quiet-label">{words.restsOn}</p>
          <EvidenceList items={answers} />
        </>
      )}
      <SourceList sources={sources} words={words} />
    </li>
  )
}

function SourceList({ sources, words }: { sources: Reason['sources']; words: Words }) {
  if (sources.length === 0) return null
  return (
    <span class="sources">
      {words.source}:{' '}
      {sources.map(({ title, url }, at) => (
        <span key={title}>
          {at > 0 && '; '}
          {url ? (
            <a href={url} target="_blank" rel="noopener noreferrer">
              {title}
            </a>
          ) : (
            title
          )}
        </span>
      ))}
    </span>
  )
}

export function LevelMark({ level, words }: { level: Reason['level']; words: Words }) {
  return (
    <span class={`level-mark tone-${toneOf(level)}`}>
      <span class="unseen">{words.levelShort} </span>
      {numberOf(level)}
    </span>
  )
}

/** Which single other answer would have raised or lowered the level. */
export function Changes() {
  const { words, picture } = useBench()
  const { changes, urgency } = picture
  if (!urgency.isFinal || urgency.level === null) return null
  const more = changes.filter((change) => change.more)
  const less = changes.filter((change) => !change.more && change.level !== null)
  const open = changes.filter((change) => !change.more && change.level === null)
  return (
    <section class="card" aria-labelledby="changes">
      <h2 id="changes">{words.changes}</h2>
      {changes.length === 0 && <p class="nothing">{words.changesNone}</p>}
      <Direction title={words.moreUrgent} sign="up" changes={more} />
      <Direction title={words.lessUrgent} sign="fall" changes={less} />
      <Direction title={words.undecided} sign="unsure" changes={open} />
      {changes.some(({ decided }) => !decided) && <p class="card-note">{words.changesNote}</p>}
    </section>
  )
}

function Direction({
  title,
  sign,
  changes,
}: {
  title: string
  sign: 'up' | 'fall' | 'unsure'
  changes: readonly Change[]
}) {
  const { words } = useBench()
  if (changes.length === 0) return null
  const rest = changes.slice(FIRST_CHANGES)
  return (
    <div class="direction">
      <h3>
        <Sign name={sign} size={16} />
        {title}
      </h3>
      <ul class="changes">
        {changes.slice(0, FIRST_CHANGES).map((change) => (
          <Line key={keyOf(change)} change={change} />
        ))}
      </ul>
      {rest.length > 0 && (
        <details class="more">
          <summary>
            <Icon name="down" size={16} />
            {words.showAll(rest.length)}
          </summary>
          <ul class="changes">
            {rest.map((change) => (
              <Line key={keyOf(change)} change={change} />
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}

const keyOf = ({ label, level, decided }: Change): string => `${label} ${level} ${decided}`

/** The level it would lead to; a plus marks the least, where further questions would decide. */
function Line({ change }: { change: Change }) {
  const { words } = useBench()
  const { label, alternatives, level, decided } = change
  const intro = { with: `${words.with} `, without: `${words.without} `, instead: '' }
  const to = level === null ? '' : words.level(numberOf(level))
  return (
    <li>
      <span class={`level-mark tone-${toneOf(level)}`}>
        <span class="unseen">{decided ? to : to ? words.atLeast(to) : words.open}</span>
        <span aria-hidden="true">
          {level === null ? '?' : numberOf(level)}
          {level !== null && !decided && '+'}
        </span>
      </span>
      <span>
        <span class="of">{label}: </span>
        {alternatives.slice(0, MOST_ALTERNATIVES).map(({ kind, words: text }, at) => (
          <span key={`${kind} ${text}`}>
            {at > 0 && <span class="of"> {words.or} </span>}
            {kind !== alternatives[at - 1]?.kind && <span class="of">{intro[kind]}</span>}
            {text}
          </span>
        ))}
        {alternatives.length > MOST_ALTERNATIVES && (
          <span class="of"> {words.andMore(alternatives.length - MOST_ALTERNATIVES)}</span>
        )}
      </span>
    </li>
  )
}
