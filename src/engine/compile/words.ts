import type { DangerKind, Language, Question, SourceLine } from '../content.ts'
import { bareValuesIn, parseMessage, variablesIn } from '../text/icu.ts'
import type { Located } from './document.ts'
import type { Reading } from './reading.ts'
import type { ExpectedText } from './texts.ts'

export interface WordsFile {
  readonly language: Language
  readonly file: string
  readonly root: Located
}

const LISTS = ['search', 'danger', 'heard']
/** An option may say by which words patients tell of it before they are asked. */
const HEARD = 'heard'

/** Checks one folder's words in all languages against the expected texts, and returns them by path. */
export function readWords(
  expected: readonly ExpectedText[],
  files: readonly WordsFile[],
  reading: Reading,
): Map<Language, Map<string, string>> {
  const byKey = new Map(expected.map((text) => [text.key.join(' '), text]))
  const found = new Map<Language, Map<string, string>>()
  const optionalSomewhere = new Set<string>()
  for (const { language, root } of files) {
    const words = new Map<string, string>()
    found.set(language, words)
    for (const leaf of leavesOf(root, [])) {
      if (LISTS.includes(leaf.key[0] ?? '') || isOfOption(leaf.key)) continue
      const text = byKey.get(leaf.key.join(' '))
      if (!text) {
        const split = leaf.value === null && /\s/.test(leaf.key.at(-1) ?? '')
        const fix = split
          ? 'a comma inside { } ends the text, so put quotes around the whole text'
          : 'remove it, or correct the name'
        reading.problem(leaf.place, `"${leaf.key.join(' → ')}" is said here but nothing uses it: ${fix}.`)
        continue
      }
      const message = typeof leaf.value === 'string' ? leaf.value.trim() : ''
      if (!message) {
        reading.problem(leaf.place, `"${leaf.key.join(' → ')}" is empty: write the text.`)
        continue
      }
      checkMessage(message, text, leaf.place, reading)
      if (text.optional) optionalSomewhere.add(text.path)
      words.set(text.path, message)
    }
  }
  for (const { language, root } of files) {
    for (const text of expected) {
      if (found.get(language)?.has(text.path)) continue
      if (text.optional && !optionalSomewhere.has(text.path)) continue
      const why = text.optional ? ' (another language has it)' : ''
      reading.problem(
        nearestPlace(root, text.key),
        `The ${language} text for "${text.key.join(' → ')}" is missing${why}: add it.`,
      )
    }
  }
  return found
}

/** The everyday words of a list such as `search`. */
export function readList(root: Located, key: string, reading: Reading): string[] {
  const node = root.kind === 'map' ? root.entries.get(key) : undefined
  return reading.list(node, key).flatMap((item) => reading.text(item, key)?.trim() ?? [])
}

/** The everyday words of each sign that can be heard in them. */
export function readHeard(
  root: Located,
  signs: ReadonlySet<string>,
  dangers: readonly DangerKind[],
  reading: Reading,
): Record<string, string[]> {
  const node = root.kind === 'map' ? root.entries.get('heard') : undefined
  const heard: Record<string, string[]> = {}
  for (const [sign, list] of reading.map(node, 'heard')) {
    if (!signs.has(sign)) reading.problem(list.place, `heard: there is no sign "${sign}".`)
    else if (!dangers.some((danger) => danger.signs.includes(sign)))
      reading.problem(list.place, `heard: "${sign}" is a sign of no kind of danger: name it in own-words/dangers.yaml.`)
    heard[sign] = reading.list(list, `heard: ${sign}`).flatMap((item) => reading.text(item, sign)?.trim() ?? [])
  }
  return heard
}

/** The words that tell of an option, by question: in the texts of the option, beside what is shown. */
export function readOptionWords(
  root: Located,
  questions: readonly Question[],
  reading: Reading,
): Record<string, Record<string, string[]>> {
  const told: Record<string, Record<string, string[]>> = {}
  for (const { key, place } of leavesOf(root, [])) {
    const [, question = '', , option = ''] = key
    if (!isOfOption(key)) continue
    const asked = questions.find(({ id }) => id === question)
    const offered = asked?.options?.find(({ id }) => id === option)
    if (!asked || !offered) reading.problem(place, `heard: there is no option "${option}" of a question "${question}".`)
    else if (asked.kind !== 'one')
      reading.problem(place, `heard: "${question}" takes several options: who confirms one would not read the others.`)
    else if (offered.redFlag) reading.problem(place, `heard: "${option}" is a danger, and dangers are always asked.`)
    told[question] = { ...told[question], [option]: listAt(root, key, reading) }
  }
  return told
}

const isOfOption = (key: readonly string[]): boolean =>
  key.length === 5 && key[0] === 'questions' && key[2] === 'options' && key[4] === HEARD

function listAt(root: Located, key: readonly string[], reading: Reading): string[] {
  let node: Located | undefined = root
  for (const name of key) node = node?.kind === 'map' ? node.entries.get(name) : undefined
  return reading.list(node, HEARD).flatMap((item) => reading.text(item, HEARD)?.trim() ?? [])
}

/** Variables that select between texts: the case required beside `other`, and one that is allowed. */
const CASES: Readonly<Record<string, { must: string; may?: string }>> = {
  who: { must: 'self', may: 'child' },
  clinic: { must: 'phone' },
  reach: { must: 'yes' },
  haste: { must: 'now' },
  adviceNumber: { must: 'none' },
  crisisLine: { must: 'none' },
  poisonLine: { must: 'none' },
}
/** Numbers that a configuration may lack: a text names one only in a clause that is dropped without it. */
const MAY_BE_MISSING = ['adviceNumber', 'crisisLine', 'poisonLine']

function checkMessage(message: string, text: ExpectedText, place: SourceLine, reading: Reading): void {
  if (!/[{}']/.test(message)) return
  const name = text.key.join(' → ')
  try {
    const parsed = parseMessage(message)
    for (const [variable, cases] of variablesIn(parsed)) {
      if (!text.variables.includes(variable)) {
        const allowed = text.variables.length
          ? `It may use ${text.variables.map((one) => `{${one}}`).join(', ')}.`
          : 'It takes no variables.'
        reading.problem(place, `"${name}" uses {${variable}}, which nothing fills. ${allowed}`)
      } else {
        const { must, may = 'other' } = CASES[variable] ?? {}
        const isRight = (one: string) => one === must || one === may || one === 'other'
        const isOnlyNamed = MAY_BE_MISSING.includes(variable) && cases.size === 0
        if (must && !isOnlyNamed && !(cases.has(must) && cases.has('other') && [...cases].every(isRight)))
          reading.problem(
            place,
            `"${name}": write {${variable}, select, ${must} {…} other {…}} with exactly these cases${may === 'other' ? '' : `, and ${may} {…} if it differs`}.`,
          )
      }
    }
    for (const variable of bareValuesIn(parsed, MAY_BE_MISSING))
      reading.problem(
        place,
        `"${name}" names {${variable}}, which a clinic may not have: write {${variable}, select, none {} other {… {${variable}} …}}.`,
      )
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    reading.problem(place, `"${name}" cannot be read: ${error.message}`)
  }
}

interface Leaf {
  readonly key: readonly string[]
  readonly value: unknown
  readonly place: SourceLine
}

function* leavesOf(node: Located, key: readonly string[]): Generator<Leaf> {
  if (node.kind === 'map') {
    for (const [name, child] of node.entries) yield* leavesOf(child, [...key, name])
  } else yield { key, value: node.kind === 'scalar' ? node.value : undefined, place: node.place }
}

function nearestPlace(root: Located, key: readonly string[]): SourceLine {
  let node = root
  for (const name of key) {
    const child = node.kind === 'map' ? node.entries.get(name) : undefined
    if (!child) break
    node = child
  }
  return node.place
}
