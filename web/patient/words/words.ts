import type { Language } from '../../../src/engine/content.ts'
import { en, type Words } from './en.ts'
import { fi } from './fi.ts'
import { no } from './no.ts'
import { sv } from './sv.ts'

export type { NoticeKind, Words } from './en.ts'

export const WORDS: Record<Language, Words & { tag: string }> = {
  en: { ...en, tag: 'en' },
  fi: { ...fi, tag: 'fi' },
  no: { ...no, tag: 'nb' },
  sv: { ...sv, tag: 'sv' },
}
