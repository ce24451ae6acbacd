import type { WorkedCase } from '../compile/cases.ts'
import type { ContentProblem } from '../compile/document.ts'
import { inOrder } from '../compile/release.ts'
import type { Test } from '../conditions/conditions.ts'
import { COMPLAINT_KINDS, type Complaint, LEVELS, type SourceLine } from '../content.ts'
import type { Content } from '../load.ts'
import { laterThanVerdict } from './check-net.ts'
import { findLowered } from './monotone.ts'
import { findAnswers } from './reach.ts'
import { type CaseRun, differences, runCase } from './run-case.ts'
import { repeatsItself, storedAgain, takesOnlyWhatIsOffered } from './same-and-only.ts'
import { type Played, play, randomPatient } from './simulated-patients.ts'

export interface CheckOptions {
  /** Made-up patients per complaint. */
  readonly walks?: number
  /** Of these, how many have every red flag turned: it is the slow part. */
  readonly turned?: number
  readonly only?: string
  /** How the worked cases went, for whoever has run them already. */
  readonly runs?: ReadonlyMap<WorkedCase, CaseRun>
}

const MOST_SCREENS = 30

/** The safety rules of the content that need it running: every problem with the place to mend it. */
export function checkContent(
  content: Content,
  cases: readonly WorkedCase[],
  options: CheckOptions = {},
): ContentProblem[] {
  const problems: ContentProblem[] = []
  const add = ([file, line]: SourceLine, message: string) => problems.push({ file, line, message })
  if (!options.only) checkKinds(content, add)
  const stored = storedAgain(content)
  for (const complaint of content.release.complaints) {
    if (options.only && complaint.id !== options.only) continue
    const own = cases.filter((one) => one.complaint === complaint.id)
    checkWalks(content, stored, complaint, options, add)
    const fired = checkCases(own, (worked) => options.runs?.get(worked) ?? runCase(content, worked), add)
    checkRules(complaint, own, fired, add)
    checkReach(content, complaint, fired, add)
    for (const message of laterThanVerdict(content, complaint)) add(complaint.place, message)
  }
  return inOrder(problems)
}

type Add = (place: SourceLine, message: string) => void

/** Whoever comes must have somewhere to go. */
function checkKinds(content: Content, add: Add): void {
  for (const kind of COMPLAINT_KINDS) {
    if (kind === 'complaint') continue
    const found = content.release.complaints.filter((complaint) => complaint.kind === kind)
    if (found.length === 0)
      add(
        ['content/release.yaml', 1],
        `There is no complaint of kind ${kind}: patients who need it would come to a dead end. Add one.`,
      )
    for (const extra of found.slice(1)) add(extra.place, `There is more than one complaint of kind ${kind}: keep one.`)
    const [general] = kind === 'general' ? found : []
    if (general?.applies)
      add(general.place, 'The general complaint is for everyone: remove its "applies", or someone comes to a dead end.')
  }
}

/** Rules 1, 2, 5 and 6 on made-up patients. */
function checkWalks(
  content: Content,
  stored: Content,
  complaint: Complaint,
  { walks = 60, turned = 12 }: CheckOptions,
  add: Add,
): void {
  const seen = new Set<string>()
  for (let seed = 1; seed <= walks; seed++) {
    const patient = randomPatient(content, [complaint.id], seed)
    const played = play(content, patient)
    const told = () => played.answers.map(({ question, value }) => `${question}=${JSON.stringify(value)}`).join(' ')
    if (!played.outcome)
      add(complaint.place, `An interview about ${complaint.id} does not end: ${lastQuestions(played)}.`)
    else if (played.screens.length > MOST_SCREENS)
      add(
        complaint.place,
        `An interview about ${complaint.id} has ${played.screens.length} screens, more than ${MOST_SCREENS}: ${told()}`,
      )
    if (seed <= 3)
      for (const message of [
        ...takesOnlyWhatIsOffered(content, played.answers),
        ...repeatsItself(content, stored, played.answers),
      ])
        add(complaint.place, message)
    if (seed > turned) continue
    for (const { place, message } of findLowered(content, patient, complaint.id)) {
      const short = message.split(' Found with: ')[0] ?? message
      if (!seen.has(short)) add(place, message)
      seen.add(short)
    }
  }
}

const lastQuestions = (played: Played) =>
  `it keeps asking ${[...new Set(played.answers.slice(-4).map(({ question }) => question))].join(', ')}`

/** Runs the worked cases; gives the rules that held in some case. */
function checkCases(cases: readonly WorkedCase[], runOf: (worked: WorkedCase) => CaseRun, add: Add): Set<string> {
  const fired = new Set<string>()
  for (const worked of cases) {
    const run = runOf(worked)
    for (const message of differences(worked, run)) add(worked.place, `Case ${worked.id}: ${message}.`)
    if (run.kind === 'stuck') continue
    for (const reason of [...run.outcome.reasons, ...run.outcome.alsoTrue])
      if (reason.complaint === worked.complaint) fired.add(reason.rule)
  }
  return fired
}

/** Rule 4: sources are checked when compiling, cases here. */
function checkRules(complaint: Complaint, cases: readonly WorkedCase[], fired: ReadonlySet<string>, add: Add): void {
  for (const rule of complaint.rules) {
    if (LEVELS.indexOf(rule.level) > LEVELS.indexOf('Level4')) continue
    const name = `${complaint.id}/${rule.id}`
    if (!fired.has(rule.id))
      add(rule.place, `Rule "${rule.id}" (${rule.level}) is fired by no worked case: add one to cases.yaml.`)
    if (!cases.some(({ expect }) => expect.not.includes(name)))
      add(
        rule.place,
        `Rule "${rule.id}" (${rule.level}) has no near miss: add it under "not" in a case that comes close.`,
      )
  }
}

/** Rule 3, the part beyond words: what nobody could ever meet. */
function checkReach(content: Content, complaint: Complaint, fired: ReadonlySet<string>, add: Add): void {
  const loaded = content.complaints.get(complaint.id)
  if (!loaded) return
  const possible = (...parts: (Test | undefined)[]) =>
    findAnswers(
      content,
      complaint,
      parts.filter((part) => part !== undefined),
    ) !== undefined
  if (!possible(loaded.applies)) add(complaint.place, `${complaint.id} applies to nobody: change "applies".`)
  for (const { rule, when } of [...loaded.rules, ...loaded.reassuring]) {
    if (!fired.has(rule.id) && !possible(when))
      add(rule.place, `Rule "${rule.id}" can never be true: its parts exclude each other. Change "when".`)
  }
  for (const { id, place } of complaint.questions) {
    const question = content.questions[content.slotOf.get(id) ?? -1]
    if (!question) continue
    if (question.applies !== undefined && !possible(loaded.applies, question.applies))
      add(place, `Question "${id}" is never asked: its "applies" can never be true here.`)
    for (const [at, option] of question.options.entries()) {
      // What this complaint does not read is meant for others.
      if (option.offered === undefined || question.question.options?.[at]?.whereRead) continue
      if (!possible(loaded.applies, question.applies, option.offered))
        add(place, `Option "${option.id}" of "${id}" is offered to nobody: its "applies" can never be true here.`)
    }
  }
}
