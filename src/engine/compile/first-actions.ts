import type { Complaint, Expression, SourceLine } from '../content.ts'
import type { FirstAction } from '../deciding/first-actions.ts'
import type { Located } from './document.ts'
import type { Reading } from './reading.ts'

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
