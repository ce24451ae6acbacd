import { type Alarm, type AskedQuestion, LEVELS, type Reason, type Step, type Value } from '../../engine/content.ts'
import { flagAt, hasteOf } from '../../engine/flags.ts'
import { KINDS } from '../../engine/kinds.ts'
import type { Core } from '../../events/core.ts'
import { contactWish, isReachable } from '../contact.ts'
import { storedOutcome } from '../end.ts'
import type { Session } from '../open.ts'
import { listUploads } from '../uploads/uploads.ts'
import { toldBecause } from './because.ts'
import { proposalsFor } from './complaints.ts'
import { type Danger, sayOf, toldOf } from './dangers.ts'
import { type Interview, lastSaid } from './interview.ts'
import { ledgerOf } from './ledger.ts'
import { nextSteps } from './next-steps.ts'
import { answerWords, reviewNotice, type Speech, speechFor } from './speech.ts'
import type { User } from './user.ts'

/** The session as its user sees it, every word in the session's language. */
export async function viewOf(core: Core, { session, interview, fileCount }: User) {
  const { row } = session
  const { step } = interview
  const speech = speechFor(session, interview)
  const alarm = step.alarms[0]
  const warning = step.warnings[0]
  return {
    sessionId: row.id,
    configuration: session.slug,
    status: row.status,
    version: row.version,
    language: speech.language,
    expiresTimestamp: row.active_until.toISOString(),
    expired: row.status !== 'Ended' && !row.is_active,
    forSomeoneElse: speech.who !== 'self',
    returnUrl: row.return_url,
    contact: contactWish(session, interview),
    reachable: isReachable(session),
    step:
      row.status === 'Ended'
        ? {
            kind: 'outcome' as const,
            outcome: outcomeView(session, interview, speech),
          }
        : stepView(speech, interview),
    alarm: row.status !== 'Ended' && alarm ? alarmView(speech, step, alarm) : null,
    warning: row.status !== 'Ended' && !alarm && warning ? warningView(speech, step.warnings, warning) : null,
    ledger: ledgerOf(speech, interview),
    dropped: step.obsolete.map((question) => speech.say(`question.${question}.text`) ?? question),
    files: fileCount > 0 ? await listUploads(core, session) : [],
  }
}

function stepView(speech: Speech, interview: Interview) {
  const { step, history } = interview
  if (step.kind === 'done') return { kind: 'review' as const }
  const said = lastSaid(history)
  const askedView = (asked: AskedQuestion) => {
    const earlier = said(asked.id)
    const question = questionView(speech, asked, earlier === undefined ? asked.given : earlier)
    const isMenu = KINDS[asked.kind].texts === 'complaint'
    return isMenu ? { ...question, options: proposalsFor(speech, interview, question.options ?? []) } : question
  }
  return {
    kind: 'ask' as const,
    stage: step.stage,
    screen: screenOf(step),
    title: titleOf(speech, step),
    note: step.note === undefined ? null : (speech.say(step.note) ?? null),
    questions: step.questions.map(askedView),
    progress: step.progress,
  }
}

/** The name of a screen that holds questions which belong together. */
const screenOf = ({ title }: Extract<Step, { kind: 'ask' }>): string | null =>
  title?.startsWith('screen.') ? title.slice('screen.'.length) : null

/** The heading of a screen of signs or of several questions; a single question is its own heading. */
export const titleOf = (speech: Speech, step: Step): string | null =>
  step.kind === 'ask' && step.title !== undefined ? (speech.say(step.title) ?? null) : null

/** A question in words; the earlier or given answer is offered again. */
export function questionView(speech: Speech, question: AskedQuestion, given?: Value) {
  const { id, kind, usual, unit, min, max, step, units, maxLength, dontKnow, followUp, drawing, proposal } = question
  const text = (part: string) => speech.say(`question.${id}.${part}`)
  const [help, why] = [text('help'), text('why')]
  const options = question.options
    ?.filter((option) => question.offered?.includes(option.id) ?? true)
    .map((option) => ({
      id: option.id,
      label: text(`option.${option.id}.text`) ?? speech.say(`common.${option.id}.text`) ?? option.id,
      ...(option.exclusive && { exclusive: true }),
    }))
  const complaints =
    KINDS[kind].texts === 'complaint'
      ? question.offered?.map((complaint) => ({
          id: complaint,
          label: speech.say(`complaint.${complaint}.name`) ?? complaint,
        }))
      : undefined
  const choices = options ?? complaints
  return {
    id,
    kind,
    text: text('text') ?? id,
    ...(help && { help }),
    ...(drawing && { drawing }),
    ...(why && { why }),
    ...(choices && { options: choices }),
    ...(usual !== undefined && { usual }),
    ...(unit && { unit: speech.say(`unit.${unit}`, { n: 2 })?.replace(/^2\s*/, '') ?? unit }),
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    ...(step !== undefined && { step }),
    ...(units && {
      units: units.map((one) => ({ id: one, label: speech.say(`unit.${one}`, { n: 2 })?.replace(/^2\s*/, '') ?? one })),
    }),
    ...(maxLength !== undefined && { maxLength }),
    ...(given !== undefined && { given }),
    ...(proposal && {
      proposal: {
        from: proposal.from,
        answer: answerWords(speech, id, proposal.value),
        ...(proposal.words !== undefined && { words: proposal.words }),
      },
    }),
    ...(followUp && {
      followUp: { of: followUp.of, ...(followUp.options && { options: [...followUp.options] }) },
    }),
    dontKnow,
  }
}

/** Texts by their paths, each once: several complaints may give the same advice. */
const sayAll = (speech: Speech, paths: readonly string[], variables?: Record<string, string>): string[] => [
  ...new Set(paths.flatMap((path) => speech.say(path, variables) || [])),
]

const reasonsOf = (speech: Speech, rules: readonly Danger[]): string[] =>
  sayAll(
    speech,
    rules.map(({ complaint, rule }) => `rule.${complaint}.${rule}.reason`),
  )

const becauseOf = (speech: Speech, rules: readonly Danger[]): string[] =>
  toldBecause(
    speech,
    rules.flatMap(({ answers }) => answers),
  )

/** The emergency card: what made it appear, whom to call, what to say, what to do first. */
export function alarmView(speech: Speech, { alarms, firstActions }: Step, { level }: Alarm) {
  const told = toldOf(speech, alarms)
  return {
    level,
    title: speech.say(`alarm.${level}.title`) ?? '',
    text: speech.say(`alarm.${level}.text`) ?? '',
    because: becauseOf(speech, told),
    reasons: reasonsOf(speech, told),
    say: sayOf(speech, alarms),
    firstActions: sayAll(speech, firstActions),
    callNumber:
      level === 'Level3'
        ? (speech.clinicPhone ?? speech.adviceNumber ?? speech.emergencyNumber)
        : speech.emergencyNumber,
  }
}

function warningView(speech: Speech, warnings: readonly Alarm[], { level }: Alarm) {
  const text = { title: speech.say('warning.title') ?? '', text: speech.say('warning.text') ?? '' }
  const why = { because: becauseOf(speech, warnings), reasons: reasonsOf(speech, warnings) }
  return { level, ...text, ...why, say: null, firstActions: [], callNumber: speech.clinicPhone }
}

/** The result of a session that has ended, as its user reads it. */
export function outcomeView(session: Session, interview: Interview, speech: Speech) {
  const outcome = storedOutcome(session)
  const level = outcome.level ?? 'none'
  const isUrgent = outcome.flag === 'red'
  const isDanger = (reason: Reason) => flagAt(LEVELS.indexOf(reason.level)) === 'red'
  const dangers = [...outcome.reasons, ...outcome.alsoTrue.filter(isDanger)]
  const why = isUrgent ? toldOf(speech, dangers) : outcome.reasons
  return {
    level: LEVELS.find((one) => one === outcome.level) ?? null,
    flag: outcome.flag,
    title: speech.say(`level.${level}.title`) ?? '',
    text: speech.say(`level.${level}.do`) ?? '',
    because: becauseOf(speech, why),
    reasons: reasonsOf(speech, why),
    say: isUrgent ? sayOf(speech, dangers) : null,
    firstActions: sayAll(speech, outcome.firstActions),
    next: nextSteps(speech.language, outcome, session.configuration, isReachable(session)),
    advice: sayAll(speech, outcome.advice),
    safetyNet: sayAll(speech, outcome.safetyNet, { haste: hasteOf(outcome.flag) }),
    complete: outcome.complete,
    reviewNotice: reviewNotice(interview, speech.language),
  }
}
