import type { ShellFacts } from '../../src/http/pages/patient-page.ts'
import type { Language } from './api.ts'
import { WORDS } from './words/words.ts'

const SECRET = /^#([A-Za-z0-9_-]{43})$/
const LANGUAGE_COOKIE = 'fyr-language'
const A_YEAR_S = 31_536_000

/** What the page knows before it asks anything: where it was opened, and what is in its HTML. */
export type Facts = ShellFacts & {
  slug: string
  emergencyNumber: string
  clinicPhone: string | null
  /** `t`: the public address; `s`: a personal link. */
  entrance: 't' | 's'
  secret: string | null
  isFramed: boolean
}

/** Takes the secret of a link out of the address, so that it is in no history and nobody sees it. */
export function takeSecret(): string | null {
  const secret = SECRET.exec(location.hash)?.[1] ?? null
  if (location.hash) history.replaceState(history.state, '', location.pathname + location.search)
  return secret
}

/** Reads the page's facts. The secret of a link leaves the address bar before anything else happens. */
export function readFacts(): Facts {
  const secret = takeSecret()
  const told: ShellFacts = JSON.parse(document.getElementById('facts')?.textContent ?? '{}')
  const { slug = '', number = '112', clinic = null } = document.documentElement.dataset
  return {
    ...told,
    slug,
    emergencyNumber: number,
    clinicPhone: clinic,
    entrance: location.pathname.startsWith('/s/') ? 's' : 't',
    secret,
    isFramed: window.parent !== window,
  }
}

/** Remembers the language for the next visit; in a cookie, so that the page's own HTML comes in it too. */
export function rememberLanguage(language: Language): void {
  document.documentElement.lang = WORDS[language].tag
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser
  document.cookie = `${LANGUAGE_COOKIE}=${language}; path=/; max-age=${A_YEAR_S}; samesite=lax`
}
