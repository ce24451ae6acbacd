/** One line of the report: the figure, the limit it is compared with, and whether it meets its bar. */
export type Row = {
  name: string
  value: number
  unit: string
  /** The limit measured in the same run, by name. */
  against?: string
  ratio?: number
  /** The smallest ratio that passes or, with `atMost`, the largest value. */
  bar?: number
  atMost?: boolean
  note?: string
}

/** Says in a sentence what was not measured here, and what it would need. */
export type LeaveOut = (why: string) => void

/** Whether the row meets its bar; null when it has none. */
export function meetsBar({ value, ratio, bar, atMost = false }: Row): boolean | null {
  if (bar === undefined) return null
  const measured = ratio ?? value
  return atMost ? measured <= bar : measured >= bar
}

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const [low, high] = [sorted[sorted.length % 2 ? middle : middle - 1] ?? 0, sorted[middle] ?? 0]
  return (low + high) / 2
}
