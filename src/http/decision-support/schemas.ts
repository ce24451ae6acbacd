import Type, { type Static } from 'typebox'
import { LEVELS } from '../../engine/content.ts'
import { FLAGS } from '../../engine/flags.ts'
import { SESSION_FLOWS } from '../../session/create.ts'
import { HISTORY_SECTIONS } from '../../session/picture/history.ts'
import {
  IssueType,
  JudgementView,
  Language,
  named,
  nullable,
  nullableRef,
  refTo,
  SessionStatus,
  Sex,
  wholeNumber,
} from '../schemas.ts'

/** The schemas of the decision support API: what a clinician's page gets. Anything not listed here is never sent. */

const text = Type.String()
const moment = Type.String({ format: 'date-time' })
const maybe = nullable(Type.String())
const Level = Type.Enum([...LEVELS])

const Evidence = Type.Object({
  label: text,
  of: nullable(Type.String({ description: 'The question a sign belongs to' })),
  value: maybe,
  state: Type.Enum(['present', 'denied', 'unsure']),
})

const Reason = Type.Object({
  level: Level,
  complaint: text,
  label: text,
  unsure: Type.Boolean({ description: 'The rule holds because something it needs is not known' }),
  otherwise: Type.Boolean({ description: 'No rule holds; this is the level the complaint is given then' }),
  answers: Type.Array(Evidence),
  sources: Type.Array(Type.Object({ title: text, url: nullable(Type.String({ format: 'uri' })) })),
})

const Change = Type.Object({
  label: text,
  now: text,
  alternatives: Type.Array(Type.Object({ kind: Type.Enum(['instead', 'with', 'without']), words: text })),
  level: nullable(Level),
  decided: Type.Boolean({ description: 'False when that answer would have led to further questions' }),
  more: Type.Boolean({ description: 'True when this other answer would be more urgent' }),
})

const SessionFacts = Type.Object({
  sessionId: Type.String({ format: 'uuid' }),
  status: refTo(SessionStatus),
  flow: Type.Unsafe<string>({ type: 'string', enum: [...SESSION_FLOWS] }),
  isTest: Type.Boolean({ description: 'Created with a sandbox key' }),
  issueType: refTo(IssueType),
  language: refTo(Language),
  contentVersion: maybe,
  createdTimestamp: moment,
  startedTimestamp: nullable(moment),
  completedTimestamp: nullable(moment),
  expiresTimestamp: moment,
  ongoing: Type.Boolean({ description: 'Someone is answering, or may come back to' }),
})

const FileView = Type.Object({
  id: Type.String({ format: 'uuid' }),
  name: text,
  mimeType: text,
  size: wholeNumber('Bytes'),
  addedTimestamp: moment,
  flags: Type.Array(text),
})

const SectionView = Type.Object({
  section: Type.Enum([...HISTORY_SECTIONS]),
  present: Type.Array(
    Type.Object({ label: text, values: Type.Array(text), words: Type.Boolean(), redFlag: Type.Boolean() }),
  ),
  denied: Type.Array(text),
  unknown: Type.Array(text),
})

const ChronologyEntry = Type.Object({
  at: moment,
  kind: Type.Enum(['answered', 'changed', 'withdrawn']),
  label: text,
  asked: text,
  answer: maybe,
  before: maybe,
  words: Type.Boolean(),
  counts: Type.Boolean(),
  from: nullable(
    Type.Enum(['own-words', 'integrator'], {
      description: 'Who proposed it before it was confirmed; null when it was asked',
    }),
  ),
})

export const PictureView = named(
  'Picture',
  Type.Object({
    version: text,
    language: refTo(Language),
    viewer: Type.Object({ auditUserIdentifier: text, endsTimestamp: moment }),
    clinic: text,
    timeZone: text,
    session: SessionFacts,
    patient: Type.Object({
      age: nullable(Type.Number({ format: 'double', minimum: 0 })),
      sex: nullableRef(Sex),
      userWasPatient: nullable(Type.Boolean()),
    }),
    contact: Type.Object(
      { phone: maybe, when: maybe, reference: maybe },
      { description: 'How the patient can be reached' },
    ),
    matter: nullable(Type.String({ description: 'The matter in the patient’s own, unaltered words' })),
    urgency: Type.Object({
      level: nullable(Level),
      flag: nullable(Type.Enum([...FLAGS])),
      title: maybe,
      time: maybe,
      isFinal: Type.Boolean(),
    }),
    complete: Type.Boolean(),
    card: nullable(
      Type.Object(
        { at: moment, after: text, takenBack: Type.Boolean() },
        { description: 'The emergency card that was shown, where somebody answered on after it' },
      ),
    ),
    complaints: Type.Array(text),
    reasons: Type.Array(Reason),
    alsoTrue: Type.Array(Reason),
    changes: Type.Array(Change),
    redFlags: Type.Array(
      Type.Object({ label: text, of: maybe, state: Type.Enum(['present', 'denied', 'unsure', 'not-asked']) }),
    ),
    unconfirmed: Type.Array(
      Type.Object(
        { kind: text, words: text },
        { description: 'Danger heard in the own words that no sign has confirmed' },
      ),
    ),
    history: Type.Array(SectionView),
    considerations: Type.Array(
      Type.Object({ label: text, complaint: text, for: Type.Array(Evidence), against: Type.Array(Evidence) }),
    ),
    told: nullable(Type.Object({ title: text, text, advice: Type.Array(text), safetyNet: Type.Array(text) })),
    interview: Type.Array(ChronologyEntry),
    now: nullable(Type.Object({ question: maybe, left: wholeNumber(), lastTimestamp: nullable(moment) })),
    levels: Type.Array(Type.Object({ level: Level, title: text, time: text })),
    files: Type.Array(FileView),
    judgements: Type.Array(refTo(JudgementView)),
    notReviewed: Type.Boolean(),
  }),
)

export const BegunVisit = named(
  'Visit',
  Type.Object({
    visitId: Type.String({ format: 'uuid', description: 'Sent as X-Visit-Id where the cookie is the credential' }),
    secret: nullable(
      Type.String({ description: 'In frames only: kept in memory and sent as bearer where cookies are not kept' }),
    ),
    auditUserIdentifier: text,
    endsTimestamp: moment,
  }),
)

export const SignOfLife = named(
  'SignOfLife',
  Type.Object({
    version: Type.String({ description: 'Changes when there is something new to see' }),
    ongoing: Type.Boolean(),
    secondsLeft: Type.Number({ format: 'double', description: 'Until the visit ends at the latest' }),
  }),
)

export const DECISION_SUPPORT_COMPONENTS = [PictureView, BegunVisit, SignOfLife]

export type PictureBody = Static<typeof PictureView>
export type VisitBody = Static<typeof BegunVisit>
export type SignOfLifeBody = Static<typeof SignOfLife>
