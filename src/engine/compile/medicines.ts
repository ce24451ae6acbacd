import {
  COMPLAINT_KINDS,
  type Complaint,
  type Named,
  type NamedAsk,
  type NamedGroup,
  type NamedLocal,
  type Question,
} from '../content.ts'
import type { Located } from './document.ts'
import { WRITTEN } from './kinds.ts'
import type { Reading } from './reading.ts'

/** The names of medicines that count as an answer; a name must be long enough not to be found in other words. What belongs to a questionnaire is left out where there is none. */
export function readMedicines(
  root: Located | undefined,
  questions: ReadonlyMap<string, Question>,
  complaints: readonly Pick<Complaint, 'kind'>[],
  reading: Reading,
): Named | undefined {
  if (!root) return undefined
  const entries = reading.map(root, 'medicines.yaml', ['from', 'local', 'groups', 'asks', 'of'])
  const kinds = reading.map(entries.get('of'), 'of', COMPLAINT_KINDS)
  const parts = complaints.flatMap(({ kind }) => {
    const part = kinds.get(kind)
    return part ? [reading.map(part, `of ${kind}`, ['from', 'groups'])] : []
  })
  const all = [entries, ...parts]
  const local = localIn(entries.get('local'), reading)
  return {
    ...(local && { local }),
    from: all.flatMap((part) => textsIn(part.get('from'), 'from', questions, reading)),
    groups: all.flatMap((part) =>
      reading.list(part.get('groups'), 'groups').flatMap((node) => groupIn(node, questions, reading)),
    ),
    asks: reading.list(entries.get('asks'), 'asks').flatMap((node) => askIn(node, questions, reading)),
  }
}

function textsIn(
  list: Located | undefined,
  what: string,
  questions: ReadonlyMap<string, Question>,
  reading: Reading,
): string[] {
  return reading.list(list, what).flatMap((node) => {
    const id = reading.id(node, what, 'snake')
    if (id !== undefined && questions.get(id)?.kind !== 'text')
      reading.problem(node.place, `${what}: there is no text question "${id}".`)
    return id ?? []
  })
}

/** Texts beside those of all names; one that belongs to a complaint is left out where a release has not that complaint. */
const alsoIn = (list: Located | undefined, questions: ReadonlyMap<string, Question>, reading: Reading): string[] =>
  reading.list(list, 'also').flatMap((node) => {
    const id = reading.id(node, 'also', 'snake')
    const asked = questions.get(id ?? '')
    if (asked && asked.kind !== 'text') reading.problem(node.place, `also: "${id}" is no text question.`)
    return asked && id !== undefined ? [id] : []
  })

function localIn(node: Located | undefined, reading: Reading): NamedLocal | undefined {
  if (!node) return undefined
  const keys = reading.map(node, 'local', ['names', 'beside', 'between'])
  const words = (key: string) => reading.text(keys.get(key), `local: ${key}`)?.split(/\s+/).filter(Boolean) ?? []
  return { names: words('names'), beside: words('beside'), between: words('between') }
}

function groupIn(node: Located, questions: ReadonlyMap<string, Question>, reading: Reading): NamedGroup[] {
  const keys = reading.map(node, 'A group of names', ['question', 'option', 'names', 'also'])
  const question = reading.id(keys.get('question'), 'question', 'snake')
  const option = reading.id(keys.get('option'), 'option', 'kebab')
  const also = keys.has('also') ? alsoIn(keys.get('also'), questions, reading) : undefined
  const names = namesIn(node, keys.get('names'), `${question} ${option ?? ''}`, reading)
  const asked = questions.get(question ?? '')
  const isAnswer =
    option === undefined
      ? asked && WRITTEN[asked.kind].type === 'bool'
      : asked?.kind === 'many' && asked.options?.some(({ id }) => id === option)
  if (question === undefined || !isAnswer) {
    reading.problem(node.place, `"${question} ${option ?? ''}" is no sign and no option of a question of kind many.`)
    return []
  }
  return [{ question, ...(option !== undefined && { option }), names, ...(also && { also }) }]
}

/** Names that call for signs of the emergency check; where a release has not all of them, for none. */
function askIn(node: Located, questions: ReadonlyMap<string, Question>, reading: Reading): NamedAsk[] {
  const keys = reading.map(node, 'Names that ask', ['signs', 'names', 'with', 'also', 'ticked'])
  const signs = reading.list(keys.get('signs'), 'signs').flatMap((sign) => reading.id(sign, 'sign', 'snake') ?? [])
  const also = keys.has('also') ? alsoIn(keys.get('also'), questions, reading) : undefined
  const whose = signs.join(', ')
  const names = namesIn(node, keys.get('names'), whose, reading)
  const beside = keys.has('with') ? namesIn(node, keys.get('with'), whose, reading) : undefined
  const ticked = keys.has('ticked') ? tickedIn(keys.get('ticked'), questions, reading) : undefined
  return signs.every((id) => questions.has(id))
    ? [{ signs, names, ...(beside && { with: beside }), ...(also && { also }), ...(ticked && { ticked }) }]
    : []
}

/** Options by the question of kind many that they belong to. */
function tickedIn(
  node: Located | undefined,
  questions: ReadonlyMap<string, Question>,
  reading: Reading,
): Record<string, string[]> {
  const lists = reading.map(node, 'ticked', [...questions.keys()])
  return Object.fromEntries(
    [...lists].map(([question, list]) => {
      const options = reading.list(list, 'ticked').flatMap((one) => reading.id(one, 'ticked', 'kebab') ?? [])
      const known = questions.get(question)?.options?.map(({ id }) => id) ?? []
      const stranger = options.find((option) => !known.includes(option))
      if (stranger !== undefined || questions.get(question)?.kind !== 'many')
        reading.problem(list.place, `ticked: "${question} ${stranger ?? ''}" is no option of a question of kind many.`)
      return [question, options]
    }),
  )
}

function namesIn(node: Located, written: Located | undefined, whose: string, reading: Reading): string[] {
  const names = reading.text(written, 'names')?.split(/\s+/).filter(Boolean) ?? []
  // Words that count together find less by chance
  const isShort = (name: string) => name.split('+').some((part, _, parts) => part.length < (parts.length > 1 ? 3 : 4))
  const short = names.find((name) => isShort(name) || name !== name.toLowerCase())
  if (short !== undefined || names.length === 0)
    reading.problem(node.place, `The names of ${whose} must be four small letters or more: "${short ?? ''}".`)
  // What was typed is read without hyphens
  const hyphened = names.find((name) => name.includes('-'))
  if (hyphened !== undefined)
    reading.problem(node.place, `Write the name "${hyphened}" of ${whose} without its hyphen.`)
  return names
}
