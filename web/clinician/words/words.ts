import { factsOf, type Language, type LanguageFacts, perLanguage } from '../../../src/engine/languages.ts'
import { en, type Words as Texts } from './en.ts'
import { fi } from './fi.ts'
import { no } from './no.ts'
import { sv } from './sv.ts'

const TEXTS: Record<Language, Texts> = { en, fi, no, sv }

/** The texts of a language, and what is known of it. */
export type Words = Texts & LanguageFacts
export const WORDS: Record<Language, Words> = perLanguage((language) => ({ ...TEXTS[language], ...factsOf(language) }))
