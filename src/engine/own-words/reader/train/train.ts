import type { Senses } from '../../../content.ts'
import { readWords } from '../../read.ts'
import type { LanguageRules } from '../../rules.ts'
import { newUnderstanding } from '../../understanding.ts'
import { type Clause, clausesOf, type Listed } from '../clauses.ts'
import { Features, featuresOf, vocabularyOf } from '../features.ts'
import { encodeModel, type Thresholds } from '../model.ts'
import { ANY_DANGER, COMPLAINT, KIND, lengthOf } from '../score.ts'
import type { Example } from './examples.ts'
import { type Point, type Side, separate } from './separate.ts'

/** A feature that one example alone has says nothing about others. */
const FEWEST_EXAMPLES = 2
/** What a mistake costs; more of it follows the examples more closely. Of a complaint there are fewer, and more that overlap. */
const COST_OF_DANGER = 3
const COST_OF_COMPLAINT = 1
/** Examples of complaints are mostly harmless, but nobody has looked: as such they count little. */
const COST_OF_MAYBE_HARMLESS = 0.15
/** What an example of danger most likely is an example of as well counts less. */
const COST_OF_LIKELY = 0.4
/** Weights are written in so many steps to each side. */
const STEPS = 127
/** How rare a feature is, is told in so many steps to a doubling. */
const RARENESS_STEPS = 16
/** So many weights a reader has at most: with them it weighs about 1.6 megabytes. */
const MOST_WEIGHTS = 600_000

/** An example with the features of its text, and how much each counts. */
export interface Read {
  readonly example: Example
  readonly clauses: readonly Clause[]
  readonly features: ReadonlyMap<number, Counted>
}

interface Counted {
  readonly sum: number
  readonly squares: number
}

/** Reads the examples as the reader will read patients. */
export function readExamples(
  examples: readonly Example[],
  rules: LanguageRules,
  senses: Senses,
  listedIn: (text: string) => Listed,
): Read[] {
  const vocabulary = vocabularyOf(rules, senses)
  const understanding = newUnderstanding(rules)
  return examples.map((example) => {
    const { text } = example
    const clauses = clausesOf(text, readWords(text, understanding), listedIn(text))
    const all = new Features()
    for (const clause of clauses) featuresOf(clause, vocabulary, all)
    const features = new Map<number, Counted>()
    for (let at = 0; at < all.length; at++) {
      const weight = all.weights[at] as number
      const { sum = 0, squares = 0 } = features.get(all.ids[at] as number) ?? {}
      features.set(all.ids[at] as number, { sum: sum + weight, squares: squares + weight * weight })
    }
    return { example, clauses, features }
  })
}

/** Trains a reader on what was read. */
export function train(read: readonly Read[], trainedOn: string, thresholds: Thresholds): Uint8Array {
  const known = knownIn(read)
  const points = read.map((one) => pointOf(one, known))
  const labels = labelsOf(read.map(({ example }) => example))
  const steps: number[] = []
  const biases: number[] = []
  const written = labels.map((label, place) => {
    const sides = read.map(({ example }) => sideOf(example, label))
    const { weights, bias } = separate(points, balanced(sides), known.features.size, place + 1)
    let most = 0
    for (const weight of weights) most = Math.max(most, weight, -weight)
    const step = most / STEPS || 1
    steps.push(step)
    biases.push(bias)
    return Int8Array.from(weights, (weight) => Math.round(weight / step))
  })
  const least = leastWritten(written)
  const rows = new Map<number, { rareness: number; weights: number[] }>()
  for (const [feature, { number, rareness }] of known.features) {
    const weights = written.flatMap((ofLabel, place) => {
      const weight = ofLabel[number] ?? 0
      return Math.abs(weight) < least ? [] : [place, weight]
    })
    if (weights.length > 0) rows.set(feature, { rareness, weights })
  }
  return encodeModel({ trainedOn, labels, steps, biases, thresholds, unknown: known.unknown }, rows)
}

/** The smallest weight that is kept, so that the reader does not grow without bounds: small ones are many and say little. */
function leastWritten(written: readonly Int8Array[]): number {
  const having = new Array<number>(STEPS + 1).fill(0)
  for (const weights of written)
    for (const weight of weights) having[Math.abs(weight)] = (having[Math.abs(weight)] ?? 0) + 1
  let least = STEPS
  for (let kept = having[STEPS] ?? 0; least > 1 && kept + (having[least - 1] ?? 0) <= MOST_WEIGHTS; )
    kept += having[--least] ?? 0
  return least
}

interface Known {
  /** The features that enough examples have, numbered, and how rare each is. */
  readonly features: ReadonlyMap<number, { readonly number: number; readonly rareness: number }>
  readonly unknown: number
}

function knownIn(read: readonly Read[]): Known {
  const having = new Map<number, number>()
  for (const { features } of read)
    for (const feature of features.keys()) having.set(feature, (having.get(feature) ?? 0) + 1)
  const kept = [...having].filter(([, examples]) => examples >= FEWEST_EXAMPLES)
  const rareness = (examples: number) => Math.round(RARENESS_STEPS * logarithm(1 + read.length / (examples + 1)))
  return {
    features: new Map(
      kept.map(([feature, examples], number) => [feature, { number, rareness: Math.max(rareness(examples), 1) }]),
    ),
    unknown: rareness(0),
  }
}

/** About the logarithm to base 2, by + − × ÷ alone: every machine finds the same. */
function logarithm(value: number): number {
  let [whole, rest] = [0, value]
  while (rest >= 2) [whole, rest] = [whole + 1, rest / 2]
  return whole + rest - 1
}

function pointOf({ features }: Read, known: Known): Point {
  const has: number[] = []
  const much: number[] = []
  let all = 0
  for (const [feature, { sum, squares }] of features) {
    const { number, rareness = known.unknown } = known.features.get(feature) ?? {}
    all += squares * rareness * rareness
    if (number === undefined) continue
    has.push(number)
    much.push(sum * rareness)
  }
  const length = lengthOf(all)
  const amounts = Float64Array.from(much, (amount) => amount / length)
  return {
    features: Uint32Array.from(has),
    amounts,
    squares: amounts.reduce((sum, amount) => sum + amount * amount, 1),
  }
}

function labelsOf(examples: readonly Example[]): string[] {
  const labels = new Set([ANY_DANGER])
  for (const { kind, complaints = [] } of examples) {
    if (kind !== undefined) labels.add(KIND + kind)
    for (const complaint of complaints) labels.add(COMPLAINT + complaint)
  }
  return [...labels].sort()
}

const SILENT: Side = { side: 0, cost: 0 }

function sideOf({ isDanger, kind, complaints, likely }: Example, label: string): Side {
  if (label.startsWith(COMPLAINT)) {
    const id = label.slice(COMPLAINT.length)
    if (!complaints) return likely === undefined ? SILENT : { side: likely === id ? 1 : -1, cost: COST_OF_LIKELY }
    return { side: complaints.includes(id) ? 1 : -1, cost: COST_OF_COMPLAINT }
  }
  if (isDanger === undefined) return complaints ? { side: -1, cost: COST_OF_MAYBE_HARMLESS } : SILENT
  if (label === ANY_DANGER) return { side: isDanger ? 1 : -1, cost: COST_OF_DANGER }
  if (isDanger && kind === undefined) return SILENT
  return { side: label === KIND + kind ? 1 : -1, cost: COST_OF_DANGER }
}

/** The fewer examples a label has, the more each of them counts. */
function balanced(sides: readonly Side[]): Side[] {
  const sum = (side: number) => sides.reduce((all, one) => (one.side === side ? all + one.cost : all), 0)
  const weight = Math.sqrt(sum(-1) / Math.max(sum(1), 1))
  return sides.map((one) => (one.side === 1 ? { side: 1, cost: one.cost * Math.max(weight, 1) } : one))
}
