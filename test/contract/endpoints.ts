import { randomUUID } from 'node:crypto'

/** One endpoint of the interface document, under the number it has there. */
export type Endpoint = {
  section: string
  method: 'GET' | 'POST'
  path: (sessionId: string) => string
  /** What a malformed id is answered with; absent when the path has no id. */
  malformedId?: 400 | 404
  /** A body that is accepted; absent when none is taken. */
  json?: object
  /** Another method that is taken at the same path. */
  beside?: 'DELETE'
  /** A body of `null` is as good as none. */
  takesNull?: true
  ok: 200 | 201
}

const session = (rest: string) => (id: string) => `/api/v1/session/${id}${rest}`

/** The ten endpoints, and the listing and statistics that are added to them. */
export const ENDPOINTS: readonly Endpoint[] = [
  { section: '1. Create session', method: 'POST', path: () => '/api/v1/session', json: {}, ok: 201 },
  { section: '2. Get session info', method: 'GET', path: session(''), malformedId: 404, beside: 'DELETE', ok: 200 },
  { section: '3. Get session status', method: 'GET', path: session('/status'), malformedId: 400, ok: 200 },
  {
    section: '4. Get decision support link',
    method: 'GET',
    path: session('/decisionSupportLink?auditUserIdentifier=dr-house'),
    malformedId: 404,
    ok: 200,
  },
  { section: '5. Get files', method: 'GET', path: session('/files'), malformedId: 404, ok: 200 },
  { section: '6. Get text summary', method: 'GET', path: session('/summary'), malformedId: 404, ok: 200 },
  {
    section: '7. Close',
    method: 'POST',
    path: () => '/api/v1/accessControl/close',
    json: { closedReason: 'Other' },
    ok: 200,
  },
  { section: '8. Open', method: 'POST', path: () => '/api/v1/accessControl/open', takesNull: true, ok: 200 },
  { section: '9. Access status', method: 'GET', path: () => '/api/v1/accessControl', ok: 200 },
  { section: '10. Session count', method: 'GET', path: () => '/api/v1/accessControl/sessionCount', ok: 200 },
  { section: 'Listing (added)', method: 'GET', path: () => '/api/v1/sessions', ok: 200 },
  { section: 'Statistics (added)', method: 'GET', path: () => '/api/v1/statistics', ok: 200 },
]

export const WITH_ID = ENDPOINTS.filter(({ malformedId }) => malformedId !== undefined)

/** An id that no session has. */
export const someId = (): string => randomUUID()
