import type { AskedQuestion, CompiledRelease, Question, QuestionKind, Value } from './content.ts'
import { durationsAround, numbersAround, subsetsNear } from './deciding/nearby-values.ts'
import type { Content } from './load.ts'
import {
  inOwnUnit,
  isDate,
  isIds,
  refuseComplaints,
  refuseDuration,
  refuseMany,
  refuseNumber,
  refuseText,
} from './values.ts'

/** Everything that is general about a kind of question. Facts that only one part of the code needs are kept there. */
export interface Kind {
  /** What an answer is, for whoever reads the interface. */
  readonly answer: string
  /** Whether one or some of the question's own options are chosen; null when it has none. */
  readonly chooses: 'one' | 'some' | null
  /** What the texts in an answer stand for; null when it has none. This decides how an answer is shown. */
  readonly texts: 'option' | 'complaint' | 'file' | 'day' | 'own words' | null
  /** Whether its numbers are told as so many out of ten. */
  readonly isOutOfTen: boolean
  /** Why a value is not a valid answer; undefined when it is. */
  refuse(question: Question, value: Said, offered: readonly string[]): string | undefined
  /** The canonical form: the same answer is always the same bytes. */
  normalise(question: Question, value: Value): Value
  /** The other answers worth trying when looking for what would change the outcome; null when that is not worth it. */
  readonly others:
    | ((content: Content, question: Question, current: Value, offered: readonly string[]) => Value[])
    | null
  /** What a made-up patient answers; null when they use `others`. */
  readonly samples: ((offered: readonly string[]) => Value[]) | null
  /** The "no" of a question; undefined when it has none. */
  no(question: AskedQuestion): Value | undefined
  /** What leaving out a question without a "no" means in a worked case; undefined when the case must answer it. */
  readonly unsaid: Value | undefined
  /** Whether a value is valid whatever the question offers; the check of the content tries the others. */
  takesAny(value: Value): boolean
}

const MOST_PHOTOS = 3

/** An answer that is not "don't know". */
type Said = NonNullable<Value>

const PLAIN = {
  chooses: null,
  texts: null,
  isOutOfTen: false,
  normalise: (_question: Question, value: Value) => value,
  samples: null,
  no: () => undefined,
  unsaid: undefined,
  takesAny: () => false,
} as const

const TRUE_OR_FALSE: Kind = {
  ...PLAIN,
  answer: 'true or false',
  refuse: (_question, value) => (typeof value === 'boolean' ? undefined : 'the answer is true or false'),
  others: () => [true, false],
  no: () => false,
  takesAny: (value) => typeof value === 'boolean',
}

/** A kind is a row here, and one in each place that the compiler then names. */
export const KINDS: Readonly<Record<QuestionKind, Kind>> = {
  sign: TRUE_OR_FALSE,
  yesno: TRUE_OR_FALSE,
  one: {
    ...PLAIN,
    answer: 'an option id',
    chooses: 'one',
    texts: 'option',
    refuse: (_question, value, offered) =>
      typeof value === 'string' && offered.includes(value) ? undefined : `the answer is one of: ${offered.join(', ')}`,
    others: (_content, _question, _current, offered) => [...offered],
    no: ({ options, offered }) =>
      options?.find(({ id, negative }) => negative && (offered === undefined || offered.includes(id)))?.id,
  },
  many: {
    ...PLAIN,
    answer: 'a list of option ids ("none" alone for none of these)',
    chooses: 'some',
    texts: 'option',
    refuse: (_question, value, offered) => refuseMany(value, offered),
    normalise: ({ options = [] }, value) =>
      Array.isArray(value) ? options.map(({ id }) => id).filter((id) => value.includes(id)) : value,
    others: (_content, _question, current, offered) => subsetsNear(current, offered),
    no: () => ['none'],
  },
  number: {
    ...PLAIN,
    answer: 'a number; where `units` are listed also {amount, unit}',
    refuse: (question, value) => refuseNumber(question, inOwnUnit(question, value)),
    normalise: inOwnUnit,
    others: numbersAround,
  },
  scale: {
    ...PLAIN,
    answer: 'a number',
    isOutOfTen: true,
    refuse: refuseNumber,
    others: () => [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  },
  duration: { ...PLAIN, answer: '{amount, unit}', refuse: refuseDuration, others: durationsAround },
  date: {
    ...PLAIN,
    answer: 'YYYY-MM-DD',
    texts: 'day',
    refuse: (_question, value) => (isDate(value) ? undefined : 'the answer is a day, written YYYY-MM-DD'),
    others: null,
    samples: () => ['2026-11-02', null],
    unsaid: null,
  },
  text: {
    ...PLAIN,
    answer: 'a text',
    texts: 'own words',
    refuse: refuseText,
    others: null,
    samples: () => ['', 'Own words', null],
    unsaid: '',
    takesAny: (value) => typeof value === 'string',
  },
  photo: {
    ...PLAIN,
    answer: 'a list of file ids',
    texts: 'file',
    refuse: (_question, value) =>
      isIds(value) && value.length <= MOST_PHOTOS
        ? undefined
        : `the answer is a list of at most ${MOST_PHOTOS} uploads`,
    others: null,
    samples: () => [[], ['photo-1'], null],
    unsaid: [],
    takesAny: (value) => Array.isArray(value) && value.length === 1,
  },
  complaints: {
    ...PLAIN,
    answer: 'one to three ids',
    texts: 'complaint',
    refuse: (_question, value, offered) => refuseComplaints(value, offered),
    others: null,
    samples: (offered) => offered.map((complaint) => [complaint]),
  },
}

/** The kind of a question by its id. One that the release does not know is shown as it stands, like own words. */
export const kindOf = ({ release }: { readonly release: CompiledRelease }, question: string): Kind =>
  KINDS[release.questions[question]?.kind ?? 'text']

/** Why a value is not a valid answer to this question; undefined when it is. `offered`: what this patient may choose. */
export function refuseValue(question: Question, value: Value, offered: readonly string[]): string | undefined {
  if (value === null) return question.dontKnow ? undefined : 'this question needs an answer'
  return KINDS[question.kind].refuse(question, value, offered)
}

/** The canonical form: options in the order of the question, so that the same choice is always the same bytes. */
export const normalised = (question: Question, value: Value): Value => KINDS[question.kind].normalise(question, value)
