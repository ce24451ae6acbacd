import { type Truths, YES } from '../conditions/evaluate.ts'
import { type Expression, LEVELS, type Rule } from '../content.ts'
import type { Content } from '../load.ts'

/** One that gives way to another, or is said otherwise to some. */
export interface FirstAction {
  readonly id: string
  /** Actions that contradict it: where one of them is named too, that one takes its place. */
  readonly unless?: readonly string[]
  /** Said in its place where `when` holds. */
  readonly instead?: string
  readonly when?: Expression
}

/** As many as can be kept in mind; of several dangers that are equally urgent one more. */
const ENOUGH = 3
const MOST = 4

interface Known {
  readonly content: Pick<Content, 'firstActions'>
  readonly truths: Pick<Truths, 'of'>
}

/** What to do first against the dangers that are true, by path of the words: of the most urgent ones the foremost of each before the second of any; of milder ones only while that is little. */
export function firstActionsOf(rules: readonly Rule[], { content, truths }: Known): string[] {
  const named = new Set<string>()
  for (const level of LEVELS) {
    if (level > 'Level3' || named.size >= ENOUGH) break
    const lists = rules.filter((rule) => rule.level === level).map(({ first = [] }) => first)
    const longest = Math.max(0, ...lists.map(({ length }) => length))
    for (let at = 0; at < longest; at++)
      for (const list of lists) for (const id of list.slice(at, at + 1)) named.add(id)
  }
  const { firstActions } = content
  const winnerOver = (id: string) => firstActions.get(id)?.unless?.find((other) => named.has(other))
  const said = [...named].map((id) => {
    let winner = id
    for (let left = named.size; left > 0; left--) winner = winnerOver(winner) ?? winner
    const { instead, when } = firstActions.get(winner) ?? {}
    return instead !== undefined && when !== undefined && truths.of(when) === YES ? instead : winner
  })
  return [...new Set(said)].slice(0, MOST).map((id) => `first.${id}`)
}
