/** How many times as much the properties of the content try: once in `npm test`, many times in `npm run test:long`. */
export const SWEEP = Number(process.env.SWEEP ?? 1)
