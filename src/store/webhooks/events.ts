import Type, { type Static, type TObject } from 'typebox'
import { SESSION_STATUSES } from '../sessions.ts'

/** What there is to know of an event that receivers are told of. */
interface EventFacts {
  /** When it is sent: for the documentation and the client's types. */
  readonly description: string
  /** An event about a session carries its id and what was given as extendedData, and is not told once the session is erased. */
  readonly about: 'session' | null
  /** A test is tried once, is not sent again with the others, and says nothing about how the receiver fares. */
  readonly isTest: boolean
  readonly data: TObject
}

/**
 * The events, by type. A row is an event: the compiler then names the place that makes its data, and the checks those of its
 * documentation and of the client's types, which are written from here. Whoever brings it about queues it.
 */
export const EVENTS = {
  'session.completed': {
    description: 'A session has ended. What it came to is read over the interface, by its id.',
    about: 'session',
    isTest: false,
    data: Type.Object({ sessionStatus: Type.Enum([...SESSION_STATUSES]), sessionCompletedTimestamp: Type.String() }),
  },
  'webhook.test': {
    description: 'Sent by `fyr webhook test`.',
    about: null,
    isTest: true,
    data: Type.Object({}),
  },
} as const satisfies Record<string, EventFacts>

export type EventType = keyof typeof EVENTS
export const EVENT_TYPES = Object.keys(EVENTS) as readonly EventType[]
export type EventData<Name extends EventType> = Static<(typeof EVENTS)[Name]['data']>
