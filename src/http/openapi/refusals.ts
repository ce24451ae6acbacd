import { PROBLEMS, Problem, type ProblemCode } from '../../problems.ts'
import { problemBody } from '../errors.ts'
import { EXAMPLE_URL, REQUEST_ID } from './examples/ids.ts'

type ByStatus = Readonly<Record<number, readonly ProblemCode[]>>

/** What any operation may be refused with. */
const ANYWHERE: ByStatus = {
  400: ['invalid-request'],
  405: ['method-not-allowed'],
  408: ['request-timeout'],
  413: ['body-too-large'],
  414: ['uri-too-long'],
  415: ['media-type-not-supported'],
  429: ['too-many-requests'],
  431: ['headers-too-large'],
  500: ['internal'],
  503: ['overloaded', 'database-away', 'storage-full'],
}

/** What each door adds or says instead: each takes its own credential. */
const DOORS: Readonly<Record<string, ByStatus>> = {
  '/api/v1/': {
    401: ['key-missing'],
    403: ['key-invalid'],
    404: ['configuration-not-found', 'session-not-found'],
  },
  '/api/triage/v1/': {
    401: ['credential-missing'],
    403: ['cross-site-request'],
    404: ['session-not-found'],
    409: ['stale-version', 'session-finished'],
    410: ['session-expired'],
    503: ['overloaded', 'database-away', 'storage-full', 'content-unavailable'],
  },
  '/api/decision-support/v1/': {
    401: ['visit-missing'],
    403: ['cross-site-request'],
    503: ['overloaded', 'database-away', 'storage-full', 'audit-unavailable'],
  },
}

const WITHOUT_SESSION: ByStatus = { 404: ['configuration-not-found'] }

/** Where an operation differs from its door. */
const OPERATIONS: Readonly<Record<string, ByStatus>> = {
  createSession: { ...WITHOUT_SESSION, 409: ['idempotency-conflict', 'idempotency-in-flight'] },
  listSessions: WITHOUT_SESSION,
  getStatistics: WITHOUT_SESSION,
  getSessionFile: {
    404: ['configuration-not-found', 'session-not-found', 'file-not-found'],
    503: ['overloaded', 'database-away', 'files-away'],
  },
  closeAccess: WITHOUT_SESSION,
  openAccess: WITHOUT_SESSION,
  getAccess: WITHOUT_SESSION,
  countSessions: WITHOUT_SESSION,
  getConfiguration: { 404: ['not-found'] },
  emergencyCheck: { 400: ['invalid-request', 'invalid-answer'], 404: ['not-found'] },
  enterOpen: {
    403: ['service-closed', 'cross-site-request'],
    404: ['not-found', 'configuration-not-found'],
    409: ['idempotency-conflict'],
  },
  enterInvited: {
    403: ['service-closed', 'confirmation-needed', 'confirmation-refused', 'cross-site-request'],
    404: ['session-not-found', 'configuration-not-found'],
  },
  getAnsweredQuestion: { 404: ['not-found', 'session-not-found'] },
  answerScreen: {
    400: ['invalid-request', 'invalid-answer'],
    409: ['stale-version', 'unexpected-question', 'session-finished', 'too-many-answers'],
  },
  goBack: { 409: ['stale-version', 'unexpected-question', 'session-finished', 'too-many-answers'] },
  finishSession: { 409: ['stale-version', 'interview-not-complete', 'contact-required', 'session-finished'] },
  stopSession: { 409: ['stale-version', 'nothing-to-stop', 'session-finished'] },
  giveContact: { 409: ['contact-not-asked', 'session-finished'] },
  getOwnResultPdf: { 409: ['interview-not-complete'] },
  announceFile: {
    404: ['session-not-found', 'file-not-found'],
    409: ['too-many-files', 'session-finished'],
    413: ['file-too-large', 'body-too-large'],
  },
  sendFileBytes: {
    400: ['invalid-request', 'file-broken', 'file-too-many-pixels', 'file-too-complex'],
    404: ['file-not-found', 'session-not-found'],
    409: ['file-offset', 'session-finished'],
    413: ['file-too-large'],
    415: ['file-type-not-supported', 'media-type-not-supported'],
    503: ['overloaded', 'database-away', 'storage-full', 'files-away'],
  },
  removeFile: { 404: ['file-not-found', 'session-not-found'], 409: ['session-finished'] },
  openVisit: { 404: ['link-not-found'], 410: ['link-expired'] },
  getVisitFile: { 404: ['file-not-found'], 503: ['overloaded', 'database-away', 'audit-unavailable', 'files-away'] },
}

/** The problems that an operation may be answered with under a status; none where nobody has said so. */
export function problemsOf(path: string, operationId: string, status: string): readonly ProblemCode[] {
  const door = Object.entries(DOORS).find(([prefix]) => path.startsWith(prefix))?.[1]
  const code = Number(status)
  return OPERATIONS[operationId]?.[code] ?? door?.[code] ?? ANYWHERE[code] ?? []
}

/** In the words of the problems themselves. */
export const wordsOf = (codes: readonly ProblemCode[]): string => codes.map((code) => PROBLEMS[code][1]).join(' ')

/** What stands beside the problem itself where a refusal tells more. */
const MORE: Partial<Record<ProblemCode, ConstructorParameters<typeof Problem>[1]>> = {
  'invalid-request': { errors: [{ pointer: '/patient/age', message: 'must be <= 130' }] },
  'invalid-answer': { errors: [{ pointer: '/answers/0/value', message: 'is none of the options' }] },
  'file-offset': { members: { received: 262_144 } },
  'service-closed': {
    members: {
      gate: {
        open: false,
        active: true,
        closedReason: 'OutsideMonitoredHours',
        opensAt: '2027-01-18T06:00:00Z',
        timeZone: 'Europe/Helsinki',
      },
    },
  },
}

/** A problem as a caller gets it. */
export const exampleOf = (code: ProblemCode): { summary: string; value: unknown } => ({
  summary: PROBLEMS[code][1],
  value: problemBody(new Problem(code, MORE[code]), EXAMPLE_URL, REQUEST_ID),
})
