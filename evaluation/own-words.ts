import { existsSync, readFileSync } from 'node:fs'
import { type CompiledRelease, type Heard, LANGUAGES, type Language } from '../src/engine/content.ts'
import { hear } from '../src/engine/own-words/hear.ts'

/** Texts by hands whose words the reader was never trained on; `kind TAB text` or `complaint TAB text`, or the text alone. */
const FOLDER = new URL('own-words/', import.meta.url).pathname
/** So many of the worst confusions are shown, with one example each. */
const MOST_CONFUSIONS = 12

type Labelled = { label: string; text: string }
type Confusion = { language: Language; from: string; to: string; times: number; text: string }

export type OwnWordsFigures = {
  languages: readonly OfLanguage[]
  confusions: readonly Confusion[]
}

type OfLanguage = {
  language: Language
  plain: Told
  roundabout: Told
  /** Danger and harmless matters told in seven words at most, as many people type. */
  short: Told
  shortHarmless: Told
  /** The same in long messages, of 25 to 110 words, in which much else is told. */
  long: Told
  longHarmless: Told
  harmless: Told
  lookAlikes: Told
  complaints: Named
  /** The same in long messages. */
  complaintsLong: Named
}

/** In what share of texts the right complaint is proposed first, or among three. */
type Named = { texts: number; first: number; three: number }

/** How many texts there are, and what share of them was led with, or asked about first (leading included). */
type Told = { texts: number; led: number; asked: number }

/** Hears every test text, each in the language it is written in. */
export function ownWordsFigures(release: CompiledRelease): OwnWordsFigures {
  const whole = withAllComplaints(release)
  const wrong = new Map<string, Confusion>()
  const languages = LANGUAGES.filter((language) => existsSync(`${FOLDER}${language}`)).map((language): OfLanguage => {
    const heardIn = (text: string) => hear(whole, text, language, () => true)
    const named = (some: readonly Labelled[]): Named => {
      const heard = some.map(({ label, text }) => {
        const ids = heardIn(text).complaints.map(({ id }) => id)
        if (ids[0] !== label) confuse(wrong, language, label, ids[0] ?? 'nothing', text)
        return { isFirst: ids[0] === label, isAmong: ids.slice(0, 3).includes(label) }
      })
      return {
        texts: heard.length,
        first: share(heard, ({ isFirst }) => isFirst),
        three: share(heard, ({ isAmong }) => isAmong),
      }
    }
    const longComplaints = labelled(language, 'complaints-long')
    const dangers = (name: string) =>
      labelled(language, name).map(({ label, text }) => {
        const heard = heardIn(text)
        if (heard.dangers.length === 0) confuse(wrong, language, label, 'not heard', text)
        return heard
      })
    return {
      language,
      plain: told(dangers('dangers-plain')),
      roundabout: told(dangers('dangers-roundabout')),
      short: told(dangers('dangers-short')),
      shortHarmless: told(linesOf(`${language}/harmless-short.txt`).map(heardIn)),
      long: told(dangers('dangers-long')),
      longHarmless: told(
        [...linesOf(`${language}/harmless-long.txt`), ...longComplaints.map(({ text }) => text)].map(heardIn),
      ),
      harmless: told(linesOf(`${language}/harmless.txt`).map(heardIn)),
      lookAlikes: told(linesOf(`${language}/look-alikes.txt`).map(heardIn)),
      complaints: named(labelled(language, 'complaints')),
      complaintsLong: named(longComplaints),
    }
  })
  const confusions = [...wrong.values()].sort((a, b) => b.times - a.times).slice(0, MOST_CONFUSIONS)
  return { languages, confusions }
}

/** The release as if every complaint were written that there are test texts of: the reader is measured, not how far the content has come. */
function withAllComplaints(release: CompiledRelease): CompiledRelease {
  const exists = new Set(release.complaints.map(({ id }) => id))
  const pattern = release.complaints.find(({ kind }) => kind === 'complaint')
  const labels = LANGUAGES.flatMap((language) => labelled(language, 'complaints').map(({ label }) => label))
  const missing = [...new Set(labels)].filter((id) => !exists.has(id))
  return {
    ...release,
    complaints: [...release.complaints, ...missing.flatMap((id) => (pattern ? { ...pattern, id } : []))],
  }
}

const told = (heard: readonly Heard[]): Told => ({
  texts: heard.length,
  led: share(heard, ({ dangers }) => dangers.some(({ sureness }) => sureness === 'lead')),
  asked: share(heard, ({ dangers }) => dangers.length > 0),
})

const share = <T>(all: readonly T[], is: (one: T) => boolean) => all.filter(is).length / Math.max(all.length, 1)

function confuse(wrong: Map<string, Confusion>, language: Language, from: string, to: string, text: string): void {
  const key = `${language} ${from} ${to}`
  wrong.set(key, { language, from, to, text, times: (wrong.get(key)?.times ?? 0) + 1 })
}

function labelled(language: Language, name: string): Labelled[] {
  return linesOf(`${language}/${name}.tsv`).flatMap((line) => {
    const [label = '', text = ''] = line.split('\t')
    return text === '' ? [] : [{ label, text }]
  })
}

function linesOf(name: string): string[] {
  if (!existsSync(FOLDER + name)) return []
  return readFileSync(FOLDER + name, 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

const percent = (value: number) => `${(value * 100).toFixed(1)} %`
const pair = ({ texts, led, asked }: Told) => (texts === 0 ? '–' : `${percent(led)}, ${percent(asked)} of ${texts}`)

const rightly = ({ texts, first, three }: Named) =>
  texts === 0 ? '–' : `${percent(first)}, ${percent(three)} of ${texts}`

/** The figures as a part of the page. */
export function ownWordsPart({ languages, confusions }: OwnWordsFigures): string {
  if (languages.length === 0) return '## Own words\n\nThere are no test texts in `evaluation/own-words` yet.\n'
  const rows = languages.map(
    ({
      language,
      plain,
      roundabout,
      short,
      shortHarmless,
      long,
      longHarmless,
      harmless,
      lookAlikes,
      complaints,
      complaintsLong,
    }) =>
      `| ${language} | ${pair(plain)} | ${pair(roundabout)} | ${pair(short)} | ${pair(shortHarmless)} | ${pair(long)} | ${pair(longHarmless)} | ${pair(harmless)} | ${pair(lookAlikes)} | ${rightly(complaints)} | ${rightly(complaintsLong)} |`,
  )
  return `## Own words

What the trained reader hears in texts whose authors wrote nothing that it was trained on. Of each kind: the share that is led with, and the share that is led with or asked about first.
Complaints that are not written yet count as if they were.

| | danger told plainly | danger told roundabout | danger in a few words | harmless in a few words | danger in a long message | harmless in a long message | harmless | harmless that looks like danger | complaint first, among three | the same in a long message |
|---|---|---|---|---|---|---|---|---|---|---|
| we want | led ≥ 92 % | asked ≥ 85 % | asked ≥ 92 % | led ≤ 3 %, asked ≤ 10 % | asked ≥ 92 % | led ≤ 6 %, asked ≤ 20 % | led ≤ 2 %, asked ≤ 10 % | led ≤ 3 %, asked ≤ 10 % | ≥ 80 %, 93 % | ≥ 75 %, 90 % |
${rows.join('\n')}

The worst confusions:

| | Told | Heard | Times | For example |
|---|---|---|---|---|
${confusions.map(({ language, from, to, times, text }) => `| ${language} | ${from} | ${to} | ${times} | ${text.replaceAll('|', '/')} |`).join('\n')}
`
}
