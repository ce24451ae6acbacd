import type { Answer, ComplaintKind, Value } from './content.ts'

/** The answers to the intake question `sex`, and what the interface calls them. */
const SEX_OF = { male: 'Male', female: 'Female', other: 'Other' } as const
export type Sex = (typeof SEX_OF)[keyof typeof SEX_OF]
export const SEXES: readonly Sex[] = Object.values(SEX_OF)

/** From this age on a patient is not spoken of as a child. */
const GROWN_UP = 16

/** Whether somebody of that age is spoken of as a child: as a boy or a girl. */
export const isChild = (age: Value | undefined): boolean => typeof age === 'number' && age < GROWN_UP

/** The answers to the intake question `issue_type`, and what the interface calls them. */
const ISSUE_TYPE_OF = {
  regular: 'Regular',
  prescription: 'Prescription',
  certificate: 'Certificate',
  admin: 'Admin',
} as const
type Issue = keyof typeof ISSUE_TYPE_OF
/** None until the user has answered it. */
export type IssueType = 'None' | (typeof ISSUE_TYPE_OF)[Issue]
export const ISSUE_TYPES: readonly IssueType[] = ['None', ...Object.values(ISSUE_TYPE_OF)]

/** How a patient reaches a complaint: by the issue type they choose; for medical ones they then choose complaints. */
export const WAY_TO: Readonly<Record<ComplaintKind, { readonly issue: Issue; readonly isMedical: boolean }>> = {
  complaint: { issue: 'regular', isMedical: true },
  general: { issue: 'regular', isMedical: true },
  emergency: { issue: 'regular', isMedical: false },
  prescription: { issue: 'prescription', isMedical: false },
  certificate: { issue: 'certificate', isMedical: false },
  admin: { issue: 'admin', isMedical: false },
}

export const sexOf = (answer: Value | undefined): Sex | null => named(SEX_OF, answer) ?? null
export const issueTypeOf = (answer: Value | undefined): IssueType => named(ISSUE_TYPE_OF, answer) ?? 'None'

/** The answer for a word of the interface; undefined when there is none. */
export const sexAnswer = (sex: string): string | undefined => answerFor(SEX_OF, sex)
export const issueAnswer = (issueType: string): string | undefined => answerFor(ISSUE_TYPE_OF, issueType)

/** An answer given in a word of the interface (`Female`, `Regular`) as the id that the content has for it; any other as it is. */
export function inContentIds<Given extends Answer>(answer: Given): Given {
  const { question, value } = answer
  if (typeof value !== 'string') return answer
  const id = question === 'sex' ? sexAnswer(value) : question === 'issue_type' ? issueAnswer(value) : undefined
  return id === undefined ? answer : { ...answer, value: id }
}

function named<Name extends string>(table: Readonly<Record<string, Name>>, answer: Value | undefined) {
  return typeof answer === 'string' && Object.hasOwn(table, answer) ? table[answer] : undefined
}

const answerFor = (table: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.keys(table).find((answer) => table[answer] === name)
