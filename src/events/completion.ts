import { INSERT_WEBHOOK_DELIVERY } from '../store/webhooks/endpoints.ts'
import type { EventType } from '../store/webhooks/events.ts'
import type { Effect } from './record.ts'

/** The effect that queues a session's event in the same transaction as its ending. */
export function completionEffect(configurationId: string, sessionId: string): Effect {
  return {
    statement: INSERT_WEBHOOK_DELIVERY,
    row: { configuration_id: configurationId, session_id: sessionId, type: 'session.completed' satisfies EventType },
  }
}
