import { clausesOf } from '../clauses.ts'
import { type Classes, classesOf, featuresOf } from '../features.ts'
import { encodeModel, type Thresholds } from '../model.ts'
import { cutUp, readWords } from '../read.ts'
import type { LanguageRules } from '../rules.ts'
import { ANY_DANGER, COMPLAINT, KIND } from '../score.ts'
import type { Example } from './examples.ts'
import { type Point, type Side, separate } from './separate.ts'

/** A feature that one example alone has says nothing about others. */
const FEWEST_EXAMPLES = 2
/** What a mistake costs; more of it follows the examples more closely. */
const COST = 1
/** Examples of complaints are mostly harmless, but nobody has looked: as such they count little. */
const COST_OF_MAYBE_HARMLESS = 0.15
/** Weights are written in so many steps to each side. */
const STEPS = 127
/** Steps this small are left out: there are many, and together they say little. */
const FEWEST_STEPS = 1

/** An example with the features of its text. */
export interface Read {
  readonly example: Example
  readonly features: readonly number[]
  readonly amounts: readonly number[]
}

/** Reads the examples as the reader will read patients. */
export function readExamples(examples: readonly Example[], rules: LanguageRules): Read[] {
  const classes = classesOf(rules)
  return examples.map((example) => ({ example, ...featuresIn(example.text, rules, classes) }))
}

function featuresIn(text: string, rules: LanguageRules, classes: Classes) {
  const counted = new Map<number, number>()
  let squares = 0
  for (const { words, isPast } of clausesOf(readWords(cutUp(text), rules), rules)) {
    featuresOf(words, isPast, classes, (feature, weight) => {
      counted.set(feature, (counted.get(feature) ?? 0) + weight)
      squares += weight * weight
    })
  }
  // A square root is rounded the same way everywhere, as + − × ÷ are.
  const length = Math.sqrt(squares) || 1
  return { features: [...counted.keys()], amounts: [...counted.values()].map((amount) => amount / length) }
}

/** Trains a reader on what was read. */
export function train(read: readonly Read[], trainedOn: string, thresholds: Thresholds): Uint8Array {
  const numbers = numbersOf(read)
  const points = read.map((one) => pointOf(one, numbers))
  const labels = labelsOf(read.map(({ example }) => example))
  const rows = new Map<number, number[]>()
  const steps: number[] = []
  const biases: number[] = []
  for (const [place, label] of labels.entries()) {
    const sides = read.map(({ example }) => sideOf(example, label))
    const { weights, bias } = separate(points, balanced(sides), numbers.size, place + 1)
    let most = 0
    for (const weight of weights) most = Math.max(most, weight, -weight)
    const step = most / STEPS || 1
    steps.push(step)
    biases.push(bias)
    for (const [feature, number] of numbers) {
      const written = Math.round((weights[number] as number) / step)
      if (Math.abs(written) < FEWEST_STEPS) continue
      const row = rows.get(feature)
      if (row) row.push(place, written)
      else rows.set(feature, [place, written])
    }
  }
  return encodeModel({ trainedOn, labels, steps, biases, thresholds }, rows)
}

/** The features that enough examples have, numbered. */
function numbersOf(read: readonly Read[]): Map<number, number> {
  const having = new Map<number, number>()
  for (const { features } of read) for (const feature of features) having.set(feature, (having.get(feature) ?? 0) + 1)
  const kept = [...having].filter(([, examples]) => examples >= FEWEST_EXAMPLES).map(([feature]) => feature)
  return new Map(kept.map((feature, number) => [feature, number]))
}

function pointOf({ features, amounts }: Read, numbers: ReadonlyMap<number, number>): Point {
  const has: number[] = []
  const much: number[] = []
  let squares = 1
  for (const [place, feature] of features.entries()) {
    const number = numbers.get(feature)
    const amount = amounts[place] ?? 0
    if (number === undefined) continue
    has.push(number)
    much.push(amount)
    squares += amount * amount
  }
  return { features: Uint32Array.from(has), amounts: Float64Array.from(much), squares }
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

function sideOf({ isDanger, kind, complaints }: Example, label: string): Side {
  if (label.startsWith(COMPLAINT)) {
    if (!complaints) return SILENT
    return { side: complaints.includes(label.slice(COMPLAINT.length)) ? 1 : -1, cost: COST }
  }
  if (isDanger === undefined) return complaints ? { side: -1, cost: COST_OF_MAYBE_HARMLESS } : SILENT
  if (label === ANY_DANGER) return { side: isDanger ? 1 : -1, cost: COST }
  if (isDanger && kind === undefined) return SILENT
  return { side: label === KIND + kind ? 1 : -1, cost: COST }
}

/** The fewer examples a label has, the more each of them counts. */
function balanced(sides: readonly Side[]): Side[] {
  const sum = (side: number) => sides.reduce((all, one) => (one.side === side ? all + one.cost : all), 0)
  const weight = Math.sqrt(sum(-1) / Math.max(sum(1), 1))
  return sides.map((one) => (one.side === 1 ? { side: 1, cost: one.cost * Math.max(weight, 1) } : one))
}
