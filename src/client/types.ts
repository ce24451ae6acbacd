// Written by scripts/client-types.ts from docs/openapi.json: change that, not this.

/** English, Finnish, Norwegian or Swedish. */
export type Language = 'en' | 'fi' | 'no' | 'sv'

/** Biological sex of the patient; it decides which questions are asked. */
export type Sex = 'Male' | 'Female' | 'Other'

/** Level1 and Level2: 10 minutes. Level3: 1 hour. Level4: 4 hours. Level5: 1 day. Level6: 1 week. Level7: 1 month. Level8: self-care. */
export type Urgency =
  | 'No urgency set'
  | 'Level1'
  | 'Level2'
  | 'Level3'
  | 'Level4'
  | 'Level5'
  | 'Level6'
  | 'Level7'
  | 'Level8'

/** None until the user has confirmed it. */
export type IssueType = 'None' | 'Regular' | 'Prescription' | 'Certificate' | 'Admin'

/** Created, StartedChat, Ended, or AiSessionNotCreated when the triage part could not be set up. */
export type SessionStatus = 'Ended' | 'StartedChat' | 'Created' | 'AiSessionNotCreated'

/** Why the service is closed for incoming users. */
export type ClosedReason = 'Other' | 'OutsideMonitoredHours' | 'CapLimitReached'

export type Summary = {
  /** Text summary of the session: section headings and label: value lines */
  data: string
}

export type Judgement = {
  judgementId: string
  judgedTimestamp: string
  auditUserIdentifier: string | null
  urgency: 'Level1' | 'Level2' | 'Level3' | 'Level4' | 'Level5' | 'Level6' | 'Level7' | 'Level8'
  sessionUrgency: 'Level1' | 'Level2' | 'Level3' | 'Level4' | 'Level5' | 'Level6' | 'Level7' | 'Level8' | null
  reason: string
}

/** RFC 9457 */
export type Problem = {
  /** Address of a page that explains the problem */
  type: string
  title: string
  status: number
  detail: string
  requestId: string
  errors?: {
    pointer: string
    message: string
  }[]
  [key: string]: unknown
}

/** Everything is optional. Unknown fields are ignored and not stored. */
export type NewSession = {
  patient?: {
    /** Years; fractions for infants. */
    age?: number | null
    /** YYYY-MM-DD. Becomes the age and is not kept. */
    birthDate?: string | null
    sex?: Sex | null
    /** What your system knows the patient by. Opaque; handed back by the contact endpoint. */
    reference?: string | null
  } | null
  languageCode?: Language | null
  /** The matter in the user’s words. */
  text?: string | null
  userIsPatient?: boolean | null
  issueType?: IssueType | null
  sessionFlow?: 'Standard' | 'ExternallyInitiatedByProxy' | null
  /** True: this session’s user is let in although closed or capped. */
  overrideDemandManagement?: boolean | null
  /** Any JSON up to 4 KiB, handed back unchanged in the webhook. */
  extendedData?: unknown
  /** An https address on the configuration’s list. */
  returnUrl?: string | null
  /** Signs of the content in use that are there (true) or not (false). Shown to the user as proposals; they count when confirmed. */
  signs?: Record<string, boolean> | null
}

export type CreatedSession = {
  sessionId: string
  /** Where the user enters. The part after # is a secret. */
  url: string
  sessionStatus: SessionStatus
  sessionCreatedTimestamp: string
  /** Until when the user can enter for the first time. */
  expiresTimestamp: string
}

export type SessionInfo = {
  /** Description of the matter */
  descriptionOfMatter: string | null
  /** Age of the patient */
  patientAge: number | null
  patientSex: Sex | null
  /** When the session was completed */
  sessionCompletedTimestamp: string | null
  /** When the session was created */
  sessionCreatedTimestamp: string | null
  urgency: Urgency
  /** When the user started the session */
  userStartedTimestamp: string | null
  /** True if the user was the patient; null until someone has entered */
  userWasPatient: boolean | null
  issueType: IssueType
}

export type Status = {
  sessionStatus: SessionStatus
}

export type Link = {
  /** URL to decision support, valid for 5 minutes */
  link: string
  /** Token embedded in the link */
  token: string
  /** URL of the decision support manager script */
  managerScriptUrl: string
}

export type File = {
  /** Type of the file */
  mimeType: string
  /** URL to access the file while the user cookie is alive */
  downloadUrl: string
}

export type Contact = {
  /** As the user wrote it */
  phone: string | null
  /** When the patient can best be reached, in the user’s words */
  when: string | null
  /** `patient.reference` as it was given at creation */
  reference: string | null
}

export type AccessInfo = {
  /** Active state of the account */
  active: boolean
  /** Open state of the account */
  open: boolean
  closedReason: ClosedReason | null
}

export type SessionCount = {
  /** Number of completed sessions */
  completed: number
  /** Number of ongoing sessions */
  active: number
}

export type SessionList = {
  sessions: {
    sessionId: string
    sessionStatus: SessionStatus
    sessionCreatedTimestamp: string
    /** When the user started the session */
    userStartedTimestamp: string | null
    /** When the session was completed */
    sessionCompletedTimestamp: string | null
    /** Created with a sandbox key: in no count and in no statistics */
    isTest: boolean
    urgency?: Urgency
    /** With `include=urgency`: red for Level1 to Level3, warning for Level4 */
    flag?: 'red' | 'warning' | null
    /** Ids of the complaints; null until the session has ended */
    complaints?: string[] | null
    contact?: Contact
    judgement?: Judgement | null
  }[]
  /** Give it as `cursor` for the next page; null on the last one. */
  nextCursor: string | null
}

export type Statistics = {
  start: string
  end: string
  by: 'hour' | 'day'
  /** Whose days they are */
  timeZone: string
  /** Fewer than this are not told apart */
  smallestGroup: number
  total: {
    /** Sessions created */
    created: number
    /** Of these, entered by a user */
    started: number
    /** Of these, ended */
    finished: number
    /** Of these, entered and not continued within their lifetime */
    left: number
    /** Of the finished, those whose contents are erased: they are in no group */
    erased: number
    /** From entering to the end; null where fewer than `smallestGroup` finished */
    durationSeconds: {
      p50: number
      p90: number
    } | null
    /** Answered screens, those answered again too; null likewise */
    screens: {
      p50: number
      p90: number
    } | null
  }
  periods: {
    start: string
    /** Sessions created */
    created: number
    /** Of these, entered by a user */
    started: number
    /** Of these, ended */
    finished: number
    /** Of these, entered and not continued within their lifetime */
    left: number
    /** Of the finished, those whose contents are erased: they are in no group */
    erased: number
    /** From entering to the end; null where fewer than `smallestGroup` finished */
    durationSeconds: {
      p50: number
      p90: number
    } | null
    /** Answered screens, those answered again too; null likewise */
    screens: {
      p50: number
      p90: number
    } | null
  }[]
  /** By urgency */
  urgencies: {
    /** Null: the groups that are too small to be told apart */
    value: string | null
    /** Finished sessions */
    finished: number
    /** From entering to the end; null where fewer than `smallestGroup` finished */
    durationSeconds: {
      p50: number
      p90: number
    } | null
    /** Answered screens, those answered again too; null likewise */
    screens: {
      p50: number
      p90: number
    } | null
  }[]
  /** By complaint; a session with two is in both, one without is under `none` */
  complaints: {
    /** Null: the groups that are too small to be told apart */
    value: string | null
    /** Finished sessions */
    finished: number
    /** From entering to the end; null where fewer than `smallestGroup` finished */
    durationSeconds: {
      p50: number
      p90: number
    } | null
    /** Answered screens, those answered again too; null likewise */
    screens: {
      p50: number
      p90: number
    } | null
  }[]
  /** By language */
  languages: {
    /** Null: the groups that are too small to be told apart */
    value: string | null
    /** Finished sessions */
    finished: number
    /** From entering to the end; null where fewer than `smallestGroup` finished */
    durationSeconds: {
      p50: number
      p90: number
    } | null
    /** Answered screens, those answered again too; null likewise */
    screens: {
      p50: number
      p90: number
    } | null
  }[]
  /** By complaint and content release */
  judgements: {
    complaint: string | null
    contentRelease: string | null
    /** Sessions with an urgency that a clinician judged; the last judgement counts */
    judged: number
    /** Judged to be as urgent; null where it is withheld */
    agreed: number | null
    /** Judged to be more urgent than the session said; null where it is withheld */
    underTriaged: number | null
    /** Judged to be less urgent; null where it is withheld */
    overTriaged: number | null
  }[]
}
