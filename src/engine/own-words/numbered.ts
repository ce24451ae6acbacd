/** By what a number is multiplied before the next letter is added to it. */
export const PRIME = 0x01000193
/** Spreads numbers, whose first bits then point to a place of their own. */
const SPREAD = 0x9e3779b1
const BITS = 32
/** So many more places than the table has the filter in front of it: one number in ten comes through that is not in it. */
const FILTER_BITS = 2

/** No slot, or no place. */
export const NONE = -1

/**
 * Places of a list under numbers of 32 bits; several may stand under one, and are found as they came. Most numbers that
 * are asked for are none of these: a filter, small enough to be at hand, turns them away.
 */
export class Numbered {
  private readonly numbers: Int32Array
  private readonly places: Int32Array
  private readonly shift: number
  private readonly filter: Int32Array
  private readonly filterShift: number

  constructor(most: number) {
    const bits = Math.max(4, Math.ceil(Math.log2(2 * most + 1)))
    this.shift = BITS - bits
    this.numbers = new Int32Array(2 ** bits)
    this.places = new Int32Array(2 ** bits)
    this.filterShift = this.shift - FILTER_BITS
    this.filter = new Int32Array(2 ** (bits + FILTER_BITS) / BITS)
  }

  add(number: number, place: number): void {
    const spread = Math.imul(number, SPREAD)
    const bit = spread >>> this.filterShift
    this.filter[bit >>> 5] = (this.filter[bit >>> 5] as number) | (1 << bit)
    let slot = spread >>> this.shift
    while (this.places[slot] !== 0) slot = (slot + 1) & (this.places.length - 1)
    this.numbers[slot] = number
    this.places[slot] = place + 1
  }

  /** The first slot of a number; `NONE` where it has none. */
  first(number: number): number {
    const spread = Math.imul(number, SPREAD)
    const bit = spread >>> this.filterShift
    if (((this.filter[bit >>> 5] as number) & (1 << bit)) === 0) return NONE
    return this.from(spread >>> this.shift, number)
  }

  /** The slot of a number after this one. */
  next(slot: number, number: number): number {
    return this.from((slot + 1) & (this.places.length - 1), number)
  }

  placeAt(slot: number): number {
    return (this.places[slot] as number) - 1
  }

  private from(begin: number, number: number): number {
    const { numbers, places } = this
    for (let slot = begin; places[slot] !== 0; slot = (slot + 1) & (places.length - 1))
      if (numbers[slot] === number) return slot
    return NONE
  }
}
