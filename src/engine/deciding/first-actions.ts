import { type CompiledRelease, LEVELS, type Rule } from '../content.ts'

/** As many as can be kept in mind; of several dangers that are equally urgent one more. */
const ENOUGH = 3
const MOST = 4

/** What to do first against the dangers that are true, by path of the words: of the most urgent ones the foremost of each before the second of any; of milder ones only while that is little. Of those that contradict each other only the foremost of their group is left. */
export function firstActionsOf(rules: readonly Rule[], either: CompiledRelease['eitherFirst'] = []): string[] {
  const ids = new Set<string>()
  for (const level of LEVELS) {
    if (level > 'Level3' || ids.size >= ENOUGH) break
    const lists = rules.filter((rule) => rule.level === level).map(({ first = [] }) => first)
    const longest = Math.max(0, ...lists.map(({ length }) => length))
    for (let at = 0; at < longest; at++) for (const list of lists) for (const id of list.slice(at, at + 1)) ids.add(id)
  }
  for (const group of either) for (const id of group.filter((one) => ids.has(one)).slice(1)) ids.delete(id)
  return [...ids].slice(0, MOST).map((id) => `first.${id}`)
}
