import type { CompiledRelease, Heard, HeardDanger, Language } from '../content.ts'
import { dangersIn, likelyLanguage, type Readings, readInAll, signsIn, type Telling } from './danger.ts'
import { factsIn } from './facts.ts'
import { complaintsIn } from './propose.ts'
import { cutUp } from './read.ts'

/** The kind of danger whose words do not tell which. */
const UNCLEAR = 'danger'

/**
 * What a text tells: complaints to propose, dangers to ask about, facts to confirm. It is read when the text is given and kept with it, so that
 * no later reader hears anything else in it. `accepts` leaves out complaints that do not hold for this patient.
 */
export function hear(
  release: CompiledRelease,
  text: string,
  language: Language,
  accepts: (id: string) => boolean,
): Heard {
  const readings = readInAll(cutUp(text))
  const likely = likelyLanguage(readings, language)
  const complaints = complaintsIn(release, readings, language, accepts)
  const matter = matterIn(release, readings, language)
  return {
    complaints: complaints.map(({ id, score, matched }) => ({ id, score, words: matched.join(' ') })),
    dangers: dangersOf(release, readings, likely),
    facts: factsIn(text, likely),
    ...(matter && { matter }),
  }
}

/** What the text tells of danger, by kind; what tells of no kind only where it says more than the kinds that were heard. */
function dangersOf(release: CompiledRelease, readings: Readings, language: Language): HeardDanger[] {
  const signs = signsIn(release, readings, language)
  const explained = new Set(signs.flatMap(({ places }) => places))
  const unclear = dangersIn(release, readings, language).filter(
    ({ places }) => !places.every((at) => explained.has(at)),
  )
  const heard = new Map<string, HeardDanger>()
  const add = (kind: string, { words }: Telling) => {
    if (!heard.has(kind)) heard.set(kind, { kind, sureness: 'lead', words })
  }
  for (const telling of signs) {
    const kind = release.dangers.find((one) => one.signs.includes(telling.sign ?? ''))
    if (kind) add(kind.id, telling)
  }
  for (const telling of unclear) add(UNCLEAR, telling)
  return [...heard.values()]
}

/** What else than an illness the text is about. */
function matterIn(release: CompiledRelease, readings: Readings, language: Language): Heard['matter'] {
  const [first] = complaintsIn(release, readings, language, () => true)
  const kind = release.complaints.find(({ id }) => id === first?.id)?.kind
  return kind === 'prescription' || kind === 'certificate' || kind === 'admin' ? kind : undefined
}
