/** What the patient is shown with an urgent level, most urgent first. */
export const FLAGS = ['red', 'warning'] as const
export type Flag = (typeof FLAGS)[number]

/** How soon the safety net asks for care: where the verdict is a matter of hours, "the same day" would be later than it. */
export const hasteOf = (flag: Flag | null): 'now' | 'day' => (flag === null ? 'day' : 'now')

/** The flag of a level by its place in the list of levels: red for the first three, a warning for the fourth. */
export const flagAt = (rank: number): Flag | null =>
  rank < 0 ? null : rank <= 2 ? 'red' : rank === 3 ? 'warning' : null
