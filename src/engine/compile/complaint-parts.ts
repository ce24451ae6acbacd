import {
  type AdviceItem,
  type Complaint,
  type Coverage,
  type Differential,
  type Expression,
  LEVELS,
  type Level,
  type SourceLine,
} from '../content.ts'
import type { FirstAction } from '../deciding/first-actions.ts'
import type { CompileCondition, Scope } from './conditions.ts'
import type { Located } from './document.ts'
import type { Reading } from './reading.ts'

const rank = (level: Level) => LEVELS.indexOf(level)

/** Ids in a list that must exist elsewhere in the complaint. */
export function namesIn(
  node: Located | undefined,
  what: string,
  known: { has(name: string): boolean },
  kind: string,
  reading: Reading,
): string[] {
  const names: string[] = []
  for (const item of reading.list(node, what)) {
    const name = reading.text(item, what)
    if (name === undefined) continue
    if (!known.has(name)) reading.problem(item.place, `${what}: there is no ${kind} "${name}" in this complaint.`)
    names.push(name)
  }
  return names
}

export function differentialOf(
  node: Located | undefined,
  condition: CompileCondition,
  scope: Scope,
  reading: Reading,
): Differential[] {
  const seen = new Set<string>()
  return reading.list(node, 'differential').flatMap((item): Differential[] => {
    const entries = reading.map(item, 'A differential', ['id', 'when', 'for', 'against'])
    const id = uniqueId(entries, item, 'differential', seen, reading)
    if (id === undefined) return []
    const listOf = (key: string) =>
      reading
        .list(entries.get(key), `Differential ${id}: ${key}`)
        .map((line) => condition(line, `Differential ${id}: ${key}`, scope))
        .filter((line): line is Expression => line !== undefined)
    const when = condition(entries.get('when'), `Differential ${id}: when`, scope)
    if (!entries.has('for')) reading.problem(item.place, `Differential "${id}" needs "for": what speaks for it.`)
    return [{ id, ...(when && { when }), for: listOf('for'), against: listOf('against') }]
  })
}

export function adviceOf(
  node: Located | undefined,
  key: string,
  condition: CompileCondition,
  scope: Scope,
  reading: Reading,
): AdviceItem[] {
  const seen = new Set<string>()
  return reading.list(node, key).flatMap((item): AdviceItem[] => {
    const entries = reading.map(item, `An entry of ${key}`, ['id', 'levels', 'unless', 'when'])
    const id = uniqueId(entries, item, key, seen, reading)
    if (id === undefined) return []
    const when = condition(entries.get('when'), `${key} ${id}: when`, scope)
    const unless = reading
      .list(entries.get('unless'), `${key} ${id}: unless`)
      .flatMap((action) => reading.id(action, `${key} ${id}: unless`, 'kebab') ?? [])
    const levels = levelsOf(entries.get('levels'), item.place, `${key} ${id}`, reading)
    return [{ id, levels, ...(unless.length > 0 && { unless }), ...(when && { when }) }]
  })
}

function uniqueId(
  entries: ReadonlyMap<string, Located>,
  item: Located,
  what: string,
  seen: Set<string>,
  reading: Reading,
): string | undefined {
  const id = reading.id(entries.get('id'), `${what} id`, 'kebab')
  if (id === undefined) reading.problem(item.place, `This entry of ${what} needs an "id".`)
  else if (seen.has(id)) reading.problem(item.place, `${what} "${id}" exists already: give this one another id.`)
  else seen.add(id)
  return id
}

/** `all`, one level, a range (`Level4-Level8`) or a list. */
function levelsOf(node: Located | undefined, place: SourceLine, what: string, reading: Reading): Level[] {
  if (node?.kind === 'list') return node.items.flatMap((item) => reading.choice(item, `${what}: levels`, LEVELS) ?? [])
  const text = reading.text(node, `${what}: levels`)
  if (text === 'all') return [...LEVELS]
  const [first, last] = (text ?? '').split('-').map((part) => LEVELS.find((level) => level === part.trim()))
  if (first && (last || !text?.includes('-'))) return LEVELS.slice(rank(first), rank(last ?? first) + 1)
  reading.problem(node?.place ?? place, `${what} needs "levels": all, Level5, Level4-Level8 or a list of levels.`)
  return []
}

export function sourcesOf(node: Located | undefined, reading: Reading): Map<string, { title: string; url?: string }> {
  const sources = new Map<string, { title: string; url?: string }>()
  for (const [id, item] of reading.map(node, 'sources')) {
    const entries = reading.map(item, `Source ${id}`, ['title', 'url'])
    const title = reading.text(entries.get('title'), `Source ${id}: title`)
    const url = reading.text(entries.get('url'), `Source ${id}: url`)
    if (!title) reading.problem(item.place, `Source "${id}" needs a "title".`)
    if (url && !url.startsWith('https://'))
      reading.problem(item.place, `Source "${id}": the url must begin with https://.`)
    sources.set(id, { title: title ?? id, ...(url && { url }) })
  }
  return sources
}

export function coverageOf(
  node: Located | undefined,
  sources: ReadonlyMap<string, unknown>,
  rules: ReadonlySet<string>,
  reading: Reading,
): Coverage[] {
  return reading.list(node, 'coverage').map((item): Coverage => {
    const entries = reading.map(item, 'An entry of coverage', ['source', 'says', 'rules', 'notARule'])
    const source = reading.text(entries.get('source'), 'coverage: source') ?? ''
    const says = reading.text(entries.get('says'), 'coverage: says') ?? ''
    const notARule = reading.text(entries.get('notARule'), 'coverage: notARule')
    const named = namesIn(entries.get('rules'), 'coverage: rules', rules, 'rule', reading)
    if (!sources.has(source)) reading.problem(item.place, `coverage: there is no source "${source}" in this complaint.`)
    if (!says) reading.problem(item.place, 'coverage: write under "says" what the source states, in your own words.')
    if (!named.length === !notARule)
      reading.problem(
        item.place,
        'coverage: give either the rules that carry this, or "notARule" with the reason why none does.',
      )
    return { source, says, rules: named, ...(notARule && { notARule }) }
  })
}

/** What rules may say to do first: each is said once among the shared words. */
export function readFirstActions(
  node: Located | undefined,
  complaints: readonly Complaint[],
  condition: (node: Located | undefined, what: string) => Expression | undefined,
  reading: Reading,
): FirstAction[] {
  const actions = reading.list(node, 'firstActions').flatMap((item): FirstAction[] => {
    const entries =
      item.kind === 'map'
        ? reading.map(item, 'A first action', ['id', 'unless', 'instead', 'when'])
        : new Map([['id', item]])
    const name = (key: string) => reading.id(entries.get(key), `A first action: ${key}`, 'kebab')
    const id = name('id')
    const unless = reading
      .list(entries.get('unless'), 'unless')
      .flatMap((other) => reading.id(other, 'A first action: unless', 'kebab') ?? [])
    const when = condition(entries.get('when'), `First action ${id ?? ''}: when`)
    const instead = when && name('instead')
    return id === undefined
      ? []
      : [{ id, ...(unless.length > 0 && { unless }), ...(instead !== undefined && { instead }), ...(when && { when }) }]
  })
  const ids = new Set(actions.map(({ id }) => id))
  const known = (id: string) => ids.has(id)
  for (const { id, unless = [], instead = id } of actions) {
    const stranger = [...unless, instead].find((other) => !known(other))
    if (stranger !== undefined && node)
      reading.problem(node.place, `First action "${id}" speaks of "${stranger}", which is none: correct the name.`)
  }
  const check = (what: string, names: readonly string[], place: SourceLine) => {
    const stranger = names.find((id) => !known(id))
    if (stranger !== undefined)
      reading.problem(place, `${what}: there is no first action "${stranger}" in shared/questions.yaml.`)
  }
  for (const { rules, advice, safetyNet, place } of complaints) {
    for (const { id, first = [], place } of rules) {
      check(`Rule "${id}"`, first, place)
      const loser = actions.find((one) => first.includes(one.id) && one.unless?.some((other) => first.includes(other)))
      if (loser)
        reading.problem(place, `Rule "${id}": "${loser.id}" contradicts another of its first actions: keep one.`)
    }
    for (const item of [...advice, ...safetyNet]) check(`"${item.id}"`, item.unless ?? [], place)
  }
  return actions
}

/** Ids of advice that means the same in every complaint; a folder need not have all the complaints that say it. */
export const readSaidOnce = (node: Located | undefined, reading: Reading): string[] =>
  reading.list(node, 'saidOnce').flatMap((item) => reading.id(item, 'saidOnce', 'kebab') ?? [])
