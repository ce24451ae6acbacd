import type { Alarm, Fact } from '../../engine/content.ts'
import type { Speech } from './speech.ts'

/** A danger that was found: a true rule, and the answers that made it true. */
export type Danger = Pick<Alarm, 'level' | 'complaint' | 'rule' | 'answers'>

/** More dangers than these are not said in one breath. */
const MOST_SAID = 2
/** Less urgent dangers are told beside the most urgent ones while there are fewer than this. */
const ENOUGH_TOLD = 4

/**
 * The dangers that are told, of those that hold, most urgent first: the most urgent ones, and others that may be what they come from. One that rests on
 * nothing but what a more urgent one rests on says the same again, and milder.
 */
export function toldOf(speech: Speech, dangers: readonly Danger[]): readonly Danger[] {
  const all = dangers.map((danger) => grounded(speech, danger))
  const isRepeated = (one: Grounded) =>
    all.some((other) => isMilder(one, other) && one.who.isSubsetOf(other.who) && isPartOf(one, other))
  const told = all.filter((one) => !isRepeated(one)).map(({ danger }) => danger)
  const foremost = told.filter(({ level }) => level === told[0]?.level)
  return told.slice(0, Math.max(foremost.length, ENOUGH_TOLD))
}

/**
 * What to say on the phone, where there is someone to call at once: of the foremost danger, and of another, which may be what the first comes from. If
 * there are no words for the foremost, nor for another as urgent or for a part of it, what was told is read out.
 */
export function sayOf(speech: Speech, dangers: readonly Danger[]): string | null {
  const wordsFor = ({ danger: { complaint, rule } }: Grounded) => speech.say(`rule.${complaint}.${rule}.say`)
  const all = dangers.map((danger) => grounded(speech, danger))
  const [foremost] = all
  if (!foremost) return null
  const said = onePerDanger(all.filter((one) => wordsFor(one) !== undefined))
  const { level } = foremost.danger
  const isNamed = said.some((one) => one.danger.level === level || isSaidWith(one, foremost))
  const words = [isNamed ? undefined : speech.say(`alarm.${level}.say`), ...said.map(wordsFor)]
  return [...new Set(words.flatMap((one) => one ?? []))].slice(0, MOST_SAID).join(' ') || null
}

/** Of several that tell of one danger the most urgent, and of equally urgent ones the one that tells more. */
function onePerDanger(dangers: readonly Grounded[]): readonly Grounded[] {
  const kept: Grounded[] = []
  for (const danger of dangers) {
    const plainer = kept.findIndex(
      (one) => one.danger.level === danger.danger.level && isPartOf(one, danger) && !isPartOf(danger, one),
    )
    if (plainer >= 0) kept[plainer] = danger
    else if (!kept.some((one) => isSaidWith(danger, one))) kept.push(danger)
  }
  return kept
}

/** A danger and what it rests on, but for what is denied and how long it has lasted. */
interface Grounded {
  readonly danger: Danger
  /** Who the patient is, as far as it counts. */
  readonly who: ReadonlySet<string>
  readonly facts: ReadonlySet<string>
  /** The facts, and what the signs among them imply. */
  readonly known: ReadonlySet<string>
  /** The same of signs alone, and of options that are as much. */
  readonly signs: ReadonlySet<string>
}

function grounded({ content }: Speech, danger: Danger): Grounded {
  const { intake, questions } = content.release
  const telling = danger.answers.filter(
    ({ question, state }) => state !== 'denied' && questions[question]?.kind !== 'duration',
  )
  const isWho = ({ question }: Fact) => intake.includes(question)
  const isSign = ({ question, option, value }: Fact) =>
    questions[question]?.kind === 'sign' ||
    questions[question]?.options?.some(({ id, redFlag }) => redFlag && id === (option ?? value)) === true
  const implied = ({ question, value }: Fact) =>
    value === true ? (content.relations[content.slotOf.get(question) ?? -1]?.implies ?? []) : []
  const knownFrom = (facts: readonly Fact[]) =>
    new Set([
      ...facts.map(nameOf),
      ...facts.flatMap(implied).flatMap((slot) => content.questions[slot]?.question.id ?? []),
    ])
  const facts = telling.filter((fact) => !isWho(fact))
  return {
    danger,
    who: new Set(telling.filter(isWho).map(nameOf)),
    facts: new Set(facts.map(nameOf)),
    known: knownFrom(facts),
    signs: knownFrom(facts.filter(isSign)),
  }
}

const nameOf = ({ question, option }: Fact): string => (option === undefined ? question : `${question} ${option}`)

const isMilder = (one: Grounded, other: Grounded): boolean => one.danger.level > other.danger.level

/** Whether nothing was told of one that does not belong to the other too. */
const isPartOf = ({ facts }: Grounded, { known }: Grounded): boolean => facts.size > 0 && facts.isSubsetOf(known)

/** Whether the words for one do for another too: for a part of it, or a milder degree, which shares a sign with it in the same complaint. */
const isSaidWith = (one: Grounded, other: Grounded): boolean =>
  isPartOf(one, other) ||
  (one.danger.complaint === other.danger.complaint && isMilder(one, other) && !one.signs.isDisjointFrom(other.signs))
