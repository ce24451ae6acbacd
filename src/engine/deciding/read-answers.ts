import type { Answer, Heard, HeardDanger, Value } from '../content.ts'
import type { Content } from '../load.ts'

/** The newest answer to each question by its slot, and what else the answers tell: in which order questions were first answered, which are not of this content, what was told without being asked, what was denied against the own words, and what was heard. */
export function readAnswers(content: Content, answers: readonly Answer[]) {
  const values: (Value | undefined)[] = new Array(content.questions.length)
  const answered = new Set<number>()
  const strangers: string[] = []
  const volunteered = new Set<number>()
  const readings = new Map<string, Heard>()
  const denied = new Set<number>()
  for (const { question, value, from, heard } of answers) {
    const slot = content.slotOf.get(question)
    if (slot === undefined) strangers.push(question)
    else {
      if (question === 'complaints' && isMore(value, values[slot]))
        for (const list of content.whereRead) values[list] = undefined
      answered.add(slot)
      values[slot] = !denied.has(slot) && deniesBirth(question, value, readings) ? undefined : value
      if (values[slot] === undefined) denied.add(slot)
      if (from !== undefined) volunteered.add(slot)
      if (heard) {
        readings.set(question, heard)
        takeBackDenied(content, values, heard)
        if (question === 'matter') takeBackSex(content, values, heard)
      } else readings.delete(question)
      if (question === 'matter') {
        if (heard && tellsOfPregnancy(heard)) takeBackNo(content, values, denied)
        else giveBackNo(content, values, denied)
      }
    }
  }
  const stillAnswered = [...answered].filter((slot) => values[slot] !== undefined)
  const doubted = [...denied].filter((slot) => values[slot] === undefined)
  return { values, answered: stillAnswered, strangers, volunteered, doubted, heard: together(readings) }
}

/** Whether a complaint was added: who left an option out was perhaps not offered it, so those lists are asked again. */
const isMore = (value: Value, before: Value | undefined): boolean =>
  Array.isArray(value) && Array.isArray(before) && value.some((complaint) => !before.includes(complaint))

/** Whoever wrote of a pregnancy or a birth and denies it is asked once more: "not pregnant" is easily said some days after a birth. */
function deniesBirth(question: string, value: Value, readings: ReadonlyMap<string, Heard>): boolean {
  const matter = readings.get('matter')
  return question === PREGNANCY && value === 'no' && matter !== undefined && tellsOfPregnancy(matter)
}

const PREGNANCY = 'pregnancy'

const tellsOfPregnancy = ({ facts }: Heard): boolean =>
  facts.some(({ question, value }) => question === PREGNANCY && value !== 'no')

/** The words that tell of it may come after the no. */
function takeBackNo({ slotOf }: Content, values: (Value | undefined)[], denied: Set<number>): void {
  const slot = slotOf.get(PREGNANCY) ?? -1
  if (values[slot] !== 'no' || denied.has(slot)) return
  values[slot] = undefined
  denied.add(slot)
}

/** A no that was doubted holds where the words that told of it are gone. */
function giveBackNo({ slotOf }: Content, values: (Value | undefined)[], denied: Set<number>): void {
  const slot = slotOf.get(PREGNANCY) ?? -1
  if (values[slot] === undefined && denied.delete(slot)) values[slot] = 'no'
}

/** Of the signs of a danger so many, the most telling, are asked once more. */
const MOST_TELLING = 2

/** Who denied a danger and then surely writes of it is asked about it once more. */
function takeBackDenied(content: Content, values: (Value | undefined)[], heard: Heard): void {
  for (const slot of surelyTold(content, heard)) if (values[slot] === false) values[slot] = undefined
}

/** The ages in which somebody may be pregnant. */
const FERTILE = [12, 55] as const
const OF_PREGNANCY = ['pregnancy', 'after-birth']

/**
 * Who gives the sex as male and then writes of the pregnancy or the birth of somebody else has perhaps told of themselves: it is asked once more,
 * and so is whom it is about, where they had named themselves.
 */
function takeBackSex({ slotOf }: Content, values: (Value | undefined)[], { facts, dangers }: Heard): void {
  const said = (id: string) => values[slotOf.get(id) ?? -1]
  const age = said('age')
  const isFertile = typeof age === 'number' && age >= FERTILE[0] && age <= FERTILE[1]
  if (said('sex') !== 'male' || !isFertile) return
  const isOfAnother = said('for_whom') === 'other'
  const tellsOfAnother = facts.some(({ question, value }) => question === 'for_whom' && value === 'other')
  const tellsOfBirth =
    facts.some(({ question, value }) => question === 'pregnancy' && value !== 'no') ||
    (tellsOfAnother && dangers.some(({ kind, sureness }) => sureness === 'lead' && OF_PREGNANCY.includes(kind)))
  if (!tellsOfBirth || !(isOfAnother || tellsOfAnother)) return
  for (const id of isOfAnother ? ['sex'] : ['for_whom', 'age', 'sex']) values[slotOf.get(id) ?? -1] = undefined
}

/** The most telling signs of the dangers that words surely tell of, and those whose denial denies them. */
export const surelyTold = ({ dangers: signsOf, relations }: Content, { dangers }: Heard): number[] =>
  dangers
    .flatMap(({ kind, sureness }) => (sureness === 'lead' ? (signsOf.get(kind)?.slice(0, MOST_TELLING) ?? []) : []))
    .flatMap((slot) => [slot, ...(relations[slot]?.implies ?? [])])

/** What the matter tells, and the dangers that later words tell of; of two readings of one kind the surer. */
function together(readings: ReadonlyMap<string, Heard>): Heard | undefined {
  const matter = readings.get('matter')
  if (readings.size === (matter ? 1 : 0)) return matter
  const kinds = new Map<string, HeardDanger>()
  for (const { dangers } of readings.values())
    for (const danger of dangers)
      if (kinds.get(danger.kind)?.sureness !== 'lead' || danger.sureness !== 'ask') kinds.set(danger.kind, danger)
  return { complaints: [], facts: [], ...matter, dangers: [...kinds.values()] }
}
