import { type CompiledRelease, type Heard, LANGUAGES } from '../content.ts'
import { type Proposal, rank, withoutSmallWords } from './lists/rank.ts'
import { perRelease } from './per-release.ts'
import { complaintScores } from './reader/trained.ts'
import { pieceOf, type Told, tell } from './told.ts'

const MOST_PROPOSALS = 5
/** So many are proposed even when the first is likelier by far: whom it does not fit sees the next at once. */
const ENOUGH_PROPOSALS = 3
/** How much the words by which people look for a complaint count beside what the reader was trained on: little among many others, more where they are most of the text. */
const OF_TERMS = 0.15
const OF_TERMS_ALONE = 0.6
/** What stands for the trained score of a complaint that no example is of. */
const UNTRAINED = -0.4
/** By how much a text must raise the score of a complaint that it does not name. */
const LEAST_SAID = 0.15
/** A complaint that is nearly as likely as the likeliest is proposed, beyond those that are enough. */
const NEARLY = 0.8
/** One that stands so far behind the likeliest, and is not sure by itself, is no guess that anyone would understand. */
const FAR_BEHIND = 0.6
/** A complaint that is sure and so near behind the general one is proposed in its place. */
const BESIDE_GENERAL = 0.15
/** Below this a complaint is no guess any more. */
const LEAST_LIKELY = -1
/** From fewer words that mean something nothing is guessed. */
const FEWEST_WORDS = 3
/** From here on a sentence by itself comes near a complaint: of texts that only ask for something one in 27 has such a sentence, of those that tell of a trouble unheard in the whole two in three. */
const NEAR_IN_PASSING = 0.42
/** Of a text of more words the sentences are not read by themselves: it tells more than a request, and reading twice takes time. */
const LONGEST_REQUEST = 100

interface Spoken extends Proposal {
  readonly words: string
}

/** A complaint that the words may speak of, most likely first; its words are looked for when they are wanted. */
export interface Candidate {
  readonly id: string
  readonly score: number
  /** Whether the words speak of it clearly enough to propose it by itself. */
  readonly isSure: boolean
  readonly telling: () => Pick<Spoken, 'matched' | 'words'>
}

/** The complaints that the words speak of, best first; the general one when they speak of none. */
export function complaintsIn(
  release: CompiledRelease,
  candidates: readonly Candidate[],
  accepts: (id: string) => boolean,
): Spoken[] {
  const accepted = candidates.filter(({ id }) => accepts(id)).slice(0, MOST_PROPOSALS)
  const most = accepted[0]?.score ?? 0
  const likely = accepted.filter(({ score, isSure }, place) =>
    place < ENOUGH_PROPOSALS ? isSure || score >= most - FAR_BEHIND : isSure && score >= most - NEARLY,
  )
  const general = release.complaints.find(({ id, kind }) => kind === 'general' && accepts(id))
  const particular = likely.filter(({ id }) => id !== general?.id)
  const [one] = particular
  const isNear = one?.isSure === true && one.score >= most - BESIDE_GENERAL
  // Words that most of all say nothing particular ("I need help") are no ground for guesses.
  if (likely.length > 0 && (likely[0]?.id !== general?.id || isNear))
    return (likely[0]?.id === general?.id ? particular : likely).map(({ id, score, telling }) => ({
      id,
      score: surenessOf(score),
      ...telling(),
    }))
  return general ? [{ id: general.id, score: 0, words: '', matched: [] }] : []
}

/** Between 0 and 1, and never 0: that means that nothing was heard. */
const surenessOf = (score: number) => Math.max(0.001, Math.round(1_000 / (1 + Math.exp(-score))) / 1_000)

const complaintsOf = perRelease(({ complaints }) => ({
  ids: new Set(complaints.map(({ id }) => id)),
  general: complaints.find(({ kind }) => kind === 'general')?.id,
}))

/** Every complaint that the words may speak of, whomever it holds for. */
export function candidatesIn(release: CompiledRelease, told: Told): Candidate[] {
  const terms = byTerms(release, told)
  const { text, likely, trained } = told
  const own = trained.find(({ language }) => language === likely) ?? trained[0]
  const byTerm = ({ matched }: Proposal) => ({ matched, words: matched.join(' ') })
  if (!own) return terms.map((one) => ({ id: one.id, score: one.score, isSure: true, telling: () => byTerm(one) }))
  const { reader, reading } = own
  const { general, ids } = complaintsOf(release, likely)
  const termOf = new Map(terms.map((one) => [one.id, one]))
  const most = Math.max(...terms.map(({ score }) => score), 1)
  const meaning = reading.words.filter(({ weight }) => weight === 'meaning').length
  const saysEnough = meaning >= FEWEST_WORDS
  const ofTerms = ({ matched }: Proposal) => {
    const share = Math.min(1, matched.length / Math.max(meaning, 1))
    return OF_TERMS + (OF_TERMS_ALONE - OF_TERMS) * share * share
  }
  const found = new Map<string, Candidate>()
  const add = (one: Candidate) => {
    if ((found.get(one.id)?.score ?? Number.NEGATIVE_INFINITY) < one.score) found.set(one.id, one)
  }
  for (const scored of complaintScores(reader, reading)) {
    // A complaint that is not written yet is nobody's own: the general one stands in for it.
    const id = ids.has(scored.id) ? scored.id : general
    const term = termOf.get(id ?? '')
    const score = scored.score + (term ? ofTerms(term) * (term.score / most) : 0)
    const isSure = score >= reader.model.thresholds.complaint
    if (id === undefined || !(isSure || (score >= LEAST_LIKELY && saysEnough))) continue
    // What holds before a word is read says nothing about this text.
    if (!term && scored.score < (reader.model.biases[scored.label] ?? 0) + LEAST_SAID) continue
    const telling = () => {
      const piece = reading.tellingWords(scored.piece, scored.label)
      return { matched: term?.matched ?? piece.map(({ written }) => written), words: pieceOf(text, piece) }
    }
    add({ id, score, isSure, telling })
  }
  for (const one of terms) {
    if (reader.knowsComplaint(one.id)) continue
    // Its own words say more than a complaint that is not written yet.
    const isBest = one.score === most && one.id !== general
    const standIn = isBest ? (found.get(general ?? '')?.score ?? UNTRAINED) + 0.01 : UNTRAINED
    const score = Math.max(standIn, UNTRAINED + OF_TERMS_ALONE * (one.score / most))
    add({ id: one.id, score, isSure: true, telling: () => byTerm(one) })
  }
  return [...found.values()].sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
}

/** Complaints whose terms are in the text: in the language of the page, else in another. */
function byTerms(release: CompiledRelease, { readings, page }: Told): Proposal[] {
  const found = rank(release, readings[page], page)
  if (found.length > 0) return found
  for (const other of LANGUAGES) {
    if (other === page) continue
    const elsewhere = rank(release, withoutSmallWords(readings[other], page), other)
    if (elsewhere.length > 0) return elsewhere
  }
  return []
}

/**
 * The complaints that a sentence by itself comes near, likelier than any request. "Ran out of my tablets. Have a bit of
 * a tummy upset": all of it together is a request, and the trouble in it is not heard.
 */
export function toldInPassing(
  release: CompiledRelease,
  { text, likely, clauses }: Told,
  accepts: (id: string) => boolean,
): string[] {
  if (clauses.reduce((sum, { words }) => sum + words.length, 0) > LONGEST_REQUEST) return []
  const begins = [...Map.groupBy(clauses, ({ words }) => words[0]?.sentence).values()].map(
    ([first]) => first?.words[0]?.at ?? 0,
  )
  if (begins.length < 2) return []
  const near = begins.flatMap((begin, place) => {
    const sentence = tell(release, text.slice(begin, begins[place + 1]), likely)
    const [first] = candidatesIn(release, sentence).filter(({ id }) => accepts(id) || isRequest(kindOf(release, id)))
    const isTrouble = first !== undefined && kindOf(release, first.id) === 'complaint'
    return isTrouble && surenessOf(first.score) >= NEAR_IN_PASSING ? first.id : []
  })
  return [...new Set(near)]
}

const kindOf = (release: CompiledRelease, wanted: string) => release.complaints.find(({ id }) => id === wanted)?.kind

const isRequest = (kind: string | undefined) => kind === 'prescription' || kind === 'certificate' || kind === 'admin'

/** What else than an illness the text is about. */
export function matterIn(release: CompiledRelease, [first]: readonly Candidate[]): Heard['matter'] {
  const kind = first?.isSure ? kindOf(release, first.id) : undefined
  return kind === 'prescription' || kind === 'certificate' || kind === 'admin' ? kind : undefined
}
