import type { Static } from 'typebox'
import type { BegunVisit, PictureView, SignOfLife } from '../../decision-support/schemas.ts'
import {
  COMPLETED_AT,
  CREATED_AT,
  EXPIRES_AT,
  FILE_ID,
  JUDGEMENT_ID,
  LINK_TOKEN,
  SESSION_ID,
  SLUG,
  STARTED_AT,
  VISIT_ID,
} from './ids.ts'
import { BUNDLE, JUDGEMENTS, SUMMARY } from './v1.ts'

const ENDS_AT = '2027-01-15T15:00:00.000Z'

const VISIT: Static<typeof BegunVisit> = {
  visitId: VISIT_ID,
  secret: null,
  auditUserIdentifier: 'nurse-17',
  endsTimestamp: ENDS_AT,
}

const ALIVE: Static<typeof SignOfLife> = { version: '13.Ended.active.1.0', ongoing: false, secondsLeft: 17_820 }

const TEMPERATURE = { label: 'Temperature', of: null, value: '38.4 °C', state: 'present' } as const

const PICTURE: Static<typeof PictureView> = {
  version: '13.Ended.active.1.0',
  language: 'en',
  viewer: { auditUserIdentifier: 'nurse-17', endsTimestamp: ENDS_AT },
  clinic: 'Harbour clinic',
  timeZone: 'Europe/Helsinki',
  session: {
    sessionId: SESSION_ID,
    status: 'Ended',
    flow: 'Standard',
    isTest: false,
    issueType: 'Regular',
    language: 'en',
    contentVersion: '2026.11.1',
    createdTimestamp: CREATED_AT,
    startedTimestamp: STARTED_AT,
    completedTimestamp: COMPLETED_AT,
    expiresTimestamp: EXPIRES_AT,
    ongoing: false,
  },
  patient: { age: 34, sex: 'Female', userWasPatient: true },
  contact: { phone: '+358 40 123 4567', when: 'after four', reference: 'visit-2027-4711' },
  matter: 'Sore throat and fever since yesterday',
  urgency: { level: 'Level6', flag: null, title: 'Contact within a week', time: 'within a week', isFinal: true },
  complete: true,
  card: null,
  complaints: ['Sore throat'],
  reasons: [
    {
      level: 'Level6',
      complaint: 'Sore throat',
      label: 'Sore throat with fever, no sign of danger',
      unsure: false,
      otherwise: false,
      answers: [TEMPERATURE],
      sources: [{ title: 'A guideline on sore throat', url: null }],
    },
  ],
  alsoTrue: [],
  changes: [
    {
      label: 'Temperature',
      now: '38.4 °C',
      alternatives: [{ kind: 'instead', words: '40 °C or more' }],
      level: 'Level5',
      decided: true,
      more: true,
    },
  ],
  redFlags: [{ label: 'Drooling, cannot swallow saliva', of: null, state: 'denied' }],
  unconfirmed: [],
  history: [
    {
      section: 'medicines',
      present: [],
      denied: ['Medicine that weakens the immune system'],
      unknown: [],
    },
  ],
  considerations: [],
  told: {
    title: 'Contact the clinic within a week',
    text: 'What you told us does not point to anything dangerous.',
    advice: ['Drink often, and take something for the pain.'],
    safetyNet: ['You cannot swallow your own saliva, or breathing gets hard: call 112.'],
  },
  interview: [
    {
      at: STARTED_AT,
      kind: 'answered',
      label: 'Age',
      asked: 'Age',
      answer: '34 years',
      before: null,
      words: false,
      counts: true,
      from: null,
    },
  ],
  now: null,
  levels: [{ level: 'Level6', title: 'Contact within a week', time: 'within a week' }],
  files: [
    {
      id: FILE_ID,
      name: 'throat.jpg',
      mimeType: 'image/jpeg',
      size: 402_118,
      addedTimestamp: STARTED_AT,
      flags: [],
    },
  ],
  judgements: [],
  notReviewed: false,
}

export const DECISION_SUPPORT_EXAMPLES = {
  openVisit: {
    request: { token: LINK_TOKEN, configuration: SLUG },
    response: VISIT,
  },
  keepVisit: { request: { embedded: false }, response: ALIVE },
  closeVisit: { request: { embedded: false } },
  getPicture: { response: PICTURE },
  getVisitSummary: { response: SUMMARY },
  judge: {
    request: { id: JUDGEMENT_ID, urgency: 'Level5', reason: JUDGEMENTS[0]?.reason },
    response: JUDGEMENTS,
  },
  getVisitFhir: { response: BUNDLE },
}
