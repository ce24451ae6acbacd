import type { CompiledRelease, Heard, HeardFact } from '../../content.ts'
import { createPhraseBook, type Found } from '../lists/phrases.ts'
import { perRelease } from '../per-release.ts'
import { LANGUAGE_RULES } from '../rules.ts'
import { pieceOf, type Told } from '../told.ts'

/** Only words that are all there tell of an option … */
const WHOLE = { strict: true, leastShare: 1 }
/** … and this surely, not only nearly. */
const LEAST_SURE = 0.75

const bookOf = perRelease((release, language) => {
  const owned = Object.entries(release.optionWords?.[language] ?? {}).flatMap(([question, options]) =>
    Object.entries(options).map(([option, words]) => ({ question, option, words })),
  )
  const book = createPhraseBook(
    owned.map(({ words }) => words),
    LANGUAGE_RULES[language],
    WHOLE,
  )
  return { owned, book }
})

interface Named {
  readonly question: string
  readonly option: string
  readonly at: Found['at']
}

/**
 * What the text tells that the likeliest complaint would ask with options: where it is, what happened, what it is most of all. One answer of a single
 * choice: two that the text tells contradict each other, and what is told of long ago is none.
 */
export function optionsIn(
  release: CompiledRelease,
  { text, readings, likely, clauses }: Told,
  complaint: Heard['complaints'][number] | undefined,
): HeardFact[] {
  const asked = complaint?.score ? release.complaints.find(({ id }) => id === complaint.id)?.questions : undefined
  const { owned, book } = bookOf(release, likely)
  if (!asked || owned.length === 0) return []
  const isPast = new Set(clauses.flatMap((clause) => (clause.isPast ? clause.words.map(({ place }) => place) : [])))
  const named = book
    .find(readings[likely], true, (units) => units + 2)
    .flatMap(({ phrase, at }): Named[] => {
      const { question = '', option = '' } = owned[phrase.owner] ?? {}
      const isWhole = at.length === phrase.units.length && at.every(({ sureness }) => sureness >= LEAST_SURE)
      const sentence = at[0]?.word.sentence
      const isOne = at.every(({ word }) => word.sentence === sentence && !isPast.has(word.place))
      return isWhole && isOne && asked.some(({ id }) => id === question) ? [{ question, option, at }] : []
    })
  return [...Map.groupBy(named, ({ question }) => question)].flatMap(([question, found]) => {
    const kept = found.filter((one) => !found.some((other) => isPartOf(one, other)))
    const [value, ...others] = new Set(kept.map(({ option }) => option))
    if (value === undefined || others.length > 0) return []
    const words = kept.flatMap(({ at }) => at.map(({ word }) => word))
    return [{ question, value, words: pieceOf(text, words) }]
  })
}

/** "Lower back" is not "back": what another option says with more of the same words counts for that one alone. */
function isPartOf(one: Named, other: Named): boolean {
  const places = new Set(other.at.map(({ word }) => word.place))
  return other.at.length > one.at.length && one.at.every(({ word }) => places.has(word.place))
}
