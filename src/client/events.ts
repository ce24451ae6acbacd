// Written by scripts/client-types.ts from src/store/webhooks/events.ts: change that, not this.

/** A session has ended. What it came to is read over the interface, by its id. */
export type SessionCompleted = {
  id: string
  type: 'session.completed'
  timestamp: string
  sessionId: string
  /** What was given as extendedData when the session was created, or null. */
  extendedData: unknown
  data: {
    sessionStatus: 'Ended' | 'StartedChat' | 'Created' | 'AiSessionNotCreated'
    sessionCompletedTimestamp: string
  }
}

/** Only when chosen. Someone has entered and given the first answer. */
export type SessionStarted = {
  id: string
  type: 'session.started'
  timestamp: string
  sessionId: string
  /** What was given as extendedData when the session was created, or null. */
  extendedData: unknown
  data: {
    userStartedTimestamp: string
  }
}

/** Only when chosen. A red flag has appeared for the first time in a session that goes on. */
export type SessionAlarm = {
  id: string
  type: 'session.alarm'
  timestamp: string
  sessionId: string
  /** What was given as extendedData when the session was created, or null. */
  extendedData: unknown
  data: Record<string, never>
}

/** Sent by `fyr webhook test`. */
export type WebhookTest = {
  id: string
  type: 'webhook.test'
  timestamp: string
  sessionId: null
  extendedData: null
  data: Record<string, never>
}

export type WebhookEvent = SessionCompleted | SessionStarted | SessionAlarm | WebhookTest
