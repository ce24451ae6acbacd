import {
  DURATION_UNITS,
  type DurationUnit,
  type Question,
  type QuestionKind,
  type SourceLine,
  type Value,
} from '../content.ts'
import { parseDuration } from '../values.ts'
import type { Located } from './document.ts'
import type { Reading } from './reading.ts'

export const NUMBER_UNITS = [
  'years',
  'celsius',
  'weeks',
  'times',
  'kg',
  'mmhg',
  'mmol-l',
  'per-minute',
  'percent',
  'litres',
] as const
const MOST_CHARACTERS = 2000

/** The keys that bound an answer; each kind takes only its own. */
export const BOUND_KEYS = ['unit', 'min', 'max', 'step', 'units', 'maxLength'] as const
type BoundKey = (typeof BOUND_KEYS)[number]

/** How a kind of question is written in the files. */
interface WrittenKind {
  /** The type of its answers in a condition, in CEL's terms. */
  readonly type: 'bool' | 'string' | 'list<string>' | 'double' | 'span' | 'words'
  readonly keys: readonly BoundKey[]
  bounds(written: WrittenQuestion): Partial<Question>
  /** An answer as people write it on one line of a case. */
  read(value: unknown, fail: (message: string) => null): Value
}

/** A question in the file, while its bounds are read. */
interface WrittenQuestion {
  readonly id: string
  readonly entries: ReadonlyMap<string, Located>
  readonly place: SourceLine
  readonly reading: Reading
}

const PLAIN = { keys: [], bounds: () => ({}), read: asWritten } as const

const TRUE_OR_FALSE: WrittenKind = {
  ...PLAIN,
  type: 'bool',
  read: (value) => (value === 'yes' || value === 'no' ? value === 'yes' : asWritten(value)),
}

export const WRITTEN: Readonly<Record<QuestionKind, WrittenKind>> = {
  sign: TRUE_OR_FALSE,
  yesno: TRUE_OR_FALSE,
  one: { ...PLAIN, type: 'string' },
  many: { ...PLAIN, type: 'list<string>', read: asList },
  number: { ...PLAIN, type: 'double', keys: ['unit', 'min', 'max', 'step', 'units'], bounds: numberBounds },
  scale: { ...PLAIN, type: 'double', bounds: () => ({ min: 0, max: 10, step: 1 }) },
  duration: {
    type: 'span',
    keys: ['units'],
    bounds: durationBounds,
    read: (value, fail) => parseDuration(String(value)) ?? fail('write an amount and a unit, for example "4 days".'),
  },
  date: { ...PLAIN, type: 'words' },
  text: { ...PLAIN, type: 'words', keys: ['maxLength'], bounds: textBounds },
  photo: { ...PLAIN, type: 'words' },
  complaints: { ...PLAIN, type: 'list<string>', read: asList },
}

function asWritten(value: unknown): Value {
  return typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string' ? value : null
}

/** Accepts a single option where a list is meant. */
function asList(value: unknown): Value {
  return typeof value === 'string' ? [value] : asWritten(value)
}

const numberAt = ({ id, entries, reading }: WrittenQuestion, key: BoundKey): number | undefined =>
  reading.number(entries.get(key), `Question ${id}: ${key}`)

function numberBounds(written: WrittenQuestion): Partial<Question> {
  const { id, entries, place, reading } = written
  const [min, max, step] = [numberAt(written, 'min'), numberAt(written, 'max'), numberAt(written, 'step')]
  const unit = reading.choice(entries.get('unit'), `Question ${id}: unit`, NUMBER_UNITS)
  if (min === undefined || max === undefined || min >= max)
    reading.problem(place, `Question "${id}" needs "min" and "max", the smallest and largest believable number.`)
  if (!entries.has('unit')) reading.problem(place, `Question "${id}" needs a "unit": ${NUMBER_UNITS.join(', ')}.`)
  return {
    ...(unit && { unit }),
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    ...(step !== undefined && { step }),
    ...(entries.has('units') && { units: unitsIn(written) }),
  }
}

function durationBounds(written: WrittenQuestion): Partial<Question> {
  return { units: unitsIn(written) }
}

function unitsIn({ id, entries, place, reading }: WrittenQuestion): DurationUnit[] {
  const units = reading
    .list(entries.get('units'), `Question ${id}: units`)
    .map((unit) => reading.choice(unit, `Question ${id}: unit`, DURATION_UNITS))
    .filter((unit) => unit !== undefined)
  if (units.length === 0)
    reading.problem(place, `Question "${id}" needs "units": some of ${DURATION_UNITS.join(', ')}.`)
  return units
}

function textBounds(written: WrittenQuestion): Partial<Question> {
  return { maxLength: Math.min(numberAt(written, 'maxLength') ?? 1000, MOST_CHARACTERS) }
}
