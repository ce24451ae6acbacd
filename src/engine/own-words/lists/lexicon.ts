import type { Word } from '../read.ts'
import type { LanguageRules } from '../rules.ts'
import { Stems } from '../stems.ts'
import { LookUp, SHORTEST_PART, SHORTEST_PREFIX, STARTS } from './look-up.ts'

/** The words that search terms are made of. A unit is one meaning: every form of a word, and words that mean the same. */
export interface Lexicon {
  readonly units: number
  add(word: Word): number
  /** Takes up all words that were added, to look others up among them. */
  lookUp(): LookUp
}

/** A strict lexicon matches words as written, or by their beginning; any other also splits compounds and knows synonyms. */
export function createLexicon(rules: LanguageRules, strict: boolean): Lexicon {
  const unitOf = new Map<string, number>()
  const forms = new Map<string, number>()
  const stems = new Map<string, number>()
  const groupOf = new Map<string, string>()
  const starts = new Set<string>()
  const inflected = new Stems(rules)
  for (const group of strict ? rules.alikeInDanger : rules.alike) {
    for (const word of group) {
      groupOf.set(inflected.stemOf(word), `=${group[0]}`)
      starts.add(word.slice(0, STARTS))
    }
  }

  /** A short stem belongs to more than one word: too weak to mean danger. */
  const isTelling = (stem: string) => stem.length >= (strict ? SHORTEST_PREFIX : SHORTEST_PART)

  function unitFor({ form, stem }: Word): number {
    const key = groupOf.get(stem) ?? (isTelling(stem) ? stem : form)
    const unit = unitOf.get(key) ?? unitOf.size
    unitOf.set(key, unit)
    return unit
  }

  /** A word of a synonym group counts as known when its group is. */
  function stemsWithGroups(): Map<string, number> {
    const all = new Map(stems)
    for (const [stem, group] of groupOf) {
      const unit = unitOf.get(group)
      if (unit !== undefined && !all.has(stem)) all.set(stem, unit)
    }
    return all
  }

  return {
    get units() {
      return unitOf.size
    },
    add(word) {
      const unit = unitFor(word)
      const { form, stem } = word
      if (forms.has(form)) return unit
      forms.set(form, unit)
      if (isTelling(stem)) stems.set(stem, unit)
      starts.add(form.slice(0, STARTS))
      return unit
    },
    lookUp: () => new LookUp(rules, strict, { forms, stems: stemsWithGroups(), starts }),
  }
}
