import { type Complaint, type DangerKind, DURATION_UNITS, LEVELS, type Question } from '../content.ts'
import { NUMBER_UNITS } from './kinds.ts'

/** One text that must exist: where it stands in the words file, its path in the release, and what it may contain. */
export interface ExpectedText {
  readonly key: readonly string[]
  readonly path: string
  readonly optional: boolean
  readonly variables: readonly string[]
}

const WHO = ['who']
const SPOKEN = ['who', 'emergencyNumber', 'clinicNumber', 'clinic', 'reach', 'adviceNumber', 'crisisLine', 'poisonLine']

/** A sign has one text for its row and one for the clinician; help explains an unfamiliar word. */
export const textsOfSigns = (signs: readonly Question[]): ExpectedText[] =>
  signs.flatMap(({ id }) => [
    { key: [id, 'text'], path: `question.${id}.text`, optional: false, variables: WHO },
    { key: [id, 'help'], path: `question.${id}.help`, optional: true, variables: WHO },
    { key: [id, 'label'], path: `question.${id}.label`, optional: false, variables: [] },
  ])

function textsOfQuestion(question: Question): ExpectedText[] {
  const at = (name: string, variables: readonly string[], optional = false): ExpectedText => ({
    key: ['questions', question.id, name],
    path: `question.${question.id}.${name}`,
    optional,
    variables,
  })
  const texts = [at('text', WHO), at('help', WHO, true), at('why', WHO), at('label', [])]
  for (const option of question.options ?? []) {
    for (const [name, variables] of [
      ['text', WHO],
      ['label', []],
    ] as const) {
      texts.push({
        key: ['questions', question.id, 'options', option.id, name],
        path: `question.${question.id}.option.${option.id}.${name}`,
        optional: option.exclusive === true,
        variables,
      })
    }
  }
  return texts
}

export function textsOfComplaint(complaint: Complaint, own: readonly Question[], asksSigns: boolean): ExpectedText[] {
  const texts: ExpectedText[] = own.flatMap(textsOfQuestion)
  const add = (key: string[], path: string, variables: readonly string[], optional = false) => {
    texts.push({ key, path, optional, variables })
  }
  add(['name'], `complaint.${complaint.id}.name`, [])
  add(['label'], `complaint.${complaint.id}.label`, [])
  if (asksSigns) add(['heading'], `complaint.${complaint.id}.heading`, WHO)
  const rules = [...complaint.rules, ...complaint.reassuring].map((rule) => rule.id)
  for (const rule of complaint.otherwise ? [...rules, 'otherwise'] : rules) {
    add(['rules', rule, 'reason'], `rule.${complaint.id}.${rule}.reason`, SPOKEN)
    add(['rules', rule, 'label'], `rule.${complaint.id}.${rule}.label`, [])
    add(['rules', rule, 'say'], `rule.${complaint.id}.${rule}.say`, SPOKEN, true)
  }
  for (const { id } of complaint.differential) add(['differential', id], `differential.${complaint.id}.${id}`, [])
  for (const { id } of complaint.advice) add(['advice', id], `advice.${complaint.id}.${id}`, SPOKEN)
  for (const { id } of complaint.safetyNet)
    add(['safetyNet', id], `safetyNet.${complaint.id}.${id}`, [...SPOKEN, 'haste'])
  return texts
}

export function sharedTexts(
  questions: readonly Question[],
  screens: readonly string[],
  dangers: readonly DangerKind[],
  firstActions: readonly string[],
): ExpectedText[] {
  const texts = questions.flatMap(textsOfQuestion)
  const add = (key: string[], variables: readonly string[]) => {
    texts.push({ key, path: key.join('.'), optional: false, variables })
  }
  for (const screen of [...screens, 'signs', 'further', 'further-now', 'heard', 'named', 'understood', 'last-look'])
    add(['screen', screen], WHO)
  for (const { id } of dangers.filter(({ note }) => note)) add(['note', id], SPOKEN)
  add(['note', 'doubted'], SPOKEN)
  for (const word of ['yes', 'no', 'dontKnow', 'notAsked']) add(['common', word], [])
  add(['common', 'notSure'], ['what'])
  for (const word of ['text', 'label']) add(['common', 'none', word], WHO)
  for (const unit of new Set([...NUMBER_UNITS, ...DURATION_UNITS])) add(['unit', unit], ['n'])
  for (const level of LEVELS) {
    add(['level', level, 'title'], [])
    add(['level', level, 'time'], [])
    add(['level', level, 'do'], SPOKEN)
  }
  for (const word of ['title', 'time', 'do']) add(['level', 'none', word], SPOKEN)
  for (const level of ['Level1', 'Level2', 'Level3']) {
    for (const word of ['title', 'text', 'say']) add(['alarm', level, word], SPOKEN)
  }
  for (const word of ['title', 'text']) add(['warning', word], SPOKEN)
  for (const id of firstActions) add(['first', id], SPOKEN)
  return texts
}
