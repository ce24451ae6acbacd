import { LANGUAGES, type Language } from '../../engine/content.ts'
import { factsOf, tagOf } from '../../engine/languages.ts'
import { escaped } from './html.ts'
import { SHELL_WORDS } from './shell-words.ts'

/** Whom to call: for danger, and for everything else where the clinic has a number. */
export type Numbers = { emergencyNumber: string; clinicPhone: string | null }

export const FALLBACK_NUMBERS: Numbers = { emergencyNumber: '112', clinicPhone: null }

/** A number as a telephone dials it. */
export const telephone = (number: string): string => number.replace(/[^+\d]/g, '')

const STYLE = `:root{color-scheme:light dark}body{margin:0;font:18px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;background:#fbfaf6;color:#12242d}
body::before{content:"";display:block;height:3px;background:linear-gradient(90deg,#f2b134 0 38%,transparent)}
main{max-width:600px;margin:0 auto;padding:40px 20px}section{padding:24px 0;border-top:1px solid #d8d6cc}section:first-child{border:0}
h1,h2{font-size:1.3rem;line-height:1.3;font-weight:650;margin:0 0 8px;text-wrap:balance}p{margin:0 0 16px}
a{display:inline-block;padding:14px 24px;border-radius:10px;background:#b3261e;color:#fff;font-weight:650;text-decoration:none}
a.calm{background:none;color:inherit;box-shadow:inset 0 0 0 1.5px currentcolor}
a.plain{padding:12px 12px 12px 0;background:none;color:#0b5b78;font-weight:400;text-decoration:underline}
a:focus-visible{outline:3px solid #0b5b78;outline-offset:3px}
@media(prefers-color-scheme:dark){body{background:#0b1920;color:#e9eff1}section{border-color:#29404b}a{background:#f2867e;color:#2d0a07}a.calm{background:none;color:inherit}a.plain{background:none;color:#7cc4de}a:focus-visible{outline-color:#f2b134}}`

/** An address that is none, a service that is away, or the address of the service itself. */
export type About = 'missing' | 'away' | 'front'

/**
 * A whole page that needs no script: what is wrong, and the number to call; the local one where none is known. It also
 * serves as a proxy's own error page, so it depends on nothing else. With the script given, it goes on by itself.
 */
export function staticPage(
  languages: readonly Language[],
  numbers: Numbers | null,
  about: About,
  nonce: string,
  script: string | null = null,
): string {
  const [first = 'en'] = languages
  const sections = languages.map((language, at) => {
    const { danger, again, ...words } = SHELL_WORDS[language]
    const heading = at === 0 ? 'h1' : 'h2'
    return `<section lang="${tagOf(language)}"><${heading}>${words[about]}</${heading}>
<p>${about === 'away' ? `${again} ` : ''}${numbers ? danger : words.callLocal}</p>
${numbers ? callLinks(language, numbers, 'call', 'calm') : ''}</section>`
  })
  return `<!doctype html>
<html lang="${tagOf(first)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>Fyr</title><link rel="icon" href="data:,"><style nonce="${nonce}">${STYLE}</style>${script ? `<script type="module" src="${script}"></script>` : ''}</head>
<body><main>${sections.join('\n')}${languages.length === 1 ? otherLanguages(first) : ''}</main></body></html>
`
}

/** The same page in the other languages. */
function otherLanguages(shown: Language): string {
  const links = LANGUAGES.filter((language) => language !== shown).map((language) => {
    const { name, tag } = factsOf(language)
    return `<a class="plain" href="?lang=${language}" lang="${tag}" hreflang="${tag}">${name}</a>`
  })
  return `<p class="languages">${links.join(' ')}</p>`
}

/** The numbers as links: danger first, and nothing else as large. */
export function callLinks(language: Language, numbers: Numbers, danger: string, calm: string): string {
  const { call, callClinic } = SHELL_WORDS[language]
  const { emergencyNumber, clinicPhone } = numbers
  const link = (number: string, label: (number: string) => string, name: string) =>
    `<p><a class="${name}" href="tel:${telephone(number)}">${escaped(label(unbroken(number)))}</a></p>`
  const first = link(emergencyNumber, call, danger)
  return clinicPhone ? `${first}\n${link(clinicPhone, callClinic, calm)}` : first
}

const unbroken = (number: string): string => number.replaceAll(' ', '\u00a0')
