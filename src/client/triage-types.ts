// Written by scripts/client-types.ts from docs/openapi.json: change that, not this.

import type { ClosedReason, Language, SessionStatus } from './types.ts'

/** By kind: sign and yesno true or false; one an option id; many a list of option ids ("none" alone for none of these); number a number; where `units` are listed also {amount, unit}; scale a number; duration {amount, unit}; date YYYY-MM-DD; text a text; photo a list of file ids; complaints one to three ids. null is “don’t know”. */
export type AnswerValue =
  | boolean
  | number
  | string
  | string[]
  | {
      amount: number
      unit: 'minutes' | 'hours' | 'days' | 'weeks' | 'months' | 'years'
    }
  | null

export type QuestionView = {
  id: string
  kind: 'sign' | 'yesno' | 'one' | 'many' | 'number' | 'scale' | 'duration' | 'date' | 'text' | 'photo' | 'complaints'
  text: string
  help?: string
  /** A drawing that shows what a sign looks like */
  drawing?: 'glass-test' | 'drawn-in-chest'
  /** Why this is asked */
  why?: string
  options?: {
    id: string
    label: string
    exclusive?: boolean
    proposed?: boolean
    /** Proposed, and far likelier than the others */
    likely?: boolean
    /** Of a complaint: where a menu shows it */
    family?:
      | 'child'
      | 'airways'
      | 'ear-eye-mouth'
      | 'heart'
      | 'belly'
      | 'head'
      | 'back-joints'
      | 'injury'
      | 'skin'
      | 'urine-sex'
      | 'pregnancy'
      | 'mind'
    body?: string[]
  }[]
  unit?: string
  min?: number
  max?: number
  step?: number
  units?: {
    id: 'minutes' | 'hours' | 'days' | 'weeks' | 'months' | 'years'
    label: string
  }[]
  maxLength?: number
  given?: AnswerValue
  /** Answered only when the question it belongs to, if that is on the same screen, is answered with one of these options; without a list, with any but none. */
  followUp?: {
    /** The question it follows up on */
    of: string
    options?: string[]
  }
  /** Proposed, not asked: answer it to confirm or correct it. Left out of the request it is no answer, and is asked where it is needed. */
  proposal?: {
    /** Heard in the own words, or told when the session was created */
    from: 'own-words' | 'integrator'
    /** What is proposed (`given`), in words */
    answer: string
    /** The own words that told it */
    words?: string
  }
  /** The option that is meant where the question is left out of the request. Where the words beside it tell of another matter, it is then asked by itself. */
  usual?: string
  /** Whether “don’t know” (null) is an answer */
  dontKnow: boolean
}

export type AnsweredScreen = {
  /** Heading of a list of signs */
  title: string | null
  questions: QuestionView[]
}

export type OutcomeView = {
  level: 'Level1' | 'Level2' | 'Level3' | 'Level4' | 'Level5' | 'Level6' | 'Level7' | 'Level8' | null
  flag: 'red' | 'warning' | null
  /** What to do and how soon */
  title: string
  text: string
  /** The answers that led here, as they were given; nothing that was not said */
  because: string[]
  reasons: string[]
  /** What to say on the phone, at Level1 to Level3 */
  say: string | null
  /** What to do first, at Level1 to Level3 */
  firstActions: string[]
  /** What happens next and who acts, as this clinic can keep it */
  next: string[]
  advice: string[]
  safetyNet: string[]
  /** False when the user stopped at the emergency card */
  complete: boolean
  /** Said while the content is not clinically reviewed */
  reviewNotice: string | null
}

export type PublicConfiguration = {
  slug: string
  name: string
  type: 'OPEN' | 'INVITED'
  languages: Language[]
  defaultLanguage: Language
  emergencyNumber: string
  clinicPhone: string | null
  /** Medical advice by phone */
  adviceNumber: string | null
  /** Crisis and poison lines, which stand in texts alone, so that they can be called from there */
  helpLines: string[]
  theme: {
    accent: string | null
    logoUrl: string | null
  }
  /** What the clinic says itself while it is closed, by language */
  closedMessage: {
    en?: string
    fi?: string
    no?: string
    sv?: string
  } | null
  /** The clinic’s privacy notice */
  privacyUrl: string | null
  /** The clinic’s accessibility statement */
  accessibilityUrl: string | null
  /** Whether clinicians have signed the questions and advice */
  reviewed: boolean
  gate: {
    open: boolean
    active: boolean
    closedReason: ClosedReason | null
    opensAt: string | null
    timeZone: string
  }
}

export type FileView = {
  id: string
  name: string
  /** Known when the file is whole */
  mimeType: string | null
  /** Bytes */
  size: number
  /** Bytes */
  received: number
  ready: boolean
}

export type ContactGiven = {
  phone: string
  /** When the patient can best be reached */
  when: string | null
}

export type SessionView = {
  sessionId: string
  /** Its address part */
  configuration: string
  status: SessionStatus
  /** Send it with the next answer */
  version: number
  language: Language
  expiresTimestamp: string
  /** Left for too long: it takes no more answers */
  expired: boolean
  forSomeoneElse: boolean
  returnUrl: string | null
  /** On the last screen, where the clinic asks how it can reach the patient; else null */
  contact: {
    asked: 'optional' | 'required'
    given: ContactGiven | null
  } | null
  /** The clinic has a way to reach the patient */
  reachable: boolean
  step:
    | {
        kind: 'ask'
        stage: 'intake' | 'emergency' | 'chat' | 'review'
        /** Name of a screen whose questions belong together, such as `about`, `matter`, `heard` (danger that the own words tell of), `understood` (the complaint, with what was heard or told, to confirm) or `last-look` */
        screen: string | null
        /** Heading of a screen with several questions */
        title: string | null
        /** Said below the heading */
        note: string | null
        /** The screen: all of them are answered in one request, but for what is only proposed */
        questions: QuestionView[]
        progress: {
          answered: number
          left: number
        }
      }
    | {
        kind: 'review'
      }
    | {
        kind: 'outcome'
        outcome: OutcomeView
      }
  alarm: {
    level: 'Level1' | 'Level2' | 'Level3' | 'Level4' | 'Level5' | 'Level6' | 'Level7' | 'Level8'
    title: string
    text: string
    /** The answers that led here, as they were given; nothing that was not said */
    because: string[]
    reasons: string[]
    say: string | null
    /** What to do first, at Level1 to Level3 */
    firstActions: string[]
    callNumber: string | null
  } | null
  warning: {
    level: 'Level1' | 'Level2' | 'Level3' | 'Level4' | 'Level5' | 'Level6' | 'Level7' | 'Level8'
    title: string
    text: string
    /** The answers that led here, as they were given; nothing that was not said */
    because: string[]
    reasons: string[]
    say: string | null
    /** What to do first, at Level1 to Level3 */
    firstActions: string[]
    callNumber: string | null
  } | null
  ledger: {
    question: string
    kind: 'sign' | 'yesno' | 'one' | 'many' | 'number' | 'scale' | 'duration' | 'date' | 'text' | 'photo' | 'complaints'
    stage: 'intake' | 'emergency' | 'chat' | 'review'
    /** The question as it was asked */
    text: string
    /** The question in a word or two, as clinicians say it */
    label: string
    answer: string
    value: AnswerValue
    /** Of a list of signs: each as it was shown, with what was said of it */
    signs?: {
      question: string
      text: string
      /** null is “not sure” */
      value: boolean | null
    }[]
  }[]
  dropped: string[]
  files: FileView[]
}

export type EnteredSession = {
  /** The bearer credential, issued to headless clients on entering; it is not the secret of the link */
  secret: string | null
  session: SessionView
}

export type Proposals = {
  /** The words mean danger: go to the emergency check at once */
  danger: boolean
  complaints: {
    id: string
    name: string
  }[]
}

export type EmergencyCheck = {
  title: string | null
  /** None when the check is done or there is an alarm */
  questions: QuestionView[]
  alarm: {
    level: 'Level1' | 'Level2' | 'Level3' | 'Level4' | 'Level5' | 'Level6' | 'Level7' | 'Level8'
    title: string
    text: string
    /** The answers that led here, as they were given; nothing that was not said */
    because: string[]
    reasons: string[]
    say: string | null
    /** What to do first, at Level1 to Level3 */
    firstActions: string[]
    callNumber: string | null
  } | null
}
