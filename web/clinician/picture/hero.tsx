import type { Ref } from 'preact'
import { LEVELS, type Level } from '../../../src/engine/content.ts'
import { tagOf } from '../../../src/engine/languages.ts'
import { Icon } from '../../ui/icons.tsx'
import { useBench } from '../context.ts'
import { ageWords, dayAndTime, sexWords, timeOfDay } from '../moments.ts'
import { Sign } from '../signs.tsx'

/** The tone of a level: the same everywhere, and never the only indication of it. */
export function toneOf(level: Level | null): 'emergency' | 'warning' | 'care' | 'selfcare' | 'quiet' {
  if (level === null) return 'quiet'
  const rank = LEVELS.indexOf(level)
  return rank <= 2 ? 'emergency' : rank === 3 ? 'warning' : rank <= 6 ? 'care' : 'selfcare'
}

export const numberOf = (level: Level): number => LEVELS.indexOf(level) + 1

/** How urgent, who, and in which words: what must be seen first. */
export function Hero({ heading }: { heading: Ref<HTMLHeadingElement> }) {
  const { picture } = useBench()
  return (
    <section class={`hero tone-${toneOf(picture.urgency.level)}`} id="urgency" aria-labelledby="urgency-heading">
      <Urgency heading={heading} />
      <div class="hero-patient">
        <Patient />
        <Matter />
      </div>
    </section>
  )
}

function Urgency({ heading }: { heading: Ref<HTMLHeadingElement> }) {
  const { words, picture } = useBench()
  const { level, flag, title, time, isFinal } = picture.urgency
  const nothing = isFinal ? words.noUrgency : words.noUrgencyYet
  return (
    <div class="urgency">
      <p class="urgency-marks">
        {level && <span class="urgency-level">{words.level(numberOf(level))}</span>}
        {flag && (
          <span class="flag">
            <Sign name="flag" size={16} />
            {flag === 'red' ? words.redFlag : words.warningFlag}
          </span>
        )}
        {level && !isFinal && <span class="flag quiet">{words.soFar}</span>}
      </p>
      <h1 id="urgency-heading" tabIndex={-1} ref={heading}>
        {level ? time : nothing}
      </h1>
      {title && <p class="urgency-title">{title}</p>}
      {level && <Scale level={level} />}
      <State />
      <CardPassed />
    </div>
  )
}

/** Where the level stands among the eight. */
function Scale({ level }: { level: Level }) {
  const { words } = useBench()
  return (
    <p class="scale">
      <span class="unseen">{words.ofEight(numberOf(level))}</span>
      {LEVELS.map((one) => (
        <span key={one} aria-hidden="true" class={one === level ? 'step here' : 'step'}>
          {numberOf(one)}
        </span>
      ))}
    </p>
  )
}

/** What qualifies the urgency: unfinished, left, or not begun. */
function State() {
  const { words, picture } = useBench()
  const { session, complete, urgency } = picture
  if (session.status === 'AiSessionNotCreated') return <p class="urgency-state">{words.notSetUp}</p>
  if (urgency.isFinal) return complete ? null : <p class="urgency-state">{words.stopped}</p>
  if (session.startedTimestamp === null) return <p class="urgency-state">{words.notStarted}</p>
  if (session.ongoing) return null
  return <p class="urgency-state">{words.abandoned(dayAndTime(words, picture, session.expiresTimestamp))}</p>
}

/** That the emergency card was shown, and somebody answered on. */
function CardPassed() {
  const { words, picture } = useBench()
  if (!picture.card) return null
  const { at, after, takenBack } = picture.card
  return (
    <p class="urgency-state">
      {words.cardShown(after, timeOfDay(words, picture, at))} {takenBack ? words.cardTakenBack : words.cardAnsweredOn}
    </p>
  )
}

function Patient() {
  const { words, picture } = useBench()
  const { age, sex, userWasPatient } = picture.patient
  const by =
    picture.session.flow === 'ExternallyInitiatedByProxy'
      ? words.byProfessional
      : userWasPatient === null
        ? null
        : userWasPatient
          ? words.byPatient
          : words.byOther
  return (
    <div class="patient">
      <p class="patient-who">
        {ageWords(words, age)}, {sexWords(words, sex, age)}
      </p>
      <p class="patient-more">{[...picture.complaints, by].filter(Boolean).join(' · ')}</p>
      <Reach />
      {picture.session.isTest && (
        <p class="reviewed">
          <Icon name="info" size={18} />
          {words.testSession}
        </p>
      )}
      {picture.notReviewed && (
        <p class="reviewed">
          <Icon name="info" size={18} />
          {words.notReviewed}
        </p>
      )}
    </div>
  )
}

/** How the patient can be reached, and the clinic's own reference for them. */
function Reach() {
  const { words, picture } = useBench()
  const { phone, when, reference } = picture.contact
  if (phone === null && reference === null) return null
  return (
    <p class="patient-reach">
      {phone !== null && (
        <span>
          {words.phone}: <a href={`tel:${phone.replace(/[^+\d]/g, '')}`}>{phone}</a>
        </span>
      )}
      {when !== null && (
        <span>
          {words.reachedWhen}: {when}
        </span>
      )}
      {reference !== null && (
        <span>
          {words.reference}: {reference}
        </span>
      )}
    </p>
  )
}

/** The patient's own words, exactly as they were written. */
function Matter() {
  const { words, picture } = useBench()
  return (
    <figure class="matter">
      <figcaption>{words.ownWords}</figcaption>
      {picture.matter ? (
        <blockquote lang={tagOf(picture.session.language)} dir="auto">
          {picture.matter}
        </blockquote>
      ) : (
        <p class="nothing">{words.noWords}</p>
      )}
    </figure>
  )
}
