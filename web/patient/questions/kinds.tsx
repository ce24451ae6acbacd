import type { ComponentType } from 'preact'
import type { LedgerEntry, QuestionView } from '../api.ts'
import type { Words } from '../words/words.ts'
import { Age } from './age.tsx'
import { Amount } from './amount.tsx'
import { Choice } from './choice.tsx'
import { Complaints } from './complaints.tsx'
import type { ControlProps } from './control.ts'
import { Day } from './day.tsx'
import { HowLong } from './duration.tsx'
import { Many } from './many.tsx'
import { ageParts } from './numbers.ts'
import { OwnWords } from './own-words.tsx'
import { Photos } from './photos.tsx'
import { Scale } from './scale.tsx'

type Kind = {
  control: ComponentType<ControlProps>
  /** The label for leaving it unanswered; null where the control itself can be left empty. */
  leaving: 'dontKnow' | 'skip' | null
  /** The text of an answer where it depends on the reader's calendar or on counting; null: the service's text is used. */
  told: ((entry: LedgerEntry, words: Words) => string | null) | null
}

/** What the app does with each kind of question. */
export const KINDS: Readonly<Record<QuestionView['kind'], Kind>> = {
  sign: { control: Choice, leaving: 'dontKnow', told: null },
  yesno: { control: Choice, leaving: 'dontKnow', told: null },
  one: { control: Choice, leaving: 'dontKnow', told: null },
  many: { control: Many, leaving: 'dontKnow', told: null },
  number: { control: AgeOrAmount, leaving: 'dontKnow', told: ageTold },
  scale: { control: Scale, leaving: 'dontKnow', told: null },
  duration: { control: HowLong, leaving: 'dontKnow', told: null },
  date: { control: Day, leaving: 'dontKnow', told: dayTold },
  text: {
    control: OwnWords,
    leaving: 'skip',
    told: ({ value }, words) => (value === null ? words.chat.unanswered : null),
  },
  photo: {
    control: Photos,
    leaving: null,
    told: ({ value }, words) => words.photos.count(Array.isArray(value) ? value.length : 0),
  },
  complaints: { control: Complaints, leaving: 'dontKnow', told: null },
}

function AgeOrAmount(props: ControlProps) {
  return props.question.id === 'age' ? <Age {...props} /> : <Amount {...props} />
}

function ageTold({ question, value }: LedgerEntry, words: Words): string | null {
  if (question !== 'age' || typeof value !== 'number') return null
  const { amount, unit } = ageParts(value)
  return words.age[unit](amount)
}

function dayTold({ value }: LedgerEntry, words: Words): string | null {
  if (typeof value !== 'string') return null
  return new Intl.DateTimeFormat(words.locale, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(value))
}
