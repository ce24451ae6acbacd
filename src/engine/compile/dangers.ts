import type { DangerKind, Senses } from '../content.ts'
import type { Located } from './document.ts'
import type { Reading } from './reading.ts'

/** As many as one screen shows. */
const MOST_SIGNS = 7

/** The kinds of danger that can be heard in own words, each with the signs that are asked about then. */
export function readDangers(
  root: Located | undefined,
  signs: ReadonlySet<string>,
  reading: Reading,
): readonly DangerKind[] {
  const kinds = new Map<string, DangerKind>()
  const entries = reading.map(root, 'dangers.yaml', ['dangers'])
  for (const node of reading.list(entries.get('dangers'), 'dangers')) {
    const keys = reading.map(node, 'A kind of danger', ['id', 'complaint', 'signs', 'note'])
    const id = reading.id(keys.get('id'), 'A kind of danger: id', 'kebab')
    const place = keys.get('id')?.place ?? node.place
    if (id === undefined) {
      reading.problem(place, 'This kind of danger needs an "id".')
      continue
    }
    if (kinds.has(id)) reading.problem(place, `The kind of danger "${id}" is there twice: remove one.`)
    const about = reading.list(keys.get('signs'), `Danger ${id}: signs`).flatMap((item) => {
      const sign = reading.id(item, `Danger ${id}: sign`, 'snake')
      if (sign !== undefined && !signs.has(sign))
        reading.problem(item.place, `Danger "${id}": there is no sign "${sign}".`)
      return sign ?? []
    })
    if (about.length > MOST_SIGNS)
      reading.problem(place, `Danger "${id}" has more than ${MOST_SIGNS} signs: keep the most telling ones.`)
    const note = reading.flag(keys.get('note'), `Danger ${id}: note`)
    const complaint = reading.id(keys.get('complaint'), `Danger ${id}: complaint`, 'kebab')
    kinds.set(id, { id, signs: about, ...(complaint && { complaint }), ...(note && { note: true as const }) })
  }
  return [...kinds.values()]
}

/** Words that point the same way, by sense: each sense is a line of them. */
export function readSenses(root: Located | undefined, reading: Reading): Senses {
  const senses: Record<string, readonly string[]> = {}
  const entries = reading.map(root, 'senses.yaml', ['senses'])
  for (const [sense, node] of reading.map(entries.get('senses'), 'senses'))
    senses[sense] = reading.text(node, `Sense ${sense}`)?.split(/\s+/) ?? []
  return senses
}
