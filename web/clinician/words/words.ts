import type { Language } from '../../../src/engine/content.ts'
import { en, type Words } from './en.ts'
import { fi } from './fi.ts'
import { no } from './no.ts'
import { sv } from './sv.ts'

export type { Words }

export const WORDS: Readonly<Record<Language, Words>> = { en, fi, no, sv }

/** The language as browsers and Intl know it. */
export const tagOf = (language: Language): string => (language === 'no' ? 'nb' : language)
