/** How many times as much a test tries: once in `npm test`, many times in `npm run test:long`. */
export const SWEEP = Number(process.env.SWEEP ?? 1)

/** The first variants in `npm test`, all of them in `npm run test:long`. */
export const sliceOf = <T>(variants: readonly T[], few = 1): readonly T[] =>
  SWEEP > 1 ? variants : variants.slice(0, few)
