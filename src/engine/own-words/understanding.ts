import { remembered } from '../text/remembered.ts'
import { type KnownWord, knowledgeOf } from './known.ts'
import { goesOn, unitsAt } from './letters.ts'
import { perRelease } from './per-release.ts'
import { LANGUAGE_RULES, type LanguageRules } from './rules.ts'
import { fold } from './stem.ts'

/** So many words are kept in mind with what a language knows of them. */
export const MOST_WORDS = 24_000
/** So many words as people write them are at hand, each in the place that its letters point to, until another takes it. */
const AT_HAND = 2 ** 15
const PRIME = 0x01000193
/** Longer than any word we know. */
const LONGEST_WORD = 40

/** A word as people write it, with what is known of it: it is looked up once, and what follows goes by what it holds. */
export interface WrittenWord {
  readonly written: string
  readonly known: KnownWord
}

/** How a language understands words. */
export interface Understanding {
  readonly rules: LanguageRules
  /** The word that begins at a place of a text. */
  wordAt(text: string, from: number): WrittenWord
}

/** How the texts of a release are understood: what its lists make of a word is noted at the word. */
export const understandingIn = perRelease((_, language) => newUnderstanding(LANGUAGE_RULES[language]))

export function newUnderstanding(rules: LanguageRules): Understanding {
  const known = remembered(MOST_WORDS, knowledgeOf(rules))
  const atHand = new Array<WrittenWord | undefined>(AT_HAND).fill(undefined)
  // Most words were read before: their letters are compared, and nothing is made of them.
  const wordAt = (text: string, from: number): WrittenWord => {
    let letters = 0
    let to = from
    do {
      const end = to + unitsAt(text, to)
      for (; to < end; to++) letters = Math.imul(letters ^ text.charCodeAt(to), PRIME)
    } while (goesOn(text, to))
    const place = (letters ^ (letters >>> 15)) & (AT_HAND - 1)
    const before = atHand[place]
    if (before !== undefined && stands(before.written, text, from, to)) return before
    const written = ownLetters(text.slice(from, to))
    const word = { written, known: known(fold(written.slice(0, LONGEST_WORD))) }
    atHand[place] = word
    return word
  }
  return { rules, wordAt }
}

function stands(word: string, text: string, from: number, to: number): boolean {
  if (word.length !== to - from) return false
  for (let at = 0; at < word.length; at++) if (word.charCodeAt(at) !== text.charCodeAt(from + at)) return false
  return true
}

/** A word that is kept would keep in memory the whole text that it was cut from: it is cut from a copy of its own. */
const ownLetters = (word: string): string => ` ${word}`.slice(1)
