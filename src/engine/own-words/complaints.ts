import { type CompiledRelease, type Heard, LANGUAGES } from '../content.ts'
import { type Proposal, rank, withoutSmallWords } from './rank.ts'
import { pieceOf, type Told } from './told.ts'
import { complaintScores, piecesOf } from './trained.ts'

const MOST_PROPOSALS = 5
/** How much the words by which people look for a complaint count beside what the reader was trained on. */
const OF_TERMS = 0.6
/** What stands for the trained score of a complaint that no example is of. */
const UNTRAINED = -0.4
/** A complaint is proposed when it is nearly as likely as the likeliest. */
const NEARLY = 0.8

interface Candidate extends Proposal {
  readonly words: string
}

/** The complaints that the words speak of, best first; the general one when they speak of none. */
export function complaintsIn(release: CompiledRelease, told: Told, accepts: (id: string) => boolean): Candidate[] {
  const general = release.complaints.find(({ id, kind }) => kind === 'general' && accepts(id))?.id
  const candidates = candidatesIn(release, told, accepts, general)
  if (candidates.length === 0 && general !== undefined) return [{ id: general, score: 0, words: '', matched: [] }]
  return candidates.slice(0, MOST_PROPOSALS)
}

function candidatesIn(
  release: CompiledRelease,
  told: Told,
  accepts: (id: string) => boolean,
  general: string | undefined,
): Candidate[] {
  const terms = byTerms(release, told, accepts)
  const { text, likely, trained } = told
  const own = trained.find(({ language }) => language === likely) ?? trained[0]
  if (!own) return terms.map((one) => ({ ...one, words: one.matched.join(' ') }))
  const { reader, reading } = own
  const exists = new Set(release.complaints.map(({ id }) => id))
  const most = Math.max(...terms.map(({ score }) => score), 1)
  const found = new Map<string, Candidate>()
  const add = (one: Candidate) => {
    if ((found.get(one.id)?.score ?? Number.NEGATIVE_INFINITY) < one.score) found.set(one.id, one)
  }
  for (const score of complaintScores(reader, reading)) {
    // A complaint that is not written yet is nobody's own: the general one stands in for it.
    const id = exists.has(score.id) ? score.id : general
    if (id === undefined || !accepts(id)) continue
    const term = terms.find((one) => one.id === id)
    const sum = score.score + OF_TERMS * ((term?.score ?? 0) / most)
    if (sum < reader.model.thresholds.complaint) continue
    const telling = piecesOf(reader, reading, score)
    const matched = term?.matched ?? telling.map(({ written }) => written)
    add({ id, score: sum, matched, words: pieceOf(text, telling) })
  }
  for (const { id, score, matched } of terms) {
    if (reader.complaints.some((label) => label.id === id)) continue
    add({ id, score: UNTRAINED + OF_TERMS * (score / most), matched, words: matched.join(' ') })
  }
  const all = [...found.values()].sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
  return all.filter(({ score }) => score >= (all[0]?.score ?? 0) - NEARLY)
}

/** Complaints whose terms are in the text: in the language of the page, else in another. */
function byTerms(release: CompiledRelease, { readings, page }: Told, accepts: (id: string) => boolean): Proposal[] {
  const found = rank(release, readings[page], page, accepts)
  if (found.length > 0) return found
  for (const other of LANGUAGES) {
    if (other === page) continue
    const elsewhere = rank(release, withoutSmallWords(readings[other], page), other, accepts)
    if (elsewhere.length > 0) return elsewhere
  }
  return []
}

/** What else than an illness the text is about. */
export function matterIn(release: CompiledRelease, told: Told): Heard['matter'] {
  const [first] = complaintsIn(release, told, () => true)
  const kind = release.complaints.find(({ id }) => id === first?.id)?.kind
  return kind === 'prescription' || kind === 'certificate' || kind === 'admin' ? kind : undefined
}
