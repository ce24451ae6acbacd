import type { Static } from 'typebox'
import type {
  AnsweredScreen,
  EmergencyCheck,
  EnteredSession,
  FileView,
  OutcomeView,
  Proposals,
  PublicConfiguration,
  QuestionView,
  SessionView,
} from '../../triage/schemas.ts'
import { ANSWER_ID, EXPIRES_AT, FILE_ID, INVITATION, SESSION_ID, SLUG, USER_SECRET } from './ids.ts'

const CONFIGURATION: Static<typeof PublicConfiguration> = {
  slug: SLUG,
  name: 'Harbour clinic',
  type: 'OPEN',
  languages: ['en', 'fi', 'no', 'sv'],
  defaultLanguage: 'en',
  emergencyNumber: '112',
  clinicPhone: '+358 9 123 456',
  adviceNumber: '116 117',
  helpLines: ['09 2525 0111', '09 2525 0112', '0800 147 111'],
  theme: { accent: '#0b5b78', logoUrl: null },
  closedMessage: { en: 'We are closed over the holiday, until Monday 18 January.' },
  privacyUrl: 'https://clinic.example.org/privacy',
  accessibilityUrl: null,
  reviewed: true,
  gate: { open: true, active: true, closedReason: null, opensAt: null, timeZone: 'Europe/Helsinki' },
}

const AGE: Static<typeof QuestionView> = {
  id: 'age',
  kind: 'number',
  text: 'Age',
  why: 'Age decides which illnesses are likely and how soon they need care.',
  unit: 'years',
  min: 0,
  max: 130,
  dontKnow: false,
}

/** The first screen, before anything is answered. */
const ENTERED: Static<typeof SessionView> = {
  sessionId: SESSION_ID,
  configuration: SLUG,
  status: 'Created',
  version: 0,
  language: 'en',
  expiresTimestamp: EXPIRES_AT,
  expired: false,
  forSomeoneElse: false,
  returnUrl: null,
  contact: null,
  reachable: false,
  step: {
    kind: 'ask',
    stage: 'intake',
    screen: 'about',
    title: 'About the patient',
    note: null,
    questions: [
      {
        id: 'for_whom',
        kind: 'one',
        text: 'Who is this about?',
        options: [
          { id: 'self', label: 'Me' },
          { id: 'other', label: 'Someone else' },
        ],
        dontKnow: false,
      },
      AGE,
    ],
    progress: { answered: 0, left: 5 },
  },
  alarm: null,
  warning: null,
  ledger: [],
  dropped: [],
  files: [],
}

/** The second screen: what was answered is in the ledger. */
const ANSWERED: typeof ENTERED = {
  ...ENTERED,
  version: 1,
  step: {
    kind: 'ask',
    stage: 'intake',
    screen: 'matter',
    title: 'What is it about?',
    note: null,
    questions: [
      {
        id: 'matter',
        kind: 'text',
        text: 'In your own words, what do you need help with?',
        maxLength: 2000,
        given: 'Sore throat and fever since yesterday',
        dontKnow: true,
      },
    ],
    progress: { answered: 2, left: 6 },
  },
  ledger: [
    {
      question: 'age',
      kind: 'number',
      stage: 'intake',
      text: 'Age',
      label: 'Age',
      answer: '34 years',
      value: 34,
    },
  ],
}

const REVIEW: typeof ENTERED = {
  ...ANSWERED,
  status: 'StartedChat',
  version: 12,
  contact: { asked: 'optional', given: { phone: '+358 40 123 4567', when: 'after four' } },
  reachable: true,
  step: { kind: 'review' },
}

const OUTCOME: Static<typeof OutcomeView> = {
  level: 'Level6',
  flag: null,
  title: 'Contact the clinic within a week',
  text: 'What you told us does not point to anything dangerous.',
  because: ['How bad is the pain? 4 of 10'],
  reasons: ['A sore throat with fever is most often a viral infection.'],
  say: null,
  firstActions: [],
  next: ['The clinic reads your answers.'],
  advice: ['Drink often, and take something for the pain.'],
  safetyNet: ['You cannot swallow your own saliva, or breathing gets hard: call 112.'],
  complete: true,
  reviewNotice: null,
}

const SENT: typeof ENTERED = {
  ...REVIEW,
  status: 'Ended',
  version: 13,
  contact: null,
  step: { kind: 'outcome', outcome: OUTCOME },
}

const STOPPED: typeof ENTERED = {
  ...SENT,
  step: {
    kind: 'outcome',
    outcome: {
      ...OUTCOME,
      level: 'Level1',
      flag: 'red',
      title: 'Call 112 now',
      text: 'What you told us can mean danger to life.',
      because: ['Fighting for air, too breathless to finish a sentence'],
      reasons: ['The airway may be closing.'],
      say: 'Say that breathing is hard, and since when.',
      firstActions: ['Sit upright and lean forward.'],
      complete: false,
    },
  },
}

const INVITED: Static<typeof EnteredSession> = { secret: USER_SECRET, session: ENTERED }

const FILE: Static<typeof FileView> = {
  id: FILE_ID,
  name: 'throat.jpg',
  mimeType: null,
  size: 418_204,
  received: 0,
  ready: false,
}
const WHOLE: typeof FILE = { ...FILE, mimeType: 'image/jpeg', received: 418_204, ready: true }

const CHECK: Static<typeof EmergencyCheck> = {
  title: 'Is any of this true right now?',
  questions: [
    {
      id: 'breathless_no_sentence',
      kind: 'sign',
      text: 'Fighting for air, too breathless to finish a sentence',
      dontKnow: true,
    },
  ],
  alarm: null,
}

const PROPOSALS: Static<typeof Proposals> = {
  danger: false,
  complaints: [{ id: 'sore-throat', name: 'Sore throat' }],
}

const AGE_AGAIN: Static<typeof AnsweredScreen> = { title: null, questions: [{ ...AGE, given: 34 }] }

const answer = (question: string, value: unknown) => ({ question, value })

export const TRIAGE_EXAMPLES = {
  getConfiguration: { response: CONFIGURATION },
  enterOpen: { request: { language: 'en', credential: 'bearer' }, response: INVITED },
  enterInvited: {
    request: { secret: INVITATION, credential: 'bearer' },
    response: INVITED,
  },
  emergencyCheck: { request: { language: 'en', answers: [answer('major_bleeding', false)] }, response: CHECK },
  getOwnSession: { response: ENTERED },
  getAnsweredQuestion: { response: AGE_AGAIN },
  answerScreen: {
    request: { id: ANSWER_ID, answers: [answer('for_whom', 'self'), answer('age', 34)], version: 0 },
    response: ANSWERED,
  },
  goBack: { request: { id: ANSWER_ID, version: 1 }, response: { ...ENTERED, version: 2 } },
  finishSession: { request: { version: 12 }, response: SENT },
  stopSession: { request: { version: 12 }, response: STOPPED },
  giveContact: { request: { phone: '+358 40 123 4567', when: 'after four' }, response: REVIEW },
  changeLanguage: { request: { language: 'en' }, response: ENTERED },
  proposeComplaints: { request: { text: 'my throat hurts' }, response: PROPOSALS },
  listOwnFiles: { response: [WHOLE] },
  announceFile: { request: { id: FILE_ID, name: FILE.name, size: FILE.size }, response: FILE },
  sendFileBytes: { response: WHOLE },
}
