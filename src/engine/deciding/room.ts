import type { Content } from '../load.ts'

/** Where one reading of the answers keeps what it works out, all zero at first. */
export interface Room {
  readonly marks: Uint8Array
  readonly states: Uint8Array
  readonly spokenOf: Uint8Array
  readonly gates: Int32Array
  /** A zero for each question: two are at hand, since a step needs two. */
  blank(): Uint8Array
}

const AT_HAND = 2

/** One piece of memory for all of it: to get a piece takes a microsecond, however small it is, and each step needs all of these. */
export function roomFor({ conditions: { count }, questions: { length } }: Content): Room {
  const whole = new ArrayBuffer((4 + 2 + AT_HAND) * length + count)
  let free = 4 * length
  const take = (size: number) => {
    free += size
    return new Uint8Array(whole, free - size, size)
  }
  return {
    gates: new Int32Array(whole, 0, length),
    states: take(length),
    spokenOf: take(length),
    marks: take(count),
    blank: () => (free < whole.byteLength ? take(length) : new Uint8Array(length)),
  }
}
