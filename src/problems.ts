/**
 * Every way a request can be refused: code, status, one sentence, and for its page what to do about it.
 * The code is the last part of the problem's `type`, so it never changes once published.
 */
export const PROBLEMS = {
  'key-missing': [
    401,
    'The API key header is missing.',
    'Send the header X-Service-API-Key with a key of your configuration.',
  ],
  'key-invalid': [
    403,
    'The API key is not valid.',
    'The key is malformed, sent twice, unknown, revoked or expired. Check which key your system sends, or have a new one issued.',
  ],
  'configuration-not-found': [
    404,
    'There is no valid configuration for this key.',
    'The key is good, but its configuration is missing, disabled or faulty. Ask the operator to mend it.',
  ],
  'session-not-found': [
    404,
    'There is no such session.',
    'The id is malformed, unknown, erased, or belongs to somebody else.',
  ],
  'not-found': [404, 'There is nothing here.', 'Check the path against the API page.'],
  'method-not-allowed': [405, 'This path does not take this method.', 'The Allow header lists the methods it takes.'],
  'invalid-request': [400, 'The request is not valid.', 'The list `errors` points at each fault.'],
  'media-type-not-supported': [
    415,
    'The body must be JSON.',
    'Send Content-Type: application/json, without a content encoding.',
  ],
  'body-too-large': [413, 'The body is too large.', 'A JSON body may have 64 KiB.'],
  'uri-too-long': [414, 'The address is too long.', 'Shorten the path or the query.'],
  'headers-too-large': [431, 'The headers are too large.', 'All headers together may have 16 KiB.'],
  'request-timeout': [408, 'The request took too long to arrive.', 'Send it again in one go.'],
  'too-many-requests': [429, 'Too many requests.', 'Wait for the seconds in Retry-After, then go on more slowly.'],
  'idempotency-conflict': [
    409,
    'This Idempotency-Key was used for another request.',
    'Use a new key for a new request; repeat a request only with the same body.',
  ],
  'idempotency-in-flight': [
    409,
    'The first request with this Idempotency-Key is still running.',
    'Wait a moment and send it again.',
  ],
  'credential-missing': [
    401,
    'The credential is missing.',
    'This address takes the user cookie or the session secret as bearer, never an API key.',
  ],
  'session-finished': [
    409,
    'The session is finished and takes no more answers.',
    'Its outcome is final. For a new matter start a new session.',
  ],
  'session-expired': [
    410,
    'The session has expired.',
    'It was left alone for too long and cannot be continued. Start a new session.',
  ],
  'stale-version': [
    409,
    'The session has moved on.',
    'Somebody, perhaps another tab, answered in the meantime. The member `current` holds the session as it is now.',
  ],
  'unexpected-question': [
    409,
    'This question is not asked now.',
    'The member `current` holds the session as it is now; answer the question it asks.',
  ],
  'invalid-answer': [400, 'The answer does not fit the question.', 'Answer with a value that the question offers.'],
  'interview-not-complete': [409, 'The interview is not complete.', 'Answer the question that is asked; then finish.'],
  'contact-required': [
    409,
    'The clinic needs a telephone number before this can be sent.',
    'Give one with PUT /session/contact; then finish.',
  ],
  'contact-not-asked': [
    409,
    'This configuration asks for no contact.',
    'Its operator decides: the field contact of the configuration.',
  ],
  'nothing-to-stop': [
    409,
    'There is no emergency card to stop at.',
    'A session can be stopped while its alarm stands. Otherwise answer on, or leave.',
  ],
  'content-unavailable': [
    503,
    'The questions cannot be loaded at the moment.',
    'The session is kept. Try to enter again in a moment.',
  ],
  'service-closed': [
    403,
    'The service is closed for new users.',
    'The member `gate` says why, and when it opens if that is known.',
  ],
  'confirmation-needed': [
    403,
    'This session is open in another browser.',
    'To go on here, confirm the patient’s age or year of birth.',
  ],
  'confirmation-refused': [
    403,
    'That could not be confirmed.',
    'The age or year of birth does not match, or there were too many tries. Go on where the session was started.',
  ],
  'file-not-found': [404, 'There is no such file.', 'It was removed, or never announced.'],
  'file-gone': [
    410,
    'The file can no longer be fetched.',
    'Files can be fetched while the user’s cookie is alive. Decision support shows them for as long as the session is kept.',
  ],
  'file-too-large': [413, 'The file is too large.', 'A file may have 20 MB.'],
  'file-too-many-pixels': [400, 'The picture is too large.', 'A picture may have 50 megapixels and must have a size.'],
  'file-broken': [400, 'The file is damaged.', 'It could not be read to its end. Try another copy.'],
  'file-too-complex': [
    400,
    'The file is too complex to be checked.',
    'Looking through it takes more time or memory than a file may. Send it printed to a plain PDF, or as pictures.',
  ],
  'file-type-not-supported': [
    415,
    'This kind of file is not taken.',
    'JPEG, PNG and WebP pictures and PDF documents are taken; what counts is the content, not the name.',
  ],
  'file-offset': [
    409,
    'The bytes do not begin where the last ones ended.',
    'The header Upload-Offset says where to go on.',
  ],
  'too-many-files': [
    409,
    'The session has as many files as it may.',
    'Ten files are taken, fifty with those that were removed. Remove one first.',
  ],
  'too-many-answers': [
    409,
    'The session has as many answers as it may.',
    'A thousand answers and changes are taken. Send what there is, or start anew.',
  ],
  'link-expired': [
    410,
    'The link has expired.',
    'A link to decision support works for 5 minutes. Open decision support again from your own system.',
  ],
  'link-not-found': [
    404,
    'The link is not valid.',
    'It is incomplete, changed, or its session is no longer kept. Open decision support again from your own system.',
  ],
  'visit-missing': [
    401,
    'There is no such visit, or it has ended.',
    'A visit ends 5 minutes after its page was closed, and after 5 hours at most. Open decision support again from your own system.',
  ],
  'audit-unavailable': [
    503,
    'What is seen cannot be recorded at the moment.',
    'Nothing is shown without its audit entry. Try again in a moment.',
  ],
  'cross-site-request': [
    403,
    'The request came from another site.',
    'With the user cookie, changes are taken from this service’s own pages only.',
  ],
  'webhook-not-found': [
    404,
    'This configuration has no such webhook.',
    'Set one first: fyr webhook set --configuration … --url https://… (fyr webhook list shows those there are)',
  ],
  'webhook-disabled': [409, 'The webhook is disabled.', 'Enable it first; what failed meanwhile can then be replayed.'],
  'webhook-secret-limit': [
    409,
    'The secret cannot be rotated again yet.',
    'Two secrets are valid at most, and ten rotations a day: wait for the overlap to end, or rotate without one.',
  ],
  'delivery-not-found': [404, 'There is no such delivery.', 'Deliveries are kept for 30 days.'],
  'delivery-under-way': [409, 'This delivery is being sent at this moment.', 'Wait for its answer, then look again.'],
  overloaded: [503, 'The service is busy.', 'Wait for the seconds in Retry-After and send the request again.'],
  'database-away': [
    503,
    'The service cannot reach its database.',
    'Wait for the seconds in Retry-After and send the request again. Whether this one was carried out may be unknown; with the same id or Idempotency-Key nothing happens twice.',
  ],
  'storage-full': [
    503,
    'There is no room left to store anything.',
    'Nothing was changed. Wait for the seconds in Retry-After and send the request again; the operator has to make room.',
  ],
  'files-away': [
    503,
    'The service cannot reach the place where files are kept.',
    'What was sent is kept. Wait for the seconds in Retry-After and send the last part again.',
  ],
  stopping: [503, 'This node is stopping.', 'Send the request again; another node answers.'],
  internal: [
    500,
    'Something went wrong on our side.',
    'Nothing is known to be wrong with the request. Tell the operator the requestId.',
  ],
} as const satisfies Record<string, readonly [status: number, title: string, remedy: string]>

export type ProblemCode = keyof typeof PROBLEMS

/** Where in the request a fault lies (a JSON pointer into body, query or headers) and what is wrong there. */
export type Fault = { pointer: string; message: string }

type Extra = {
  detail?: string
  errors?: readonly Fault[]
  headers?: Record<string, string>
  members?: Record<string, unknown>
}

/** A refusal on its way to the one error handler. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly status: number
  readonly extra: Extra

  constructor(code: ProblemCode, extra: Extra = {}) {
    super(extra.detail ?? PROBLEMS[code][1])
    this.code = code
    this.status = PROBLEMS[code][0]
    this.extra = extra
  }
}

export function fail(code: ProblemCode, extra?: Extra): never {
  throw new Problem(code, extra)
}

/** One faulty place in the input. */
export function invalid(pointer: string, message: string): never {
  throw new Problem('invalid-request', { errors: [{ pointer, message }] })
}
