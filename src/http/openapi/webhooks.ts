import { EVENT_TYPES, EVENTS, type EventData, type EventType } from '../../store/webhooks/events.ts'
import type { Operation, Parameter, Paths, Schema } from './document.ts'
import { COMPLETED_AT, EVENT_ID, SESSION_ID, STARTED_AT } from './examples/ids.ts'

/** What each event carries, told of one session. */
const DATA: { readonly [Name in EventType]: EventData<Name> } = {
  'session.completed': { sessionStatus: 'Ended', sessionCompletedTimestamp: COMPLETED_AT },
  'session.started': { userStartedTimestamp: STARTED_AT },
  'session.alarm': {},
  'webhook.test': {},
}

const header = (name: string, description: string, example: string): Parameter => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
})

const SIGNED: readonly Parameter[] = [
  header('webhook-id', 'The id of the event. It can come more than once: remember it.', EVENT_ID),
  header('webhook-timestamp', 'Seconds since 1970. Refuse what is more than five minutes off.', '1800005200'),
  header(
    'webhook-signature',
    'Standard Webhooks: `v1,` and an HMAC-SHA256 in base64, one for each valid secret, separated by spaces.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
]

/** The requests that Fyr makes itself, one for each event. */
export const webhooks = (): Paths => Object.fromEntries(EVENT_TYPES.map((type) => [type, { post: operationOf(type) }]))

function operationOf(type: EventType): Operation {
  const { description, about, data } = EVENTS[type]
  const isAboutSession = about === 'session'
  return {
    operationId: `on${type.replace(/(?:^|\.)([a-z])/g, (_, letter: string) => letter.toUpperCase())}`,
    summary: type,
    description,
    tags: ['Webhooks'],
    security: [],
    parameters: [...SIGNED],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: schemaOf(type, isAboutSession, JSON.parse(JSON.stringify(data))),
          example: {
            id: EVENT_ID,
            type,
            timestamp: COMPLETED_AT,
            sessionId: isAboutSession ? SESSION_ID : null,
            extendedData: isAboutSession ? { booking: 17 } : null,
            data: DATA[type],
          },
        },
      },
    },
    responses: {
      '2XX': { description: 'Taken. Answer within 15 seconds and do the work afterwards.' },
      '410': { description: 'Not wanted any more: the webhook is disabled at once.' },
      default: { description: 'Not taken; it is sent again later.' },
    },
  }
}

const schemaOf = (type: EventType, isAboutSession: boolean, data: Schema): Schema => ({
  type: 'object',
  required: ['id', 'type', 'timestamp', 'sessionId', 'extendedData', 'data'],
  properties: {
    id: { type: 'string', description: 'The same as the header webhook-id' },
    type: { type: 'string', enum: [type] },
    timestamp: { type: 'string', format: 'date-time', description: 'When it happened' },
    sessionId: isAboutSession ? { type: 'string', format: 'uuid' } : { type: 'null' },
    extendedData: isAboutSession
      ? { description: 'What was given when the session was created, unchanged, or null' }
      : { type: 'null' },
    data,
  },
})
