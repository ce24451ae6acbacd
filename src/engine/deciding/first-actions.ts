import { LEVELS, type Rule } from '../content.ts'

/** More than anyone can do before help answers. */
const MOST = 4
const LEAST_URGENT = LEVELS.indexOf('Level3')

/** What to do first against the dangers that are true, by path of the words: most urgent first, and of each the foremost before the second of any. */
export function firstActionsOf(rules: readonly Rule[]): string[] {
  const ids = LEVELS.slice(0, LEAST_URGENT + 1).flatMap((level) => {
    const lists = rules.filter((rule) => rule.level === level).map(({ first = [] }) => first)
    const longest = Math.max(0, ...lists.map(({ length }) => length))
    return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list[at] ?? [])).flat()
  })
  return [...new Set(ids)].slice(0, MOST).map((id) => `first.${id}`)
}
