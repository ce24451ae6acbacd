import type { Answer, Question, Section } from '../../engine/content.ts'
import { findingsFrom } from '../../engine/deciding/findings.ts'
import { KINDS } from '../../engine/kinds.ts'
import type { Interview } from '../interview/interview.ts'
import type { Speech } from '../interview/speech.ts'
import { clinicalAnswer, labelOf, optionLabel, standingAlone } from './clinical-words.ts'

/** The matter is what a request is about; who it is for and what they chose first stands elsewhere. */
export const HISTORY_SECTIONS = ['matter', 'findings', 'timing', 'history', 'medicines', 'allergies', 'note'] as const
export type HistorySection = (typeof HISTORY_SECTIONS)[number]

/** One section of the history: what is there first, then what was denied, then what is not known. */
export type SectionView = {
  section: HistorySection
  present: { label: string; values: string[]; words: boolean; redFlag: boolean }[]
  /** Denied signs that are no red flags; those have a place of their own. */
  denied: string[]
  unknown: string[]
}

/** Sections whose heading says of what the options are. */
const SAID_BY_HEADING: readonly Section[] = ['medicines', 'allergies']

/** The closer choice that an option opens: where it is listed, and whether something was chosen there, which says more. */
type Opened = { into: SectionView; isTold: boolean }

/**
 * The history in sections, from the answers in use. What was denied before it was asked in detail is listed where the
 * details would be.
 */
export function historyOf(speech: Speech, { content, answers, step }: Interview): SectionView[] {
  const findings = findingsFrom(content, answers)
  const sections = new Map<Section, SectionView>(
    HISTORY_SECTIONS.map((section) => [section, { section, present: [], denied: [], unknown: [] }]),
  )
  const said = new Map(step.ledger.map(({ question, value }) => [question, value]))
  const openedFrom = (slot: number) => {
    const closer = (content.followUps[slot] ?? [])
      .flatMap((next) => content.questions[next]?.question ?? [])
      .filter(({ kind }) => KINDS[kind].chooses === 'some')
    return (option: string): Opened | undefined => {
      const question = closer.find(({ followUp }) => followUp?.options?.includes(option))
      const chosen = question && said.get(question.id)
      const into = question && sections.get(question.section)
      return into && { into, isTold: Array.isArray(chosen) && !chosen.includes('none') }
    }
  }
  for (const entry of step.ledger) {
    const slot = content.slotOf.get(entry.question)
    const question = slot === undefined ? undefined : content.questions[slot]?.question
    const into = question && sections.get(question.section)
    if (slot === undefined || !question || !into || content.intake.includes(slot)) continue
    if (entry.value === null) {
      if (!isOffered(question)) into.unknown.push(labelOf(speech, question.id))
    } else place(speech, question, entry, findings.offered(slot), into, openedFrom(slot))
  }
  return [...sections.values()].filter(
    ({ present, denied, unknown }) => present.length + denied.length + unknown.length > 0,
  )
}

/** What anybody may add: leaving it out is not "unknown". */
const isOffered = ({ section, kind }: Question): boolean => section === 'note' || kind === 'photo'

function place(
  speech: Speech,
  question: Question,
  { value }: Answer,
  offered: readonly string[],
  into: SectionView,
  openedBy: (option: string) => Opened | undefined,
): void {
  const label = labelOf(speech, question.id)
  const kind = KINDS[question.kind]
  const isFlag = (id: string) => question.options?.some((option) => option.id === id && option.redFlag) === true
  if (kind.texts === 'file' && Array.isArray(value) && value.length === 0) return // no photo is no finding
  if (typeof value === 'boolean') {
    if (value) into.present.push({ label, values: [], words: false, redFlag: question.redFlag === true })
    else if (!question.redFlag) into.denied.push(label)
    return
  }
  if (kind.chooses === 'some' && Array.isArray(value)) {
    const there = value.filter((id: string) => id !== 'none')
    const named = (ids: readonly string[]) => ids.map((id) => optionLabel(speech, question.id, id))
    const toTell = there.filter((id) => !openedBy(id)?.isTold)
    if (toTell.length > 0)
      into.present.push({ label, values: named(toTell), words: false, redFlag: toTell.some(isFlag) })
    const absent = offered.filter((id) => id !== 'none' && !there.includes(id) && !isFlag(id))
    for (const id of absent) openedBy(id)?.into.denied.push(optionLabel(speech, question.id, id))
    const own = absent.filter((id) => !openedBy(id))
    const alone = own.map((option) => ({ question: question.id, option }))
    into.denied.push(...(SAID_BY_HEADING.includes(question.section) ? named(own) : standingAlone(speech, alone)))
    return
  }
  // Only a plain no denies what its question is about: sight that is normal is not denied.
  if (value === 'no') into.denied.push(label)
  else
    into.present.push({
      label,
      values: [clinicalAnswer(speech, question.id, value)],
      words: kind.texts === 'own words',
      redFlag: typeof value === 'string' && isFlag(value),
    })
}
