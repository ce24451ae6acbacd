import type { CompiledRelease, Heard, HeardFact } from '../../content.ts'
import { createPhraseBook, type Found, WHOLE } from '../lists/phrases.ts'
import { perRelease } from '../per-release.ts'
import type { Word } from '../read.ts'
import { pieceOf, type Told } from '../told.ts'
import { understandingIn } from '../understanding.ts'

/** By complaint, the questions whose options have words of their own. */
const askedOf = perRelease((release, language) => {
  const words = release.optionWords?.[language] ?? {}
  return new Map(
    release.complaints.map(({ id, questions }) => {
      const asked = questions.map((question) => question.id).filter((question) => words[question])
      return [id, new Set(asked)]
    }),
  )
})

const bookOf = perRelease((release, language) => {
  const owned = Object.entries(release.optionWords?.[language] ?? {}).flatMap(([question, options]) =>
    Object.entries(options).map(([option, words]) => ({ question, option, words })),
  )
  const book = createPhraseBook(
    owned.map(({ words }) => words),
    understandingIn(release, language),
    { list: 'options', ...WHOLE },
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
  const asked = complaint?.score ? askedOf(release, likely).get(complaint.id) : undefined
  if (asked === undefined || asked.size === 0) return []
  const { owned, book } = bookOf(release, likely)
  const isPast = new Set(clauses.flatMap((clause) => (clause.isPast ? clause.words.map(({ place }) => place) : [])))
  const named = book
    .find(readings[likely], true, (units) => units + 2)
    .filter(({ at }) => !at.some(({ word }) => isPast.has(word.place)))
    .flatMap(({ phrase, at }): Named[] => {
      const { question = '', option = '' } = owned[phrase.owner] ?? {}
      return asked.has(question) ? [{ question, option, at }] : []
    })
  return [...Map.groupBy(named, ({ question }) => question)].flatMap(([question, found]) => {
    const kept = found.filter((one) => !found.some((other) => isPartOf(one, other)))
    const [value, ...others] = new Set(kept.map(({ option }) => option))
    if (value === undefined || others.length > 0) return []
    const words = kept.flatMap(({ at }) => at.map(({ word }) => word))
    return [{ question, value, words: pieceOf(text, withDenial(words, readings[likely])) }]
  })
}

/** How far from what it denies a denial may stand, in words. */
const DENIED_WITHIN = 4

/** "no fever" is quoted with its "no": alone the word would say the opposite of what was heard. */
function withDenial(words: readonly Word[], all: readonly Word[]): Word[] {
  const denied = words.find(({ denial }) => denial)
  if (!denied) return [...words]
  const far = ({ place }: Word) => Math.abs(place - denied.place)
  const deniers = all.filter((one) => one.known.role.denies && one.sentence === denied.sentence)
  const [denier] = deniers.filter((one) => far(one) <= DENIED_WITHIN).sort((a, b) => far(a) - far(b))
  return denier ? [...words, denier] : [...words]
}

/** "Lower back" is not "back": what another option says with more of the same words counts for that one alone. */
function isPartOf(one: Named, other: Named): boolean {
  const places = new Set(other.at.map(({ word }) => word.place))
  return other.at.length > one.at.length && one.at.every(({ word }) => places.has(word.place))
}
