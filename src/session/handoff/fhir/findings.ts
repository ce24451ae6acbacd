import type { Observation } from 'fhir/r4.js'
import type { LedgerEntry, Question, Section, Value } from '../../../engine/content.ts'
import { KINDS } from '../../../engine/kinds.ts'
import { labelOf, optionLabel, standingAlone } from '../../picture/clinical-words.ts'
import { unconfirmedOf } from '../../picture/unconfirmed.ts'
import { answeredAt } from '../handoff.ts'
import { type Bundling, findingName, type Named } from './bundle.ts'
import { absent, hl7, plain, quantity } from './codes.ts'
import { itemOf, measured } from './interview.ts'
import { bloodPressure, MEASURES, VITAL_SIGNS } from './measures.ts'

/** Questions that are no findings: they are in the encounter, the questionnaire response or the files. */
const NO_FINDINGS = ['for_whom', 'issue_type', 'told_trouble', 'matter', 'complaints', 'age']

type What = Pick<
  Observation,
  | 'valueBoolean'
  | 'valueQuantity'
  | 'valueInteger'
  | 'valueString'
  | 'valueDateTime'
  | 'valueCodeableConcept'
  | 'dataAbsentReason'
>

/** An observation, and the section of the document that lists it. */
export type Finding = Named<Observation> & { section: Section | 'redFlags' }

/** One observation for each thing the patient confirmed, denied, measured or did not know, and for each red flag not asked. */
export function findings(bundling: Bundling): Finding[] {
  const { handoff } = bundling
  const said = handoff.interview.step.ledger
    .filter(({ question }) => !NO_FINDINGS.includes(question))
    .flatMap((entry) => saidOf(bundling, entry))
  const open = handoff.outcome.redFlags
    .filter(({ state }) => state === 'not-asked')
    .map(({ question, option }) =>
      observation(bundling, question, option, { dataAbsentReason: absent('not-asked') }, handoff.asOf),
    )
  const known = new Set(said.map(({ name }) => name))
  return [
    ...ageOf(bundling),
    ...said,
    ...bloodPressure(bundling, said),
    ...open.filter(({ name }) => !known.has(name)),
    ...unconfirmedFindings(bundling),
  ]
}

/** Danger that own words told of and no sign confirmed: preliminary for ever, with the words. */
const unconfirmedFindings = ({ handoff, sheet, codes, ref, source }: Bundling): Finding[] =>
  unconfirmedOf(handoff.interview, handoff.outcome).map(({ kind, words }) => ({
    name: `unconfirmed.${kind}`,
    section: 'redFlags',
    resource: {
      resourceType: 'Observation',
      status: 'preliminary',
      category: [
        { coding: [hl7('observation-category', 'survey', 'Survey')] },
        { coding: [codes.coding('section', 'red-flag')] },
      ],
      code: codes.concept('danger', kind, sheet.word('unconfirmed')),
      subject: ref('patient'),
      encounter: ref('encounter'),
      effectiveDateTime: answeredAt(handoff, 'matter').toISOString(),
      ...(source && { performer: [source] }),
      valueString: plain(words),
      derivedFrom: [ref('questionnaire-response')],
    },
  }))

function ageOf(bundling: Bundling): Finding[] {
  const { handoff } = bundling
  const { patient_age: age } = handoff.session.row
  const word = handoff.speech.say('unit.years', { n: 2 })?.replace(/^2\s*/, '')
  const value =
    age === null ? { dataAbsentReason: absent('not-asked') } : { valueQuantity: quantity(age, 'years', word) }
  return [observation(bundling, 'age', undefined, value, answeredAt(handoff, 'age'))]
}

function saidOf(bundling: Bundling, { question: id, value }: LedgerEntry): Finding[] {
  const { handoff } = bundling
  const question = handoff.interview.content.release.questions[id]
  if (!question || itemOf(question).type === 'reference' || (value === null && question.section === 'note')) return []
  const at = answeredAt(handoff, id)
  if (KINDS[question.kind].chooses !== 'some')
    return [observation(bundling, id, undefined, whatOf(bundling, question, value), at)]
  const chosen = Array.isArray(value) ? value : []
  return handoff
    .offered(id)
    .filter((option) => option !== 'none')
    .map((option) => {
      const what: What =
        value === null ? { dataAbsentReason: absent('asked-unknown') } : { valueBoolean: chosen.includes(option) }
      return observation(bundling, id, option, what, at)
    })
}

function whatOf(bundling: Bundling, question: Question, value: Value): What {
  const { id, unit } = question
  const { type } = itemOf(question)
  if (value === null) return { dataAbsentReason: absent('asked-unknown') }
  if (typeof value === 'boolean') return { valueBoolean: value }
  if (typeof value === 'number')
    return type === 'integer' ? { valueInteger: value } : { valueQuantity: measured(bundling, value, unit) }
  if (typeof value === 'string') {
    if (type === 'choice') {
      const label = optionLabel(bundling.handoff.speech, id, value)
      return { valueCodeableConcept: bundling.codes.concept('option', `${id}.${value}`, label) }
    }
    if (type === 'date') return { valueDateTime: value }
    return plain(value).trim() ? { valueString: plain(value) } : { dataAbsentReason: absent('asked-unknown') }
  }
  return 'amount' in value ? { valueQuantity: measured(bundling, value.amount, value.unit) } : {}
}

function observation(
  { handoff, sheet, codes, isFinal, ref, source }: Bundling,
  question: string,
  option: string | undefined,
  what: What,
  at: Date,
): Finding {
  const { speech, interview, outcome } = handoff
  const section = interview.content.release.questions[question]?.section ?? 'findings'
  const from = interview.answers.findLast((answer) => answer.question === question)?.from
  const note = from === 'own-words' ? 'fromWords' : from === 'integrator' ? 'fromIntegrator' : undefined
  const measure = option === undefined ? MEASURES[question] : undefined
  const isFlag = outcome.redFlags.some((flag) => flag.question === question && flag.option === option)
  return {
    name: findingName(question, option),
    section: isFlag ? 'redFlags' : section,
    resource: {
      resourceType: 'Observation',
      status: isFinal ? 'final' : 'preliminary',
      category: [
        { coding: [hl7('observation-category', 'survey', 'Survey')] },
        { coding: [codes.coding('section', section)] },
        ...(isFlag ? [{ coding: [codes.coding('section', 'red-flag')] }] : []),
        ...(measure?.isVitalSign ? [VITAL_SIGNS] : []),
      ],
      code:
        option === undefined
          ? codes.concept('question', question, labelOf(speech, question), measure?.code)
          : codes.concept('option', `${question}.${option}`, standingAlone(speech, [{ question, option }]).join()),
      subject: ref('patient'),
      encounter: ref('encounter'),
      effectiveDateTime: at.toISOString(),
      ...(source && { performer: [source] }),
      ...what,
      ...(note && { note: [{ text: sheet.word(note) }] }),
      ...(handoff.interview.step.ledger.length > 0 && { derivedFrom: [ref('questionnaire-response')] }),
    },
  }
}
