import type { Header, Operation } from './document.ts'

const text = { type: 'string' }

/** The headers of answers that a caller acts on. What only browsers act on, such as a policy, is no part of the interface. */
export const HEADERS = {
  RequestId: {
    description: 'The id of the request, also in the operator’s log. Tell it when you ask for help.',
    schema: { type: 'string', format: 'uuid' },
  },
  RetryAfter: {
    description: 'Seconds to wait before sending the request again.',
    schema: { type: 'integer', minimum: 1 },
    example: 1,
  },
  Location: {
    description: 'Where the session is read.',
    schema: { type: 'string', format: 'uri' },
  },
  Allow: { description: 'The methods that the path takes.', schema: text, example: 'GET, HEAD' },
  WwwAuthenticate: { description: 'The credential that this door takes.', schema: text },
  UploadOffset: {
    description: 'Where to go on: the number of bytes that have arrived.',
    schema: { type: 'integer', minimum: 0 },
    example: 262_144,
  },
  ContentDisposition: {
    description: 'The name to save it under.',
    schema: text,
    example: 'attachment; filename="triage-8f614926.pdf"',
  },
  SetCookie: { description: 'The credential as a cookie that scripts cannot read, or its removal.', schema: text },
  ClearSiteData: {
    description: 'Tells the browser to forget what it kept of the session.',
    schema: text,
    example: '"cache", "storage"',
  },
} as const satisfies Record<string, Header>

const refTo = (name: keyof typeof HEADERS): Header => ({ $ref: `#/components/headers/${name}` })

const SAVED = { 'Content-Disposition': refTo('ContentDisposition') }
const COOKIE = { 'Set-Cookie': refTo('SetCookie') }
const CLEARED = { 'Clear-Site-Data': refTo('ClearSiteData') }
const AGAIN = { 'Retry-After': refTo('RetryAfter') }

/** Sent with every answer of this status. */
const BY_STATUS: Record<string, Record<string, Header>> = {
  401: { 'WWW-Authenticate': refTo('WwwAuthenticate') },
  405: { Allow: refTo('Allow') },
  429: AGAIN,
  503: AGAIN,
}

/** Sent by one operation only. */
const BY_OPERATION: Record<string, Record<string, Record<string, Header>>> = {
  createSession: { 201: { Location: refTo('Location') }, 409: AGAIN },
  getSessionPdf: { 200: SAVED },
  getSessionFile: { 200: SAVED },
  enterOpen: { 201: { ...COOKIE, ...CLEARED } },
  enterInvited: { 200: { ...COOKIE, ...CLEARED } },
  getOwnResultPdf: { 200: SAVED },
  signOut: { 204: { ...COOKIE, ...CLEARED } },
  sendFileBytes: { 409: { 'Upload-Offset': refTo('UploadOffset') } },
  openVisit: { 201: COOKIE },
  keepVisit: { 200: COOKIE },
  closeVisit: { 204: COOKIE },
  getVisitPdf: { 200: SAVED },
  getVisitFile: { 200: SAVED },
}

/** What an operation sends beside the body, by status. */
export const headersOf = ({ operationId }: Operation, status: string): Record<string, Header> => ({
  'x-request-id': refTo('RequestId'),
  ...BY_STATUS[status],
  ...BY_OPERATION[operationId]?.[status],
})
