import type { Static, TSchema } from 'typebox'
import type { JudgementView, Summary } from '../../schemas.ts'
import type {
  AccessInfo,
  Contact,
  CreatedSession,
  File,
  Link,
  NewSession,
  SessionCount,
  SessionInfo,
  SessionList,
  Statistics,
  Status,
} from '../../v1/schemas.ts'
import {
  COMPLETED_AT,
  CREATED_AT,
  EXPIRES_AT,
  FILE_ID,
  INVITATION,
  JUDGEMENT_ID,
  LINK_TOKEN,
  SESSION_ID,
  SLUG,
  STARTED_AT,
} from './ids.ts'

type Of<T extends TSchema> = Static<T>

const NEW_SESSION: Of<typeof NewSession> = {
  patient: { age: 34, sex: 'Female', reference: 'visit-2027-4711' },
  languageCode: 'en',
  text: 'Sore throat and fever since yesterday',
  userIsPatient: true,
  extendedData: { booking: 17 },
}

const CREATED: Of<typeof CreatedSession> = {
  sessionId: SESSION_ID,
  url: `https://fyr.example.org/s/${SLUG}#${INVITATION}`,
  sessionStatus: 'Created',
  sessionCreatedTimestamp: CREATED_AT,
  expiresTimestamp: EXPIRES_AT,
}

const INFO: Of<typeof SessionInfo> = {
  descriptionOfMatter: 'Sore throat and fever since yesterday',
  patientAge: 34,
  patientSex: 'Female',
  sessionCompletedTimestamp: COMPLETED_AT,
  sessionCreatedTimestamp: CREATED_AT,
  urgency: 'Level6',
  userStartedTimestamp: STARTED_AT,
  userWasPatient: true,
  issueType: 'Regular',
}

const STATUS: Of<typeof Status> = { sessionStatus: 'Ended' }

const LINK: Of<typeof Link> = {
  link: `https://fyr.example.org/decision-support/${SLUG}#token=${LINK_TOKEN}`,
  token: LINK_TOKEN,
  managerScriptUrl: 'https://fyr.example.org/embed/v1/decision-support.js',
}

const FILES: Of<typeof File>[] = [
  {
    mimeType: 'image/jpeg',
    downloadUrl: 'https://fyr.example.org/files/pZ4mC8xN2vQkT6wJ0rYhB3gLsD7uFaE5iX9oV1nRtMc',
  },
]

export const SUMMARY: Of<typeof Summary> = {
  data: 'Triage summary: Harbour clinic\n\nMATTER IN OWN WORDS\nSore throat and fever since yesterday\nComplaint: Sore throat\n\nURGENCY\nUrgency: Level6, within a week\n\nFINDINGS\nTemperature: 38.4 °C\nPain: 4 of 10',
}

const CONTACT: Of<typeof Contact> = { phone: '+358 40 123 4567', when: 'after four', reference: 'visit-2027-4711' }

export const JUDGEMENTS: Of<typeof JudgementView>[] = [
  {
    judgementId: JUDGEMENT_ID,
    judgedTimestamp: '2027-01-15T10:02:11.640Z',
    auditUserIdentifier: 'nurse-17',
    urgency: 'Level5',
    sessionUrgency: 'Level6',
    reason: 'Is on medicine that weakens the immune system; seen today.',
  },
]

/** The beginning of an export; docs/api.md lists what is in it. */
const EXPORT = {
  format: 'fyr-session-export-1',
  exportedTimestamp: '2027-01-20T08:00:00.000Z',
  language: 'en',
  session: {
    sessionId: SESSION_ID,
    account: 'Harbour clinic',
    configuration: SLUG,
    sessionStatus: 'Ended',
    sessionCreatedTimestamp: CREATED_AT,
    userStartedTimestamp: STARTED_AT,
    sessionCompletedTimestamp: COMPLETED_AT,
    lastActiveTimestamp: COMPLETED_AT,
    abandonedTimestamp: null,
    canBeEnteredUntil: EXPIRES_AT,
    canBeContinuedUntil: EXPIRES_AT,
    keptDays: 90,
    languageCode: 'en',
    sessionFlow: 'Standard',
    issueType: 'Regular',
    contentRelease: '2027.1.0',
    overrideDemandManagement: false,
    returnUrl: null,
    isTest: false,
  },
  patient: {
    age: 34,
    sex: 'Female',
    answeredBy: 'patient',
    reference: 'visit-2027-4711',
    contact: { phone: '+358 40 123 4567', when: 'after four' },
  },
  toldAtCreation: {
    age: 34,
    text: 'Sore throat and fever since yesterday',
    signs: null,
    extendedData: { booking: 17 },
  },
  descriptionOfMatter: 'Sore throat and fever since yesterday',
  summary: SUMMARY.data,
  urgency: {
    level: 'Level6',
    title: 'See someone within a week',
    time: 'within a week',
    isFinal: true,
    remark: null,
    emergencyCard: null,
    reasons: [],
    alsoTrue: [],
    redFlags: [{ state: 'denied', heading: 'Denied', labels: ['Trouble breathing'] }],
    unconfirmed: [],
    considerations: [],
  },
  outcome: { level: 'Level6', complete: true },
  answers: [
    {
      at: STARTED_AT,
      kind: 'answered',
      label: 'Age',
      asked: 'How old are you?',
      answer: '34 years',
      before: null,
      words: false,
      counts: true,
      from: 'integrator',
      question: 'age',
      value: 34,
      heard: null,
    },
  ],
  judgements: JUDGEMENTS,
  files: [
    {
      fileId: FILE_ID,
      name: 'throat.jpg',
      mimeType: 'image/jpeg',
      size: 418_204,
      remarks: [],
      addedTimestamp: STARTED_AT,
      removedTimestamp: null,
      isKept: true,
    },
  ],
  deliveries: [],
  signIns: [
    {
      kind: 'cookie',
      enteredTimestamp: STARTED_AT,
      expiresTimestamp: '2027-01-18T09:26:40.003Z',
      signedOutTimestamp: null,
    },
  ],
  visits: [],
  accessLog: [
    {
      timestamp: '2027-01-15T10:01:12.003Z',
      kind: 'clinician',
      who: 'nurse-17',
      unit: 'Harbour clinic (harbour-clinic)',
      what: 'looked at the answers',
      action: 'session.viewed',
      fileId: null,
    },
  ],
}

const LIST: Of<typeof SessionList> = {
  sessions: [
    {
      sessionId: SESSION_ID,
      sessionStatus: 'Ended',
      sessionCreatedTimestamp: CREATED_AT,
      userStartedTimestamp: STARTED_AT,
      sessionCompletedTimestamp: COMPLETED_AT,
      isTest: false,
    },
  ],
  nextCursor: null,
}

/** The beginning of a document; docs/handoff.md lists what is in it. */
export const BUNDLE = {
  resourceType: 'Bundle',
  type: 'document',
  timestamp: COMPLETED_AT,
  entry: [{ fullUrl: `urn:uuid:${SESSION_ID}`, resource: { resourceType: 'Composition', status: 'final' } }],
}

const OPEN: Of<typeof AccessInfo> = { active: true, open: true, closedReason: null }
const CLOSED: Of<typeof AccessInfo> = { active: true, open: false, closedReason: 'OutsideMonitoredHours' }
const TOOK = { durationSeconds: { p50: 281, p90: 497 }, screens: { p50: 12, p90: 15.2 } }
const COUNT: Of<typeof SessionCount> = { completed: 128, active: 6 }

const STATISTICS: Of<typeof Statistics> = {
  start: '2027-01-14T22:00:00.000Z',
  end: '2027-01-15T22:00:00.000Z',
  by: 'day',
  timeZone: 'Europe/Helsinki',
  smallestGroup: 5,
  total: { ...TOOK, created: 42, started: 36, finished: 31, left: 4, erased: 0 },
  periods: [{ start: '2027-01-14T22:00:00.000Z', ...TOOK, created: 42, started: 36, finished: 31, left: 4, erased: 0 }],
  urgencies: [
    { value: 'Level4', finished: 9, durationSeconds: { p50: 240, p90: 480 }, screens: { p50: 12, p90: 15 } },
    { value: 'Level8', finished: 15, durationSeconds: { p50: 300, p90: 540 }, screens: { p50: 12, p90: 16 } },
    { value: null, finished: 7, durationSeconds: null, screens: null },
  ],
  complaints: [
    { value: 'cough-cold', finished: 12, durationSeconds: { p50: 300, p90: 480 }, screens: { p50: 13, p90: 15 } },
    { value: null, finished: 19, durationSeconds: null, screens: null },
  ],
  languages: [{ value: 'fi', finished: 31, durationSeconds: { p50: 300, p90: 480 }, screens: { p50: 12, p90: 15 } }],
  judgements: [
    {
      complaint: 'cough-cold',
      contentRelease: '2027.1.0',
      judged: 6,
      agreed: 6,
      underTriaged: 0,
      overTriaged: 0,
    },
  ],
}

export const V1_EXAMPLES = {
  createSession: { request: NEW_SESSION, response: CREATED },
  getSession: { response: INFO },
  getSessionStatus: { response: STATUS },
  getDecisionSupportLink: { response: LINK },
  getSessionFiles: { response: FILES },
  getSessionSummary: { response: SUMMARY },
  listSessions: { response: LIST },
  getSessionFhir: { response: BUNDLE },
  getSessionJudgements: { response: JUDGEMENTS },
  getSessionContact: { response: CONTACT },
  exportSession: { response: EXPORT },
  closeAccess: {
    request: { closedReason: 'OutsideMonitoredHours', closedUntil: '2027-01-18T07:00:00Z' },
    response: CLOSED,
  },
  openAccess: { response: OPEN },
  getAccess: { response: OPEN },
  countSessions: { response: COUNT },
  getStatistics: { response: STATISTICS },
}
