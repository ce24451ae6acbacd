import type { CompiledRelease, HeardDanger } from '../content.ts'
import type { Telling } from './lists/danger.ts'
import { perRelease } from './per-release.ts'
import { LONG_TEXT } from './reader/score.ts'
import { dangerScores, type Score } from './reader/trained.ts'
import { pieceOf, type Told } from './told.ts'

/** The kind of danger whose words do not tell which. */
const UNCLEAR = 'danger'
/** So many kinds at most are worth asking about first … */
const MOST_KINDS = 3
/** … and only those that are nearly as likely as the likeliest. */
const NEARLY = 0.2
/** Words that sound like danger but so little like any kind of it are mostly harmless: only what is listed or would be led with is heard then. */
const LEAST_OF_KIND = -0.7
/** What sounds like danger and less than this like the kind it comes nearest to is danger of an unclear kind: no words of it speak of that kind. */
const LEAST_OF_NAMED = -0.65
/** Of a long text more: among its many words some sound like any kind. */
const LEAST_OF_NAMED_IN_LONG = -0.4

/** A kind of danger that may be told of; its words are looked for when they are wanted. */
type Candidate = Omit<HeardDanger, 'words'> & { readonly words: () => string }

const signsIn = perRelease(({ dangers }) => new Map(dangers.map(({ id, signs }) => [id, signs])))

/** What the words tell of danger, the likeliest kind first: heard by the trained reader, or listed and not clearly harmless to it. */
export function dangersHeard(
  release: CompiledRelease,
  { text, readings, likely, listed, trained }: Told,
): HeardDanger[] {
  const signsOf = signsIn(release, likely)
  // One word alone is no story, unless it is one of the list: it is asked about where others would be led with.
  const isStory = listed.length > 0 || readings[likely].filter(({ weight }) => weight !== 'glue').length > 1
  // Words that are listed for a sign of this very kind name it; what else stands beside them takes nothing away.
  const isNamed = (kind: string) => listed.some(({ sign }) => sign !== undefined && signsOf.get(kind)?.includes(sign))
  const canBeUnclear = signsOf.has(UNCLEAR)
  const heard = trained.flatMap(({ reader, reading }): (Candidate & Pick<Score, 'score'>)[] => {
    const { lead, ask, askListed } = reader.model.thresholds
    const scores = dangerScores(reader, reading).filter(({ id }) => signsOf.has(id))
    const leastOfNamed = reading.words.length > LONG_TEXT ? LEAST_OF_NAMED_IN_LONG : LEAST_OF_NAMED
    const least = listed.length > 0 ? askListed : isStory ? ask : lead
    const most = scores[0]?.score ?? 0
    return scores
      .filter(({ score }) => score >= least && score >= most - NEARLY)
      .filter(
        ({ score, label, piece }) =>
          listed.length > 0 || score >= lead || reading.scoreOf(label, piece) >= LEAST_OF_KIND,
      )
      .slice(0, MOST_KINDS)
      .map((one) => {
        const speaksOfIt = isNamed(one.id) || reading.scoreOf(one.label, one.piece) >= leastOfNamed
        const isClear = speaksOfIt || !canBeUnclear
        return {
          kind: isClear ? one.id : UNCLEAR,
          sureness: isNamed(one.id) || (one.score >= lead && isStory) ? 'lead' : 'ask',
          words: () => pieceOf(text, reading.tellingWords(one.piece, isClear ? one.label : reader.anyDanger)),
          score: one.score,
        }
      })
  })
  const untrained = trained.some(({ language }) => language === likely) ? [] : byLists(release, listed)
  const kinds = new Map<string, Candidate>()
  for (const { kind, sureness, words } of [...untrained, ...heard.sort((a, b) => b.score - a.score)])
    if (!kinds.has(kind)) kinds.set(kind, { kind, sureness, words })
  const clear = [...kinds.values()].filter(({ kind }) => kind !== UNCLEAR)
  // Beside a kind that the words do tell, one that they do not adds nothing, unless it alone is surely heard.
  const isEnough = clear.some(({ sureness }) => sureness === 'lead') || kinds.get(UNCLEAR)?.sureness !== 'lead'
  const told = clear.length > 0 && isEnough ? clear : [...kinds.values()]
  return told.slice(0, MOST_KINDS).map(({ kind, sureness, words }) => ({ kind, sureness, words: words() }))
}

/** Where no trained reader knows the language, what is listed is danger; of which kind only the lists of signs tell. */
function byLists(release: CompiledRelease, listed: readonly Telling[]): Candidate[] {
  return listed.map(({ sign, words }) => {
    const kind = release.dangers.find(({ signs }) => sign !== undefined && signs.includes(sign))
    return { kind: kind?.id ?? UNCLEAR, sureness: 'lead', words: () => words }
  })
}
