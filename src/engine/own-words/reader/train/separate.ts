/** One example as numbers: which features it has, and how much of each. */
export interface Point {
  readonly features: Uint32Array
  readonly amounts: Float64Array
  /** The sum of the squares of the amounts, with that of the bias. */
  readonly squares: number
}

/** On which side a point belongs: 1 and -1; 0 says nothing. What a mistake with it costs. */
export interface Side {
  readonly side: number
  readonly cost: number
}

const ROUNDS = 12

/** Whole numbers that look drawn by lot, the same ones for the same seed on every machine. */
export function lots(seed: number): (below: number) => number {
  let state = seed >>> 0 || 1
  return (below) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
}

/**
 * The weights that part the points of one side from those of the other with the widest margin: a support vector machine, solved point by point in its dual
 * form. It uses + − × ÷ alone, in an order that only the seed decides, so that every machine finds the same weights to the last bit.
 */
export function separate(points: readonly Point[], sides: readonly Side[], features: number, seed: number) {
  const weights = new Float64Array(features)
  let bias = 0
  const shares = new Float64Array(points.length)
  const order = points.flatMap((_, at) => (sides[at]?.side ? [at] : []))
  const lot = lots(seed)
  for (let round = 0; round < ROUNDS; round++) {
    for (let last = order.length - 1; last > 0; last--) {
      const other = lot(last + 1)
      const kept = order[last] as number
      order[last] = order[other] as number
      order[other] = kept
    }
    let moved = 0
    for (const at of order) {
      const { features: has, amounts, squares } = points[at] as Point
      const { side, cost } = sides[at] as Side
      let sum = bias
      for (let place = 0; place < has.length; place++)
        sum += (weights[has[place] as number] as number) * (amounts[place] as number)
      const before = shares[at] as number
      const share = Math.min(Math.max(before - (side * sum - 1) / squares, 0), cost)
      if (share === before) continue
      shares[at] = share
      const step = (share - before) * side
      moved += step < 0 ? -step : step
      bias += step
      for (let place = 0; place < has.length; place++) {
        const feature = has[place] as number
        weights[feature] = (weights[feature] as number) + step * (amounts[place] as number)
      }
    }
    if (moved < 1e-3 * order.length) break
  }
  return { weights, bias }
}
