import Type from 'typebox'
import type { Answer } from '../../engine/content.ts'
import { inContentIds } from '../../engine/intake.ts'
import { refTo } from '../schemas.ts'
import { AnswerValue } from './schemas.ts'

/** Answers as clients send them. */
export const givenAnswers = (options: { minItems?: number; maxItems: number }) =>
  Type.Array(Type.Object({ question: Type.String({ maxLength: 100 }), value: refTo(AnswerValue) }), options)

/** The words of the interface (`Female`, `Regular`) are understood here as well as the ids of the options. */
export const readAnswers = (given: readonly Answer[]): Answer[] => given.map(inContentIds)
