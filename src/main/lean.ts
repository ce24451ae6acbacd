import { setFlagsFromString } from 'node:v8'

/** The old is swept before it has grown by half: what a process keeps is its content, and the rest is soon done with. */
const SWEPT_SOON = '--heap-growing-percent=30'

/**
 * How a process is begun: it serves many small requests and keeps little of each. Space for the young is used up and swept
 * often enough, and so is the old. Half the memory for a little more work.
 */
export const LEAN = ['--max-semi-space-size=8', SWEPT_SOON]

/** Threads share two arenas, and large pieces, as of a release that is read, go back to the system. */
export const LEAN_ENVIRONMENT = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' }

/** As lean as a process can become that runs already: two thirds of the memory. */
export const becomeLean = (): void => setFlagsFromString(SWEPT_SOON)
