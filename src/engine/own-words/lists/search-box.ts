import type { CompiledRelease, Language } from '../../content.ts'
import { perRelease } from '../per-release.ts'
import { fold } from '../stem.ts'
import { termsOf } from './rank.ts'

const LONGEST_QUERY = 200
const AS_NAME = 4
const AS_TERM = 3
const AT_START = 2
const ANYWHERE = 1
const WHOLE = 2

/** The name stands first among the texts of a complaint. */
const textsOf = perRelease((release, language) =>
  release.complaints.map(({ id }) => ({ id, texts: termsOf(release, id, language).map(wordsOf) })),
)

/** Complaints with a name or term that begins as typed, best first; with nothing typed, all of them by name. */
export function searchTerms(
  release: CompiledRelease,
  query: string,
  language: Language,
  accepts: (id: string) => boolean,
): string[] {
  const typed = wordsOf(query.slice(0, LONGEST_QUERY))
  return textsOf(release, language)
    .filter(({ id }) => accepts(id))
    .map(({ id, texts }) => ({
      id,
      name: texts[0]?.join(' ') ?? id,
      score: Math.max(0, ...texts.map((words, place) => fits(words, typed, place === 0))),
    }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1))
    .map(({ id }) => id)
}

/** Every typed word begins a word of the text; words that are there whole count more: "tån" is no beginning of "tänder". */
function fits(words: readonly string[], typed: readonly string[], isName: boolean): number {
  if (!typed.every((start) => words.some((word) => word.startsWith(start)))) return 0
  const whole = typed.length > 0 && typed.every((word) => words.includes(word)) ? WHOLE : 0
  if (isName) return AS_NAME + whole
  if (words.length === typed.length) return AS_TERM + whole
  return (words[0]?.startsWith(typed[0] ?? '') ? AT_START : ANYWHERE) + whole
}

function wordsOf(text: string): string[] {
  return text
    .split(/[^\p{L}\p{N}'’-]+/u)
    .map(fold)
    .filter((word) => word !== '')
}
