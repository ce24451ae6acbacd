import type { Language, Senses } from '../../../content.ts'
import type { Thresholds } from '../model.ts'
import { complaintScores, createReader, dangerScores, readTrained } from '../trained.ts'
import { type Read, train } from './train.ts'

/** Each example is held out once. */
const PARTS = 4
/** Danger is led with from the same score on in every language: scores of readers that are trained alike mean the same, while harmless examples are harder in one language than in another. */
const LEAD = 0.5
/** Of harmless texts, so many may be asked about first, and asked about only because their words are listed. */
const FALSE_ASKS = 0.075
const FALSE_LISTED = 0.03
/** Complaints are proposed from the score on that all but so many right ones have. */
const LOST_COMPLAINTS = 0.03
const NOTHING: Thresholds = { lead: 0, ask: 0, askListed: 0, complaint: 0 }

/** How a reader does on examples that it was not trained on. All are shares. */
export interface HeldOut {
  readonly dangers: number
  readonly led: number
  readonly asked: number
  readonly rightKind: number
  readonly harmless: number
  readonly falselyLed: number
  readonly falselyAsked: number
  readonly complaints: number
  readonly first: number
  readonly amongThree: number
}

interface Tried {
  readonly read: Read
  readonly danger: number
  readonly kind: string
  readonly isListed: boolean
  readonly complaints: readonly { readonly id: string; readonly score: number }[]
}

/** Trains on most of the examples and tries the rest, in turn, and chooses the thresholds by what came of it. */
export function holdOut(
  read: readonly Read[],
  language: Language,
  senses: Senses,
): { thresholds: Thresholds; figures: HeldOut } {
  const part = partsOf(read)
  const tried = Array.from({ length: PARTS }, (_, held) => {
    const reader = createReader(
      train(
        read.filter((one) => part.get(one) !== held),
        '',
        NOTHING,
      ),
      language,
      senses,
    )
    return read
      .filter((one) => part.get(one) === held)
      .map((one): Tried => {
        const reading = readTrained(reader, one.clauses)
        const [danger] = dangerScores(reader, reading)
        return {
          read: one,
          danger: danger?.score ?? Number.NEGATIVE_INFINITY,
          kind: danger?.id ?? '',
          isListed: one.clauses.some(({ isListed }) => isListed),
          complaints: complaintScores(reader, reading).slice(0, 3),
        }
      })
  }).flat()
  const thresholds = thresholdsOf(tried)
  return { thresholds, figures: figuresOf(tried, thresholds) }
}

/** Neighbouring lines are often of one hand: they are held out together. */
function partsOf(read: readonly Read[]): Map<Read, number> {
  const alike = Map.groupBy(
    read.filter(({ example }) => !example.isListed),
    ({ example: { kind, complaints, isDanger } }) => `${kind} ${complaints} ${isDanger}`,
  )
  return new Map(
    [...alike.values()].flatMap((group) =>
      group.map((one, place) => [one, Math.floor((place * PARTS) / group.length)] as const),
    ),
  )
}

function thresholdsOf(tried: readonly Tried[]): Thresholds {
  const harmless = tried.filter(({ read }) => read.example.isDanger === false)
  const listed = harmless.filter(({ isListed }) => isListed)
  const either = scoreAbove(harmless, FALSE_ASKS)
  const askListed = Math.min(scoreAbove(listed, (FALSE_LISTED * harmless.length) / Math.max(listed.length, 1)), either)
  const asked = listed.filter(({ danger }) => danger >= askListed).length
  const others = harmless.filter(({ isListed }) => !isListed)
  const ask = Math.min(scoreAbove(others, (FALSE_ASKS * harmless.length - asked) / Math.max(others.length, 1)), LEAD)
  const right = tried
    .flatMap(({ read, complaints }) => complaints.slice(0, 1).filter(({ id }) => read.example.complaints?.includes(id)))
    .map(({ score }) => score)
    .sort((a, b) => a - b)
  return {
    lead: LEAD,
    ask: rounded(ask),
    askListed: rounded(askListed),
    complaint: rounded(right[Math.floor(right.length * LOST_COMPLAINTS)] ?? 0),
  }
}

/** The score that at most this share of them reaches. */
function scoreAbove(tried: readonly Tried[], share: number): number {
  const scores = tried.map(({ danger }) => danger).sort((a, b) => b - a)
  const place = Math.floor(scores.length * share)
  return (scores[place] ?? scores.at(-1) ?? 0) + 0.001
}

const rounded = (score: number) => Math.round(score * 1000) / 1000

function figuresOf(tried: readonly Tried[], { lead, ask, askListed }: Thresholds): HeldOut {
  const dangers = tried.filter(({ read }) => read.example.isDanger)
  const harmless = tried.filter(({ read }) => read.example.isDanger === false)
  const complaints = tried.filter(({ read }) => read.example.complaints)
  const ofKind = dangers.filter(({ read }) => read.example.kind !== undefined)
  const share = <T>(all: readonly T[], is: (one: T) => boolean | undefined) =>
    Math.round((1000 * all.filter(is).length) / Math.max(all.length, 1)) / 1000
  const isLed = ({ danger }: Tried) => danger >= lead
  const isAsked = ({ danger, isListed }: Tried) => danger >= (isListed ? askListed : ask)
  return {
    dangers: dangers.length,
    led: share(dangers, isLed),
    asked: share(dangers, isAsked),
    rightKind: share(ofKind, ({ read, kind }) => read.example.kind === kind),
    harmless: harmless.length,
    falselyLed: share(harmless, isLed),
    falselyAsked: share(harmless, isAsked),
    complaints: complaints.length,
    first: share(complaints, ({ read, complaints: [one] }) => one && read.example.complaints?.includes(one.id)),
    amongThree: share(complaints, ({ read, complaints: some }) =>
      some.some(({ id }) => read.example.complaints?.includes(id)),
    ),
  }
}
