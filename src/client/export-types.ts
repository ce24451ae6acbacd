// Written by scripts/client-types.ts from docs/openapi.json: change that, not this.

import type { IssueType, Judgement, Language, SessionStatus, Sex } from './types.ts'

export type AccessLogEntry = {
  timestamp: string
  kind: 'key' | 'clinician' | 'operator' | 'user' | 'service'
  /** The key by its note, the clinician by their identifier, the operator by name; in words */
  who: string
  /** Account and configuration; null where it was for none, such as the operator’s */
  unit: string | null
  /** In words */
  what: string
  /** The name of what was done, as in the audit log */
  action: string
  fileId: string | null
}

export type SessionExport = {
  /** `fyr-session-export-1` */
  format: string
  exportedTimestamp: string
  language: Language
  session: {
    sessionId: string
    account: string
    configuration: string
    sessionStatus: SessionStatus
    sessionCreatedTimestamp: string
    /** When the user started the session */
    userStartedTimestamp: string | null
    /** When the session was completed */
    sessionCompletedTimestamp: string | null
    lastActiveTimestamp: string
    /** When it was found that nobody continued it */
    abandonedTimestamp: string | null
    canBeEnteredUntil: string
    canBeContinuedUntil: string
    /** For how many days after the last activity it is kept */
    keptDays: number
    languageCode: string
    sessionFlow: string
    issueType: IssueType
    contentRelease: string | null
    overrideDemandManagement: boolean
    returnUrl: string | null
    isTest: boolean
  }
  patient: {
    age: number | null
    sex: Sex | null
    answeredBy: string | null
    reference: string | null
    contact: {
      phone: string
      when: string | null
    } | null
  }
  /** What the integrating system said when it made the session, `extendedData` too */
  toldAtCreation: Record<string, unknown>
  /** In the user’s own words */
  descriptionOfMatter: string | null
  /** The text summary */
  summary: string
  urgency: {
    level: 'Level1' | 'Level2' | 'Level3' | 'Level4' | 'Level5' | 'Level6' | 'Level7' | 'Level8' | null
    title: string
    time: string | null
    isFinal: boolean
    remark: string | null
    /** The emergency card that was shown, where the user answered on after it */
    emergencyCard: string | null
    reasons: Record<string, unknown>[]
    alsoTrue: Record<string, unknown>[]
    redFlags: {
      state: string
      heading: string
      labels: string[]
    }[]
    unconfirmed: string[]
    considerations: Record<string, unknown>[]
  }
  /** The outcome as it was stored at the end */
  outcome: Record<string, unknown> | null
  /** Everything that was said, in its order, changes and withdrawals too */
  answers: {
    at: string
    kind: 'answered' | 'changed' | 'withdrawn'
    label: string
    /** The question in words */
    asked: string
    /** The answer in words */
    answer: string | null
    /** What was answered before, in words */
    before: string | null
    /** Whether these are the patient’s own words */
    words: boolean
    /** Whether this answer is the one that counts in the end */
    counts: boolean
    from: 'own-words' | 'integrator' | null
    /** The id of the question */
    question: string
    /** The answer as it is stored */
    value: unknown
    /** What was heard in own words */
    heard: Record<string, unknown> | null
  }[]
  judgements: Judgement[]
  files: {
    fileId: string
    name: string
    mimeType: string | null
    /** Bytes */
    size: number
    remarks: string[]
    addedTimestamp: string
    /** When the user removed it; only its name is kept from then on */
    removedTimestamp: string | null
    /** Whether its bytes can be read: `GET …/files/{fileId}` */
    isKept: boolean
  }[]
  /** What was sent to webhooks about it */
  deliveries: {
    deliveryId: string
    endpoint: string
    type: string
    state: string
    queuedTimestamp: string
    attempts: {
      timestamp: string
      status: number | null
      error: string | null
      /** The beginning of what the receiver answered */
      answer: string | null
    }[]
  }[]
  signIns: {
    kind: string
    enteredTimestamp: string
    expiresTimestamp: string
    /** When the user signed out */
    signedOutTimestamp: string | null
  }[]
  visits: {
    auditUserIdentifier: string
    openedTimestamp: string
    aliveUntilTimestamp: string
  }[]
  /** Who did or saw what, and when; this export is its last line */
  accessLog: AccessLogEntry[]
}
