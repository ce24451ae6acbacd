import type {
  Coding,
  Questionnaire,
  QuestionnaireItem,
  QuestionnaireResponse,
  QuestionnaireResponseItem,
  QuestionnaireResponseItemAnswer,
} from 'fhir/r4.js'
import type { LedgerEntry, Question, QuestionKind, Stage, Value } from '../../../engine/content.ts'
import { kindOf } from '../../../engine/kinds.ts'
import { optionLabel } from '../../picture/clinical-words.ts'
import type { Bundling, Named } from './bundle.ts'
import { absentExtension, plain, quantity } from './codes.ts'

const STAGES = ['intake', 'emergency', 'chat'] as const satisfies readonly Stage[]

/** The FHIR type of each kind of question, and whether it has several answers. */
const ITEMS: Readonly<Record<QuestionKind, Pick<QuestionnaireItem, 'type' | 'repeats'>>> = {
  sign: { type: 'boolean' },
  yesno: { type: 'boolean' },
  one: { type: 'choice' },
  many: { type: 'choice', repeats: true },
  complaints: { type: 'choice', repeats: true },
  number: { type: 'decimal' },
  scale: { type: 'integer' },
  duration: { type: 'quantity' },
  date: { type: 'date' },
  text: { type: 'text' },
  photo: { type: 'reference', repeats: true },
}

/** FHIR calls a decimal with a unit a quantity. */
export function itemOf({ kind, unit }: Question): Pick<QuestionnaireItem, 'type' | 'repeats'> {
  const item = ITEMS[kind]
  return item.type === 'decimal' && unit ? { ...item, type: 'quantity' } : item
}

/** The address is this session's own: the questionnaire holds what this patient was asked, in the words used. */
const addressOf = ({ publicUrl, handoff }: Bundling): string =>
  `${publicUrl}/fhir/Questionnaire/${handoff.session.row.id}-${handoff.language}`

/** The questions that were asked. */
export function questionnaire(bundling: Bundling): Named<Questionnaire> {
  const { handoff, sheet } = bundling
  const { release } = handoff.interview.content
  const { reviewNotice } = sheet
  return {
    name: 'questionnaire',
    resource: {
      resourceType: 'Questionnaire',
      language: bundling.language,
      url: addressOf(bundling),
      version: release.version,
      title: sheet.word('interview'),
      status: 'active',
      subjectType: ['Patient'],
      publisher: plain(sheet.clinic),
      ...(reviewNotice && { description: reviewNotice }),
      item: grouped(bundling, (entry) => questionItem(bundling, entry)).map((group) => ({ ...group, type: 'group' })),
    },
  }
}

/** What was answered, in the same order. */
export function questionnaireResponse(bundling: Bundling): Named<QuestionnaireResponse> {
  const { handoff, isFinal, ref } = bundling
  return {
    name: 'questionnaire-response',
    resource: {
      resourceType: 'QuestionnaireResponse',
      language: bundling.language,
      questionnaire: `${addressOf(bundling)}|${handoff.interview.content.release.version}`,
      status: !isFinal ? 'in-progress' : handoff.outcome.complete ? 'completed' : 'stopped',
      subject: ref('patient'),
      encounter: ref('encounter'),
      authored: handoff.asOf.toISOString(),
      author: ref('device'),
      ...(bundling.source && { source: bundling.source }),
      item: grouped(bundling, (entry) => responseItem(bundling, entry)),
    },
  }
}

/** Both have one group for each stage of the interview, with what was asked then. */
function grouped<Item>({ handoff, sheet }: Bundling, itemOf: (entry: LedgerEntry) => Item) {
  return STAGES.flatMap((stage) => {
    const entries = handoff.interview.step.ledger.filter((entry) => entry.stage === stage)
    return entries.length > 0 ? [{ linkId: `stage.${stage}`, text: sheet.word(stage), item: entries.map(itemOf) }] : []
  })
}

const questionOf = ({ handoff }: Bundling, id: string): Question | undefined =>
  handoff.interview.content.release.questions[id]

const textOf = ({ handoff: { speech } }: Bundling, id: string): string => plain(speech.say(`question.${id}.text`) ?? id)

function optionCoding(bundling: Bundling, question: string, option: string): Coding {
  const label = optionLabel(bundling.handoff.speech, question, option)
  return kindOf(bundling.handoff.interview.content, question).texts === 'complaint'
    ? bundling.codes.coding('complaint', option, label)
    : bundling.codes.coding('option', `${question}.${option}`, label)
}

function questionItem(bundling: Bundling, { question: id }: LedgerEntry): QuestionnaireItem {
  const question = questionOf(bundling, id)
  const item = question ? itemOf(question) : ITEMS.text
  return {
    linkId: id,
    code: [bundling.codes.coding('question', id)],
    text: textOf(bundling, id),
    ...item,
    ...(item.type === 'choice' && {
      answerOption: bundling.handoff.offered(id).map((option) => ({ valueCoding: optionCoding(bundling, id, option) })),
    }),
    ...(item.type === 'text' && question?.maxLength && { maxLength: question.maxLength }),
  }
}

/** "Don't know" is no answer, with the reason why there is none. Having nothing to add is not unknown. */
function responseItem(bundling: Bundling, { question, value }: LedgerEntry): QuestionnaireResponseItem {
  if (value === null) {
    const reason = questionOf(bundling, question)?.section === 'note' ? 'asked-declined' : 'asked-unknown'
    return { linkId: question, text: textOf(bundling, question), ...absentExtension(reason) }
  }
  const answer = answersOf(bundling, question, value)
  return { linkId: question, text: textOf(bundling, question), ...(answer.length > 0 && { answer }) }
}

function answersOf(bundling: Bundling, id: string, value: NonNullable<Value>): QuestionnaireResponseItemAnswer[] {
  const question = questionOf(bundling, id)
  const { type } = question ? itemOf(question) : ITEMS.text
  if (typeof value === 'boolean') return [{ valueBoolean: value }]
  if (typeof value === 'number') {
    if (type === 'integer') return [{ valueInteger: value }]
    return type === 'quantity'
      ? [{ valueQuantity: measured(bundling, value, question?.unit) }]
      : [{ valueDecimal: value }]
  }
  if (typeof value === 'string') {
    if (type === 'choice') return [{ valueCoding: optionCoding(bundling, id, value) }]
    if (type === 'date') return [{ valueDate: value }]
    return plain(value).trim() ? [{ valueString: plain(value) }] : []
  }
  if ('amount' in value) return [{ valueQuantity: measured(bundling, value.amount, value.unit) }]
  if (type === 'reference') {
    const kept = value.filter((file) => bundling.handoff.files.some((one) => one.id === file))
    return kept.map((file) => ({ valueReference: bundling.ref(`file.${file}`) }))
  }
  return value.map((option) => ({ valueCoding: optionCoding(bundling, id, option) }))
}

/** A measured value with its UCUM unit and the unit in words. */
export function measured({ handoff: { speech } }: Bundling, value: number, unit: string | undefined) {
  const word = unit && speech.say(`unit.${unit}`, { n: value })?.replace(/^[\d.,]+\s*/, '')
  return quantity(value, unit, word || undefined)
}
