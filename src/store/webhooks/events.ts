import Type, { type Static, type TObject } from 'typebox'
import { SESSION_STATUSES } from '../sessions.ts'

/** The facts about an event that is sent to receivers. */
interface EventFacts {
  /** When it is sent: for the documentation and the client's types. */
  readonly description: string
  /** An event about a session carries its id and its extendedData, and is not sent once the session is erased. */
  readonly about: 'session' | null
  /** Which endpoints get it: those that say nothing about it, only those that chose it, or (null) the one it is meant for. */
  readonly choice: 'default' | 'optional' | null
  /** A test is tried once, is not replayed with the others, and says nothing about the receiver's health. */
  readonly isTest: boolean
  readonly data: TObject
}

/**
 * The events by type, one row each: the compiler then names the place that makes its data, and the checks name its
 * documentation and the client's types, which are written from here. Whoever causes an event queues it.
 */
export const EVENTS = {
  'session.completed': {
    description: 'A session has ended. What it came to is read over the interface, by its id.',
    about: 'session',
    choice: 'default',
    isTest: false,
    data: Type.Object({ sessionStatus: Type.Enum([...SESSION_STATUSES]), sessionCompletedTimestamp: Type.String() }),
  },
  'session.started': {
    description: 'Only when chosen. Someone has entered and given the first answer.',
    about: 'session',
    choice: 'optional',
    isTest: false,
    data: Type.Object({ userStartedTimestamp: Type.String() }),
  },
  'session.alarm': {
    description: 'Only when chosen. A red flag has appeared for the first time in a session that goes on.',
    about: 'session',
    choice: 'optional',
    isTest: false,
    data: Type.Object({}),
  },
  'webhook.test': {
    description: 'Sent by `fyr webhook test`.',
    about: null,
    choice: null,
    isTest: true,
    data: Type.Object({}),
  },
} as const satisfies Record<string, EventFacts>

export type EventType = keyof typeof EVENTS
export const EVENT_TYPES = Object.keys(EVENTS) as readonly EventType[]
export type EventData<Name extends EventType> = Static<(typeof EVENTS)[Name]['data']>

/** The events an endpoint may choose from, and those it gets without choosing. */
export const CHOOSABLE_EVENTS = EVENT_TYPES.filter((type) => EVENTS[type].choice !== null)
export const DEFAULT_EVENTS = EVENT_TYPES.filter((type) => EVENTS[type].choice === 'default')
